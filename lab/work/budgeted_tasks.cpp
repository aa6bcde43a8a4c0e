// SPDX-License-Identifier: Apache-2.0
#include "lab/work/budgeted_tasks.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <list>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "core/sanitizers.hpp"
#include "lab/work/thread_supply.hpp"

namespace heddle {

namespace {

/// The threads that work share what waits. Threads of their own, not oneTBB's task_group: that counts a task before it has the memory
/// for it, and waits for ever for one that could not be had.
class Scheduler {
 public:
  Scheduler(std::vector<BudgetedTask> tasks, Bytes budget, const std::function<bool()>& is_stopped)
      : budget_(budget), is_stopped_(is_stopped) {
    std::ranges::stable_sort(tasks, std::greater<>(), &BudgetedTask::first);
    for (BudgetedTask& task : tasks) waiting_.push_back(std::move(task));
  }

  /// On this thread and so many others.
  void run(int others) {
    {
      std::vector<std::jthread> threads;
      try {
        while (static_cast<int>(threads.size()) < others) threads.emplace_back([this] { work(); });
      } catch (const std::system_error&) {  // the system has no more threads: fewer do the same
      } catch (...) {
        const std::lock_guard lock(mutex_);
        note_failure(std::current_exception());
      }
      work();
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (const std::optional<BudgetedTask> task = take(lock)) {
      lock.unlock();
      std::exception_ptr failure;
      try {
        task->work();
      } catch (...) {
        failure = std::current_exception();
      }
      lock.lock();
      note_failure(failure);
      --running_;
      used_ = used_ - task->memory;
      changed_.notify_all();
    }
  }

  /// The most expensive one that fits, once one does; nothing when there is no more to do.
  std::optional<BudgetedTask> take(std::unique_lock<std::mutex>& lock) {
    while (!failure_ && !waiting_.empty() && !is_stopped_()) {
      const auto fits = std::ranges::find_if(
          waiting_, [this](const BudgetedTask& task) { return running_ == 0 || used_ + task.memory <= budget_; });
      if (fits != waiting_.end()) {
        BudgetedTask task = std::move(*fits);
        waiting_.erase(fits);
        ++running_;
        used_ += task.memory;
        return task;
      }
      changed_.wait(lock);
    }
    return std::nullopt;
  }

  void note_failure(const std::exception_ptr& failure) {
    if (!failure_) failure_ = failure;
  }

  std::mutex mutex_;
  std::condition_variable changed_;  ///< a task has ended
  std::list<BudgetedTask> waiting_;  ///< the most expensive first
  Bytes budget_;
  const std::function<bool()>& is_stopped_;
  int running_ = 0;
  Bytes used_;
  std::exception_ptr failure_;
};

}  // namespace

#if HEDDLE_THREAD_SANITIZER

/// One after the other: ThreadSanitizer does not see how oneTBB, which is not instrumented, orders its threads.
void run_within_budget(std::vector<BudgetedTask> tasks, int, Bytes, const std::function<bool()>& is_stopped) {
  std::ranges::stable_sort(tasks, std::greater<>(), &BudgetedTask::first);
  for (const BudgetedTask& task : tasks) {
    if (is_stopped()) return;
    task.work();
  }
}

#else

void run_within_budget(std::vector<BudgetedTask> tasks, int workers, Bytes budget, const std::function<bool()>& is_stopped) {
  Scheduler(std::move(tasks), budget, is_stopped).run(threads_to_be_had(workers - 1));
}

#endif

}  // namespace heddle
