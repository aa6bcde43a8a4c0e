// SPDX-License-Identifier: Apache-2.0
// Algorithms of plugins, run so that what they do cannot end heddle.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "heddle/collective.hpp"
#include "lab/run/run_algorithm.hpp"
#include "lab/run/setup.hpp"

namespace heddle {

/// Makes each run of a plugin's algorithm twice: first in a process of its own, under the virtual clock. What ends that process (an
/// overrun, abort(), exit(), a signal) is how the run failed; it is not made here then. Other runs are made here at once; so are
/// those over a network, whose ranks are processes already.
class WatchedRuns {
 public:
  /// Forks `workers` processes that stay free of threads, of which each forks one for each run. No other thread may run, and
  /// all setups must be there already. Throws InputError as load_plugins, or if the system has no more processes.
  WatchedRuns(const std::vector<std::string>& plugins, int workers);
  WatchedRuns(const WatchedRuns&) = delete;
  WatchedRuns& operator=(const WatchedRuns&) = delete;
  ~WatchedRuns();

  /// As run_algorithm. From several threads at once, of which no more than `workers` go on.
  Outcome run(const Setup& setup, const Algorithm& algorithm);

 private:
  class Watcher;

  std::set<std::pair<Collective, std::string>> own_;  ///< the plugins' algorithms, without options
  std::vector<std::unique_ptr<Watcher>> free_;
  std::mutex mutex_;
  std::condition_variable one_is_free_;
};

}  // namespace heddle
