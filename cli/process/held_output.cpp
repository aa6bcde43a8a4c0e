// SPDX-License-Identifier: Apache-2.0
#include "cli/process/held_output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "heddle/errors.hpp"

namespace heddle {

namespace {

std::atomic<const std::array<int, 2>*> held = nullptr;

constexpr std::array<int, 2> kStreams = {STDOUT_FILENO, STDERR_FILENO};

[[noreturn]] void refuse(const char* what) {
  throw ResourceError(fmt::format("the system has no room for what the program prints ({}: {})", what, std::strerror(errno)));
}

}  // namespace

HeldOutput::HeldOutput() : file_(memfd_create("output", MFD_CLOEXEC)), before_{-1, -1} {
  if (!file_.is_open()) refuse("memfd_create");
  if (fcntl(file_.get(), F_SETFL, O_APPEND) != 0) refuse("fcntl");
  std::fflush(nullptr);
  for (std::size_t i = 0; i < kStreams.size(); ++i) {
    before_[i] = fcntl(kStreams[i], F_DUPFD_CLOEXEC, 3);
    if (before_[i] < 0 || dup2(file_.get(), kStreams[i]) < 0) {
      const int why = errno;
      for (std::size_t k = 0; k <= i; ++k) {
        if (before_[k] < 0) continue;
        dup2(before_[k], kStreams[k]);
        close(before_[k]);
      }
      errno = why;
      refuse("dup2");
    }
  }
  held = &before_;
}

HeldOutput::~HeldOutput() {
  std::fflush(nullptr);
  let_through();
  for (const int file : before_) close(file);
}

void HeldOutput::let_through() {
  const std::array<int, 2>* const before = held.exchange(nullptr);
  if (before == nullptr) return;
  for (std::size_t i = 0; i < kStreams.size(); ++i) dup2((*before)[i], kStreams[i]);
}

std::string HeldOutput::text() const {
  std::fflush(nullptr);
  std::string text;
  std::array<char, 65536> part;
  for (ssize_t got = 0; (got = pread(file_.get(), part.data(), part.size(), static_cast<off_t>(text.size()))) > 0;)
    text.append(part.data(), static_cast<std::size_t>(got));
  return text;
}

}  // namespace heddle
