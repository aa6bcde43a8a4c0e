// SPDX-License-Identifier: Apache-2.0
// A plugin's code runs in the command's process: if it ends it, the last words say in which case.
#pragma once

#include <csignal>
#include <iterator>
#include <string>

#include "lab/experiment/experiment.hpp"

namespace heddle {

/// While it lives, a signal that ends the process (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT) first writes the case that the
/// thread is at to standard error; then it does what it would have done. At most one at a time.
class CrashNote {
 public:
  /// `command` repeats a case that stands behind it in quotes.
  explicit CrashNote(const std::string& command);
  CrashNote(const CrashNote&) = delete;
  CrashNote& operator=(const CrashNote&) = delete;
  ~CrashNote();

  /// The calling thread is about to run this. From any thread.
  static void is_at(const Experiment& what);

 private:
  static constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
};

}  // namespace heddle
