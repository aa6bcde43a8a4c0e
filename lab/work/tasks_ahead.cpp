// SPDX-License-Identifier: Apache-2.0
#include "lab/work/tasks_ahead.hpp"

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

}  // namespace heddle
