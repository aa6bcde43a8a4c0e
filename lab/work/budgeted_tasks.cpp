// SPDX-License-Identifier: Apache-2.0
#include "lab/work/budgeted_tasks.hpp"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <list>
#include <mutex>

#include "core/sanitizers.hpp"
#include "lab/work/thread_supply.hpp"

namespace heddle {

namespace {

/// Nobody waits for room: whoever ends a task starts those that fit after it.
class Scheduler {
 public:
  Scheduler(std::vector<BudgetedTask> tasks, int workers, Bytes budget, const std::function<bool()>& is_stopped)
      : workers_(workers), budget_(budget), is_stopped_(is_stopped) {
    std::ranges::stable_sort(tasks, std::greater<>(), &BudgetedTask::cost);
    for (BudgetedTask& task : tasks) waiting_.push_back(std::move(task));
  }

  void run() {
    start_what_fits();
    group_.wait();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void start_what_fits() {
    const std::lock_guard lock(mutex_);
    for (auto task = waiting_.begin(); task != waiting_.end() && running_ < workers_;) {
      if (failure_ || is_stopped_()) return;
      if (running_ > 0 && used_ + task->memory > budget_) {
        ++task;
        continue;
      }
      ++running_;
      used_ += task->memory;
      group_.run([this, started = std::move(*task)] { work(started); });
      task = waiting_.erase(task);
    }
  }

  void work(const BudgetedTask& task) {
    try {
      // Isolated: a thread that waits within a run for the run's own parts must not take up another run meanwhile.
      tbb::this_task_arena::isolate([&] { task.work(); });
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
    {
      const std::lock_guard lock(mutex_);
      --running_;
      used_ = used_ - task.memory;
    }
    start_what_fits();
  }

  std::mutex mutex_;
  std::list<BudgetedTask> waiting_;  ///< the most expensive first
  int workers_;
  Bytes budget_;
  const std::function<bool()>& is_stopped_;
  int running_ = 0;
  Bytes used_;
  std::exception_ptr failure_;
  tbb::task_group group_;
};

}  // namespace

#if HEDDLE_THREAD_SANITIZER

/// One after the other: ThreadSanitizer does not see how oneTBB, which is not instrumented, orders its threads.
void run_within_budget(std::vector<BudgetedTask> tasks, int, Bytes, const std::function<bool()>& is_stopped) {
  std::ranges::stable_sort(tasks, std::greater<>(), &BudgetedTask::cost);
  for (const BudgetedTask& task : tasks) {
    if (is_stopped()) return;
    task.work();
  }
}

#else

void run_within_budget(std::vector<BudgetedTask> tasks, int workers, Bytes budget, const std::function<bool()>& is_stopped) {
  // More workers than cores, if so many are asked for; fewer, if the system does not have the threads.
  const auto wanted = std::max(static_cast<std::size_t>(workers),
                               tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
  const std::size_t threads = 1 + static_cast<std::size_t>(threads_to_be_had(static_cast<int>(wanted) - 1));
  workers = std::min(workers, static_cast<int>(threads));
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena arena(workers);
  Scheduler scheduler(std::move(tasks), workers, budget, is_stopped);
  arena.execute([&] { scheduler.run(); });
}

#endif

}  // namespace heddle
