// SPDX-License-Identifier: Apache-2.0
// Independent tasks side by side: in their order, within a memory budget, on as many threads as the system grants.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "heddle/units.hpp"

namespace heddle {

// Tasks that are waited for in their order, while those behind are made ahead on other cores.

struct AheadTask {
  Bytes memory;  ///< from its begin until it was waited for: of its work and of what that leaves behind
  std::function<void()> work;
};

/// wait_for_next and the destructor are for one thread.
class TasksAhead {
 public:
  /// Begins the first tasks, on at most `workers` threads (fewer if the system has no more). One is made ahead while it and all
  /// since the one that is waited for need no more than `budget`. With one worker, with one task, and where no thread is to be
  /// had, a task is made by the thread that waits for it, and none ahead.
  TasksAhead(std::vector<AheadTask> tasks, int workers, Bytes budget);
  /// Blocks until those under way have ended; no more are begun.
  ~TasksAhead();
  TasksAhead(const TasksAhead&) = delete;
  TasksAhead& operator=(const TasksAhead&) = delete;

  /// Blocks until the next task has ended, and rethrows what it threw. At most once for each task.
  void wait_for_next();

 private:
  void work();
  bool may_begin() const;

  const std::vector<AheadTask> tasks_;
  const Bytes budget_;
  std::mutex mutex_;                 ///< of all below
  std::condition_variable changed_;  ///< one has ended, was waited for, or no more are to be begun
  std::vector<std::exception_ptr> failures_;
  std::vector<bool> has_ended_;
  std::size_t waited_ = 0;  ///< those before were waited for
  std::size_t begun_ = 0;   ///< those before have been begun
  Bytes used_;              ///< by those between
  bool is_stopped_ = false;
  std::vector<std::thread> threads_;
};

// Independent tasks over cores, within a memory budget.

struct BudgetedTask {
  double first;  ///< the greatest are started first: those that take the longest, lest they be the last to end
  Bytes memory;  ///< while it runs
  std::function<void()> work;
};

/// At most `workers` at once (≥ 1; fewer if the system has no more threads), which together need no more than `budget`; one that
/// needs more than that runs alone. A task may use oneTBB itself: it has idle workers help it, and never takes up another task
/// while it waits. Blocks until all are done; after is_stopped() says so, or a task has thrown, no further ones are started.
/// Rethrows what the first task threw, once all that were under way have ended. is_stopped is called from any of the workers, not
/// side by side.
void run_within_budget(std::vector<BudgetedTask> tasks, int workers, Bytes budget, const std::function<bool()>& is_stopped);

// How many threads the system grants (ulimit -u, a container's limit). oneTBB asks for its threads when they are needed, where
// a refusal ends the process.

/// How many of so many further threads can be made now: by making them, and ending them again. Some 20 us each.
int threads_to_be_had(int wanted);

/// Whether there are fewer than a command may want on this machine: twice its cores and one that watches.
bool are_threads_short();

/// How many of `workers` threads to run side by side, so that enough are left for oneTBB, which each may use: 1 where threads are
/// short.
int workers_to_be_had(int workers);

/// Calls `work` on this thread; where threads are short, so that what oneTBB would share among threads stays on this one.
void run_on_few_threads(const std::function<void()>& work);

}  // namespace heddle
