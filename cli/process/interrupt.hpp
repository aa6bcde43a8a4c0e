// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <csignal>
#include <iterator>

namespace heddle {

/// How long after a signal what is under way may still end by itself.
inline constexpr std::chrono::seconds kPatience(1);

/// While it lives, Ctrl-C (SIGINT), SIGTERM and SIGHUP are counted instead of ending the process, which the third does all the
/// same. At most one at a time.
/// A plain handler that adds to an atomic number: nothing else needs to happen in it, whoever waits looks at the number.
class InterruptGuard {
 public:
  InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  ~InterruptGuard();

  /// How many have come. From any thread.
  static int count();
  /// The exit status of who is ended by the latest: 128 and its number, as shells have it.
  static int exit_status();

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction before_[std::size(kSignals)];
};

}  // namespace heddle
