// SPDX-License-Identifier: Apache-2.0
#include "core/read_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "core/errors.hpp"

namespace heddle {

namespace {

[[noreturn]] void refuse_by_errno() {
  throw InputError(fmt::format("cannot be read: {}", std::error_code(errno, std::generic_category()).message()));
}

/// Closes the file whatever happens.
struct Descriptor {
  int number;
  explicit Descriptor(int opened) : number(opened) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number >= 0) close(number);
  }
};

}  // namespace

std::string read_file(const std::string& path, std::size_t most) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number < 0) refuse_by_errno();
  struct stat status = {};
  if (fstat(file.number, &status) != 0) refuse_by_errno();
  if (S_ISDIR(status.st_mode)) throw InputError("cannot be read: it is a directory");
  std::string content;
  std::array<char, 1 << 16> piece;
  for (;;) {
    const ssize_t got = read(file.number, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse_by_errno();
    if (got == 0) return content;
    content.append(piece.data(), static_cast<std::size_t>(got));
    if (content.size() > most) throw InputError(fmt::format("cannot be read: it has more than {} bytes", most));
  }
}

}  // namespace heddle
