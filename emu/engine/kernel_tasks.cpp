// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>
#include <semaphore>
#include <system_error>
#include <utility>
#include <vector>

#include "emu/engine/stack_pool.hpp"
#include "emu/engine/task_identity.hpp"
#include "emu/engine/tasks.hpp"
#include "heddle/errors.hpp"

namespace heddle::emu {

namespace {

/// A thread with a stack of so many bytes, whatever the system's limit for the process says, and a guard below it.
class Thread {
 public:
  bool is_joinable() const { return is_joinable_; }
  void join() {
    pthread_join(thread_, nullptr);
    is_joinable_ = false;
  }
  void detach() {
    pthread_detach(thread_);
    is_joinable_ = false;
  }

  /// 0, or why the system has none.
  int start(std::size_t stack_bytes, int rank, std::function<void()> body) {
    constexpr std::size_t kGuardBytes = std::size_t{64} << 10;
    auto beginning = std::make_unique<Beginning>(Beginning{std::move(body), stack_bytes, rank});
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setguardsize(&attributes, kGuardBytes);
    pthread_attr_setstacksize(&attributes, stack_bytes);
    const int failure = pthread_create(&thread_, &attributes, begin, beginning.get());
    pthread_attr_destroy(&attributes);
    if (failure != 0) return failure;
    static_cast<void>(beginning.release());  // the thread's
    is_joinable_ = true;
    return 0;
  }

 private:
  struct Beginning {
    std::function<void()> body;
    std::size_t stack_bytes;
    int rank;
  };

  static void* begin(void* given) {
    const std::unique_ptr<Beginning> beginning(static_cast<Beginning*>(given));
    RunningTask self{nullptr, 0, beginning->stack_bytes, beginning->rank, false};
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
      void* bottom = nullptr;
      std::size_t bytes = 0;
      pthread_attr_getstack(&attributes, &bottom, &bytes);
      pthread_attr_getguardsize(&attributes, &self.guard_bytes);
      pthread_attr_destroy(&attributes);
      self.bottom = static_cast<const std::byte*>(bottom);
      running_task = &self;
      watch_for_overflows();
    }
    std::exchange(beginning->body, nullptr)();
    running_task = nullptr;
    return nullptr;
  }

  pthread_t thread_ = {};
  bool is_joinable_ = false;
};

/// Every task a thread that waits for its turn. All of a batch run at once, so that a data race between ranks is a race
/// that a sanitizer can see; unless they are to run one after another.
class KernelTasks final : public Tasks {
 public:
  KernelTasks(bool side_by_side, std::size_t stack_bytes) : side_by_side_(side_by_side), stack_bytes_(stack_bytes) {}
  ~KernelTasks() override {
    for (Task& task : tasks_) {
      if (!task.thread.is_joinable()) continue;
      task.abandoned = !task.begun;
      task.slice.release();
      join(task);
    }
  }

  TaskId create(std::function<void()> body, int rank) override {
    const TaskId id = new_id();
    Task& task = tasks_[id];
    task.begun = false;
    task.ended = false;
    const int failure = task.thread.start(stack_bytes_, rank, [this, &task, body = std::move(body)]() mutable {
      task.slice.acquire();
      if (task.abandoned) return;
      body();
      body = nullptr;  // what it holds goes with its end, not with the thread's
      task.ended = true;
      yield_to_scheduler();
    });
    if (failure != 0)
      throw ResourceError(fmt::format("the system has no more kernel threads than {} for ranks ({}); use --threads user",
                                      tasks_.size() - 1, std::generic_category().message(failure)));
    return id;
  }

  void run(std::span<const TaskId> batch) override {
    if (batch.empty()) return;
    slices_of_tasks += batch.size();
    waits_for_tasks = true;
    const std::size_t together = side_by_side_ ? batch.size() : 1;
    for (std::size_t first = 0; first < batch.size(); first += together) {
      running_.store(static_cast<std::int64_t>(together), std::memory_order_relaxed);
      for (const TaskId id : batch.subspan(first, together)) {
        tasks_[id].begun = true;
        tasks_[id].slice.release();
      }
      all_stopped_.acquire();
    }
    waits_for_tasks = false;
  }

  bool side_by_side() const override { return side_by_side_; }

  void block(TaskId self) override {
    Task& task = tasks_[self];  // before yielding: from then on the scheduler may add tasks
    yield_to_scheduler();
    task.slice.acquire();
  }

  void leave_behind(TaskId self) override {
    Task& task = tasks_[self];
    task.left_behind = true;
    task.ended = true;
    yield_to_scheduler();
    sleep_for_ever();
  }

  bool has_ended(TaskId task) const override { return tasks_[task].ended; }

  void release(TaskId id) override {
    join(tasks_[id]);
    free_ids_.push_back(id);
  }

 private:
  struct Task {
    Thread thread;
    std::binary_semaphore slice{0};
    bool begun = false;
    bool ended = false;
    bool abandoned = false;  ///< never begun, and never to be
    bool left_behind = false;
  };

  static void join(Task& task) {
    if (std::exchange(task.left_behind, false))
      task.thread.detach();
    else
      task.thread.join();
  }

  TaskId new_id() {
    if (!free_ids_.empty()) {
      const TaskId id = free_ids_.back();
      free_ids_.pop_back();
      return id;
    }
    tasks_.emplace_back();
    return static_cast<TaskId>(tasks_.size() - 1);
  }

  void yield_to_scheduler() {
    if (running_.fetch_sub(1, std::memory_order_acq_rel) == 1) all_stopped_.release();
  }

  bool side_by_side_;
  std::size_t stack_bytes_;
  std::deque<Task> tasks_;  ///< a deque: a task's own thread holds a reference to it
  std::vector<TaskId> free_ids_;
  std::atomic<std::int64_t> running_{0};
  std::binary_semaphore all_stopped_{0};
};

}  // namespace

std::unique_ptr<Tasks> make_kernel_tasks(bool side_by_side, std::size_t stack_bytes) {
  // Code that threads are for, as sanitizers and interpreters, takes more than fibers have.
  constexpr std::size_t kLeast = std::size_t{8} << 20;
  return std::make_unique<KernelTasks>(side_by_side, std::max(stack_bytes, kLeast));
}

}  // namespace heddle::emu
