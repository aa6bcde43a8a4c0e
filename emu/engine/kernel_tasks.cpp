// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <atomic>
#include <deque>
#include <semaphore>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "emu/engine/task_identity.hpp"
#include "emu/engine/tasks.hpp"
#include "heddle/errors.hpp"

namespace heddle::emu {

namespace {

/// Every task a thread that waits for its turn. All of a batch run at once, so that a data race between ranks is a race
/// that a sanitizer can see; unless they are to run one after another.
class KernelTasks final : public Tasks {
 public:
  explicit KernelTasks(bool side_by_side) : side_by_side_(side_by_side) {}
  ~KernelTasks() override {
    for (Task& task : tasks_) {
      if (!task.thread.joinable()) continue;
      task.abandoned = !task.begun;
      task.slice.release();
      join(task);
    }
  }

  TaskId create(std::function<void()> body, int /*rank*/) override {
    const TaskId id = new_id();
    Task& task = tasks_[id];
    task.begun = false;
    task.ended = false;
    try {
      task.thread = std::thread([this, &task, body = std::move(body)]() mutable {
        task.slice.acquire();
        if (task.abandoned) return;
        body();
        body = nullptr;  // what it holds goes with its end, not with the thread's
        task.ended = true;
        yield_to_scheduler();
      });
    } catch (const std::system_error& error) {
      throw ResourceError(fmt::format("the system has no more kernel threads than {} for ranks ({}); use --threads user",
                                      tasks_.size() - 1, error.code().message()));
    }
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
    std::thread thread;
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
  std::deque<Task> tasks_;  ///< a deque: a task's own thread holds a reference to it
  std::vector<TaskId> free_ids_;
  std::atomic<std::int64_t> running_{0};
  std::binary_semaphore all_stopped_{0};
};

}  // namespace

std::unique_ptr<Tasks> make_kernel_tasks(bool side_by_side) { return std::make_unique<KernelTasks>(side_by_side); }

}  // namespace heddle::emu
