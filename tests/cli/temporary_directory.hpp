// SPDX-License-Identifier: Apache-2.0
// A place for the files of one test.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace heddle::test {

/// Made and removed with this; named after the process, so that tests side by side do not meet.
class TemporaryDirectory {
 public:
  explicit TemporaryDirectory(std::string_view name)
      : path_(std::filesystem::temp_directory_path() / fmt::format("heddle-{}-{}", getpid(), name)) {
    std::filesystem::create_directories(path_);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  std::string operator/(std::string_view name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace heddle::test
