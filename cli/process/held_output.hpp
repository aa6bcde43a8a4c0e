// SPDX-License-Identifier: Apache-2.0
// What this process writes to standard output and error, kept in memory instead of shown.
#pragma once

#include <array>
#include <string>

#include "process/child.hpp"

namespace heddle {

/// While it lives, what the process writes by either way is kept. One at a time.
class HeldOutput {
 public:
  /// Throws ResourceError if the system has no file for it.
  HeldOutput();
  HeldOutput(const HeldOutput&) = delete;
  HeldOutput& operator=(const HeldOutput&) = delete;
  ~HeldOutput();

  /// What has been written so far.
  std::string text() const;

  /// Lets through what is written from now on, for who ends the process. Nothing happens where none lives.
  static void let_through();

 private:
  OpenFile file_;
  std::array<int, 2> before_;  ///< the process's standard output and error, elsewhere
};

}  // namespace heddle
