// SPDX-License-Identifier: Apache-2.0
#include "lab/run/tasks_ahead.hpp"

#include <tbb/task_arena.h>
#include <algorithm>
#include <latch>
#include <list>
#include <optional>
#include <system_error>
#include <utility>

#include "core/sanitizers.hpp"

namespace heddle {

TasksAhead::TasksAhead(std::vector<AheadTask> tasks, int workers, Bytes budget)
    : tasks_(std::move(tasks)), budget_(budget), failures_(tasks_.size()), has_ended_(tasks_.size()) {
#if HEDDLE_THREAD_SANITIZER
  workers = 1;  // as in run_within_budget
#endif
  if (workers < 2 || tasks_.size() < 2) return;
  threads_.reserve(static_cast<std::size_t>(workers));
  try {
    while (static_cast<int>(threads_.size()) < workers) threads_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {  // the system has no more threads: fewer do the same
  } catch (const std::bad_alloc&) {     // nor memory for one
  }
}

TasksAhead::~TasksAhead() {
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void TasksAhead::wait_for_next() {
  std::unique_lock lock(mutex_);
  const std::size_t next = waited_;
  if (threads_.empty()) {
    ++waited_;
    lock.unlock();
    tasks_[next].work();
    return;
  }
  changed_.wait(lock, [&] { return has_ended_[next]; });
  ++waited_;
  used_ = used_ - tasks_[next].memory;
  changed_.notify_all();
  if (failures_[next]) std::rethrow_exception(failures_[next]);
}

bool TasksAhead::may_begin() const {
  return begun_ < tasks_.size() && (begun_ == waited_ || used_ + tasks_[begun_].memory <= budget_);
}

void TasksAhead::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return is_stopped_ || begun_ == tasks_.size() || may_begin(); });
    if (is_stopped_ || begun_ == tasks_.size()) return;
    const std::size_t mine = begun_++;
    used_ += tasks_[mine].memory;
    changed_.notify_all();  // another may begin the one behind
    lock.unlock();
    try {
      tasks_[mine].work();
    } catch (...) {
      failures_[mine] = std::current_exception();
    }
    lock.lock();
    has_ended_[mine] = true;
    changed_.notify_all();
  }
}

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

int threads_to_be_had(int wanted) {
  std::latch all_asked(1);
  std::vector<std::jthread> threads;
  try {
    threads.reserve(static_cast<std::size_t>(std::max(0, wanted)));
    while (static_cast<int>(threads.size()) < wanted) threads.emplace_back([&all_asked] { all_asked.wait(); });
  } catch (const std::system_error&) {  // there are no more
  } catch (...) {
    all_asked.count_down();  // no memory for the next one: the others must end, or nobody could join them
    throw;
  }
  all_asked.count_down();
  return static_cast<int>(threads.size());
}

namespace {

int cores() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

}  // namespace

bool are_threads_short() {
  const int wanted = 2 * cores() + 1;
  return threads_to_be_had(wanted) < wanted;
}

int workers_to_be_had(int workers) {
  if (are_threads_short()) return 1;
  const int wanted = workers == 0 ? cores() : workers;
  return std::clamp(threads_to_be_had(wanted + cores()) - cores(), 1, wanted);
}

void run_on_few_threads(const std::function<void()>& work) {
  if (!are_threads_short()) {
    work();
    return;
  }
  // A global limit of one would not do: oneTBB takes one more thread all the same.
  tbb::task_arena alone(1);
  alone.execute(work);
}

}  // namespace heddle
