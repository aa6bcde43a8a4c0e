// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>

namespace heddle::fuzzers {

/// A file that is in memory alone.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content) : file_(memfd_create("input", MFD_CLOEXEC)) {
    if (file_ < 0) throw std::system_error(errno, std::generic_category(), "memfd_create");
    for (std::size_t written = 0; written < content.size();) {
      const ssize_t more = write(file_, content.data() + written, content.size() - written);
      if (more < 0) throw std::system_error(errno, std::generic_category(), "write");
      written += static_cast<std::size_t>(more);
    }
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { close(file_); }

  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

}  // namespace heddle::fuzzers
