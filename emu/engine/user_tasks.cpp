// SPDX-License-Identifier: Apache-2.0
#include <cxxabi.h>
#include <boost/context/fiber.hpp>
#include <boost/context/preallocated.hpp>
#include <boost/context/stack_context.hpp>

#include <array>
#include <cstdlib>
#include <exception>
#include <functional>
#include <new>
#include <utility>
#include <vector>

#include "emu/engine/fiber_annotations.hpp"
#include "emu/engine/stack_pool.hpp"
#include "emu/engine/tasks.hpp"

namespace heddle::emu {

namespace {

namespace ctx = boost::context;

/// The exceptions that a thread is handling, as the C++ ABI keeps them (Itanium C++ ABI: Exception Handling, §2.2.2). A task
/// may block in a handler, so each task has its own.
struct ExceptionState {
  void* caught = nullptr;
  unsigned uncaught = 0;
};

ExceptionState& exception_state() { return *reinterpret_cast<ExceptionState*>(abi::__cxa_get_globals()); }

/// The pool keeps the memory; a fiber that ends has nothing to free.
struct KeepStack {
  void deallocate(ctx::stack_context&) {}
};

class UserTasks;

/// Whose task runs on this thread; nullptr: nobody's.
constinit thread_local UserTasks* running_tasks = nullptr;

class UserTasks final : public Tasks {
 public:
  UserTasks(std::size_t stack_bytes, std::optional<std::size_t> most_guards)
      : stacks_(stack_bytes * kFrameGrowth, most_guards), stack_bytes_(stack_bytes) {
    watch_for_overflows();
  }

  ~UserTasks() override {
    for (Task& task : tasks_) drop(task);
  }

  TaskId create(std::function<void()> body, int rank) override {
    const TaskId id = new_id();
    tasks_[id].exceptions = {};
    tasks_[id].live_end = nullptr;
    ended_[id] = false;
    beginnings_[id] = {std::move(body), rank};
    return id;
  }

  void run(std::span<const TaskId> batch) override {
    const Around around;  // a task may run an emulation of its own
    const RunningTask*& running = running_task;
    running_tasks = this;
    slices_of_tasks += batch.size();
    for (std::size_t i = 0; i < batch.size(); ++i) {
      // Thousands of stacks fit neither the cache nor the TLB: fetch the live ends of those to come while this one runs.
      if (i + 2 * kAhead < batch.size()) prefetch_line(&tasks_[batch[i + 2 * kAhead]]);
      if (i + kAhead < batch.size()) prefetch_stack(tasks_[batch[i + kAhead]]);
      const TaskId id = batch[i];
      running_ = id;
      if (!tasks_[id].fiber) begin(id);
      ctx::fiber next = set_running(tasks_[id], running);
      next = resume(std::move(next), tasks_[id].stack);
      while (outside_ != nullptr) {
        running = around.running;
        running_tasks = around.tasks;
        (*std::exchange(outside_, nullptr))();
        running = shown_of(tasks_[id].stack);
        running_tasks = this;
        next = resume(std::move(next), tasks_[id].stack);
      }
      Task& task = tasks_[id];  // a task that ran may have started others: the tasks may lie elsewhere
      task.fiber = std::move(next);
      task.exceptions = exception_state();
      if (!StackPool::intact(task.stack)) overflow(task.stack);
      if (!task.fiber) give_back_stack(task);
    }
  }

  bool side_by_side() const override { return false; }

  void prefetch(TaskId id, int stage) const override {
    if (stage == 0)
      prefetch_line(&tasks_[id]);
    else
      prefetch_stack(tasks_[id]);
  }

  void block(TaskId self) override {
    tasks_[self].live_end = __builtin_frame_address(0);
    // A frame may be larger than what guards the stack.
    if (tasks_[self].live_end < tasks_[self].stack.bottom) overflow(tasks_[self].stack);
    const SwitchAway away(scheduler_stack_, &scheduler_stack_);
    scheduler_ = std::move(scheduler_).resume();
  }

  /// By the task that runs.
  void call_outside(const std::function<void()>& function) {
    std::exception_ptr thrown;
    const std::function<void()> caught = [&] {
      try {
        function();
      } catch (...) {
        thrown = std::current_exception();
      }
    };
    outside_ = &caught;
    block(running_);
    if (thrown) std::rethrow_exception(thrown);
  }

  void leave_behind(TaskId self) override {
    ended_[self] = true;
    tasks_[self].left_behind = true;
    block(self);
    std::abort();
  }

  bool has_ended(TaskId task) const override { return ended_[task]; }

  bool forgo(TaskId id) override {
    if (tasks_[id].fiber) return false;
    beginnings_[id] = {};
    ended_[id] = true;
    return true;
  }

  void release(TaskId id) override {
    drop(tasks_[id]);
    give_back_stack(tasks_[id]);
    free_ids_.push_back(id);
  }

 private:
  static constexpr std::size_t kAhead = 3;
  static constexpr std::size_t kFew = 16;

  struct alignas(64) Task {  // a cache line, not parts of two
    ctx::fiber fiber;
    StackPool::Stack stack;
    ExceptionState exceptions;
    void* live_end = nullptr;
    bool left_behind = false;  ///< it cannot be unwound
  };

