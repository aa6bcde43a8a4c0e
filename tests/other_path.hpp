// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <string>

namespace heddle::test {

/// Another PATH while it lives, so that programs are not found.
class OtherPath {
 public:
  explicit OtherPath(const char* path) : before_(std::getenv("PATH")) { setenv("PATH", path, 1); }
  OtherPath(const OtherPath&) = delete;
  OtherPath& operator=(const OtherPath&) = delete;
  ~OtherPath() { setenv("PATH", before_.c_str(), 1); }

 private:
  std::string before_;
};

}  // namespace heddle::test
