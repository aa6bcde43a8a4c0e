// SPDX-License-Identifier: Apache-2.0
// Tasks: the threads of the loom. A task is a rank's thread, or one branch of it; here is how tasks run and stop, not
// when.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "heddle/units.hpp"

namespace heddle::emu {

/// Index of a live task; the number of one that has ended and was released is used again.
using TaskId = std::uint32_t;

/// Runs tasks between their blocking points. One thread, the scheduler's, calls everything but block().
class Tasks {
 public:
  virtual ~Tasks() = default;

  /// A task that has not begun. `body` must not throw. Where the system has no more threads or memory, this throws InputError, or run()
  /// does for the task that it begins.
  /// `rank` is named if it runs over the end of its stack.
  virtual TaskId create(std::function<void()> body, int rank) = 0;
  /// One of no rank.
  TaskId create(std::function<void()> body) { return create(std::move(body), -1); }

  /// Lets each of these run to its next block() or its end, one after another (user-level) or side by side (kernel threads).
  /// Returns when all have, of none at once.
  virtual void run(std::span<const TaskId> batch) = 0;

  /// Whether run() lets the tasks of a batch run side by side.
  virtual bool side_by_side() const = 0;
  /// It runs soon: fetches into the cache what that will need first. Stage 0, then 1, which goes on from what stage 0 has
  /// fetched.
  virtual void prefetch(TaskId /*task*/, int /*stage*/) const {}

  /// Called by task `self` in its own body: stops it until the scheduler runs it again.
  virtual void block(TaskId self) = 0;

  /// Called by task `self` in its own body: it has ended, though nothing has unwound its stack, and nothing will.
  [[noreturn]] virtual void leave_behind(TaskId self) = 0;

  virtual bool has_ended(TaskId task) const = 0;
  /// True: it has not begun, and has ended without, which takes no memory. False: it is to be run.
  virtual bool forgo(TaskId /*task*/) { return false; }
  /// Gives the number and the stack of an ended task back.
  virtual void release(TaskId task) = 0;
};

/// On Boost.Context fibers: about 10 ns a switch. `stack_bytes` each, committed as touched; `most_guards` as for StackPool.
std::unique_ptr<Tasks> make_user_tasks(std::size_t stack_bytes, std::optional<std::size_t> most_guards = {});

/// On a kernel thread each, which may block, use thread-locals and run under ThreadSanitizer. `stack_bytes` each, 8 MiB at least.
std::unique_ptr<Tasks> make_kernel_tasks(bool side_by_side = true, std::size_t stack_bytes = 0);

/// Fetches the cache line at this address; any address, and nullptr, will do.
inline void prefetch_line(const void* address) {
  __builtin_prefetch(address);
  // g++ takes a function that does nothing but prefetch for one without effects, and drops calls of it. This, which is no
  // instruction, is an effect.
  asm volatile("");
}

/// All lines of an object of this size.
inline void prefetch(const void* object, std::size_t bytes) {
  for (std::size_t line = 0; line < bytes; line += 64) prefetch_line(static_cast<const std::byte*>(object) + line);
}

/// Calls it for the task that runs here, on the stack of the thread: a task's own is small. For code that needs more than a C++ function
/// does, or compares where its stack is with the thread's, as interpreters do. It must not block the task. Rethrows what it throws. Where no
/// task runs, or one that has the thread's stack, a plain call.
void call_outside(const std::function<void()>& function);

// Which task runs on this thread, on a stack of heddle's own: what a signal handler may ask.

/// Stays as it is while the task has its stack.
struct RunningTask {
  const std::byte* bottom;  ///< its stack's last usable address
  std::size_t guard_bytes;  ///< below that; 0: none
  std::size_t stack_bytes;  ///< as asked for
  int rank;                 ///< whose task it is; -1: nobody's
  bool is_on_fiber = true;  ///< else on a thread of its own
};

// The calling thread's. Handlers can reach nothing but what is global or the thread's.

/// nullptr: no task runs.
extern constinit thread_local const RunningTask* running_task;
/// That tasks have had, of an engine on this thread.
extern constinit thread_local std::uint64_t slices_of_tasks;
/// Whether an engine on this thread waits until tasks on threads of their own have had their turns.
extern constinit thread_local bool waits_for_tasks;
/// Of the engine that runs on this thread; nullptr: none does, or its time is real.
extern constinit thread_local const Time* emulated_time;

}  // namespace heddle::emu