  /// What a task is to do.
  struct Beginning {
    std::function<void()> body;
    int rank = -1;
  };

  /// What is the thread's own, before tasks run and after.
  struct Around {
    Around() = default;
    Around(const Around&) = delete;
    Around& operator=(const Around&) = delete;
    ~Around() {
      running_task = running;
      running_tasks = tasks;
      exception_state() = exceptions;
    }

    const RunningTask* running = running_task;
    UserTasks* tasks = running_tasks;
    ExceptionState exceptions = exception_state();
  };

  /// It gets a stack, which it has to its end: one that ends before others begin leaves it to them.
  void begin(TaskId id) {
    Task& task = tasks_[id];
    task.stack = stacks_.take();
    renew_stack(region_of(task.stack));
    void* const shown =
        new (shown_of(task.stack)) RunningTask{task.stack.bottom, task.stack.guard_bytes, stack_bytes_, beginnings_[id].rank};
    ctx::stack_context region;
    region.sp = shown;  // the stack begins below it
    region.size = region_of(task.stack).size - sizeof(RunningTask);
    task.fiber = ctx::fiber(std::allocator_arg, ctx::preallocated(region.sp, region.size, region), KeepStack{},
                            [this, id, body = std::exchange(beginnings_[id].body, nullptr)](ctx::fiber&& scheduler) {
                              scheduler_ = std::move(scheduler);
                              const OnStack here(scheduler_stack_);
                              body();
                              ended_[id] = true;
                              return std::move(scheduler_);
                            });
  }

  void give_back_stack(Task& task) {
    if (task.stack.top == nullptr) return;
    stacks_.give_back(std::exchange(task.stack, {}));
    task.live_end = nullptr;
  }

  /// What is the thread's own becomes the task's. Returns the task's fiber.
  static ctx::fiber set_running(Task& task, const RunningTask*& running) {
    exception_state() = task.exceptions;
    running = shown_of(task.stack);
    return std::move(task.fiber);
  }

  /// What a handler sees of a task, where its stack begins: it stays there when tasks_ grows.
  static RunningTask* shown_of(const StackPool::Stack& stack) { return reinterpret_cast<RunningTask*>(stack.top) - 1; }

  static ctx::fiber resume(ctx::fiber&& fiber, const StackPool::Stack& stack) {
    const SwitchAway away(region_of(stack));
    return std::move(fiber).resume();
  }

  /// One that has not ended is unwound, on its own stack.
  static void drop(Task& task) {
    if (!task.fiber) return;
    if (std::exchange(task.left_behind, false)) return forget(std::move(task.fiber));
    const SwitchAway away(region_of(task.stack));
    task.fiber = ctx::fiber();
  }

  /// A handle that is never destroyed unwinds nothing.
  static void forget(ctx::fiber&& fiber) {
    alignas(ctx::fiber) std::array<std::byte, sizeof(ctx::fiber)> grave;
    new (grave.data()) ctx::fiber(std::move(fiber));
  }

  static StackRegion region_of(const StackPool::Stack& stack) {
    return {stack.bottom, static_cast<std::size_t>(stack.top - stack.bottom)};
  }

  TaskId new_id() {
    if (!free_ids_.empty()) {
      const TaskId id = free_ids_.back();
      free_ids_.pop_back();
      return id;
    }
    if (tasks_.empty()) {  // most runs are small, and what grows by one at first is moved as often
      tasks_.reserve(kFew);
      beginnings_.reserve(kFew);
    }
    tasks_.emplace_back();
    beginnings_.emplace_back();
    ended_.push_back(false);
    return static_cast<TaskId>(tasks_.size() - 1);
  }

  static void prefetch_stack(const Task& task) {
    const char* end = static_cast<const char*>(task.live_end);
    if (!end) return;
    for (int line = -3; line < 23; ++line) prefetch_line(end + line * 64);
    if (!task.stack.guarded) prefetch_line(task.stack.bottom - 1);  // its canary
  }

  /// The memory below the stack is already overwritten: nothing can be saved, only said.
  [[noreturn]] static void overflow(const StackPool::Stack& stack) {
    say_overflow(*shown_of(stack));
    std::abort();
  }

  StackPool stacks_;
  const std::size_t stack_bytes_;
  std::vector<Task> tasks_;
  std::vector<Beginning> beginnings_;  ///< by task
  std::vector<bool> ended_;  ///< by task, apart from the rest: asked after each time slice, of those that did not run too
  std::vector<TaskId> free_ids_;
  TaskId running_ = 0;                              ///< while run() is in a task
  const std::function<void()>* outside_ = nullptr;  ///< what that has asked for
  ctx::fiber scheduler_;                            ///< of the task that runs: one at a time
  StackRegion scheduler_stack_;
};

}  // namespace

void call_outside(const std::function<void()>& function) {
  if (running_tasks != nullptr && running_task != nullptr)
    running_tasks->call_outside(function);
  else
    function();
}

std::unique_ptr<Tasks> make_user_tasks(std::size_t stack_bytes, std::optional<std::size_t> most_guards) {
  return std::make_unique<UserTasks>(stack_bytes, most_guards);
}

}  // namespace heddle::emu
