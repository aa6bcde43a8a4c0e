// SPDX-License-Identifier: Apache-2.0
// A rank that computes for ever asks nothing of its communicator, and no emulation ends it: the command does, and says in which
// case.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "lab/experiment/experiment.hpp"

namespace heddle {

/// While it lives, a case that goes on for longer than `limit` ends the process, with status kExitCheckFailed and a line on
/// standard error that repeats it. The limit is of the host's time. Calls are thread-safe.
class CaseWatch {
 public:
  /// `command` repeats a case that stands behind it in quotes.
  CaseWatch(std::chrono::duration<double> limit, std::string command);
  CaseWatch(const CaseWatch&) = delete;
  CaseWatch& operator=(const CaseWatch&) = delete;
  ~CaseWatch();

  /// The calling thread is about to run this; what it ran before has ended.
  void is_at(const Experiment& what);
  /// The calling thread runs no case.
  void is_idle();

 private:
  using Clock = std::chrono::steady_clock;
  struct Running {
    Experiment what;
    Clock::time_point since;
  };

  void watch();

  const std::chrono::duration<double> limit_;
  const std::string command_;
  std::mutex mutex_;  ///< of all below
  std::condition_variable ending_;
  bool ends_ = false;
  std::map<std::thread::id, Running> running_;
  std::thread thread_;  ///< the last: it uses all others
};

}  // namespace heddle
