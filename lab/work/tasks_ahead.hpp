// SPDX-License-Identifier: Apache-2.0
// Independent tasks that are waited for in their order, while those behind are made ahead on other cores.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "core/units.hpp"

namespace heddle {

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

}  // namespace heddle
