// SPDX-License-Identifier: Apache-2.0
#include "core/read_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <system_error>

#include "heddle/errors.hpp"

namespace heddle {

namespace {

[[noreturn]] void refuse_by_errno() {
  throw InputError(fmt::format("cannot be read: {}", std::error_code(errno, std::generic_category()).message()));
}

[[noreturn]] void refuse_size(std::size_t most) {
  throw InputError(fmt::format("cannot be read: it has more than {} bytes", most));
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

/// A pipe that is open already, as a shell's <(…) is; to open any other waits until somebody writes it.
bool is_open_pipe(const std::string& path, const struct stat& status) {
  return S_ISFIFO(status.st_mode) &&
         (path.starts_with("/dev/fd/") || path.starts_with("/proc/self/fd/") || path == "/dev/stdin");
}

}  // namespace

std::string read_file(const std::string& path, std::size_t most) {
  // It is in the first lines of tables, where a line of its own would look like heddle's.
  if (std::ranges::any_of(path, [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    throw InputError("cannot be read: control characters in its name; rename it");
  // Not blocking: a pipe that nobody writes would be waited for before anyone sees that it is none of those that are read.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number < 0) refuse_by_errno();
  struct stat status = {};
  if (fstat(file.number, &status) != 0) refuse_by_errno();
  if (S_ISDIR(status.st_mode)) throw InputError("cannot be read: it is a directory");
  if (!S_ISREG(status.st_mode) && !is_open_pipe(path, status))
    throw InputError("cannot be read: it is a device, a pipe or a socket; name a file");
  if (S_ISREG(status.st_mode) && static_cast<std::uintmax_t>(status.st_size) > most) refuse_size(most);
  if (fcntl(file.number, F_SETFL, 0) != 0) refuse_by_errno();
  std::string content;
  std::array<char, 1 << 16> piece;
  for (;;) {
    const ssize_t got = read(file.number, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse_by_errno();
    if (got == 0) return content;
    content.append(piece.data(), static_cast<std::size_t>(got));
    if (content.size() > most) refuse_size(most);
  }
}

std::string read_named_file(const std::string& path) {
  try {
    return read_file(path);
  } catch (const InputError& error) {
    throw InputError(fmt::format("'{}': {}", path, error.what()));
  }
}

}  // namespace heddle
