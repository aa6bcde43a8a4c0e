// SPDX-License-Identifier: Apache-2.0
// Who makes a call: which task runs on this thread. A communicator belongs to one task; a call on it by anybody else is a
// mistake of the program, and named as such.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace heddle::emu {

/// The run that a task belongs to.
class TaskOwner {
 public:
  /// On the task's own thread, from std::terminate: of a run that is being given up, where nothing can unwind the task any
  /// further (a destructor that waits, a std::thread that nobody has joined). Does not return then, and what the task has on its
  /// stack stays there; returns if this is the program's own end.
  virtual void leave_behind(std::uint32_t task) = 0;

 protected:
  ~TaskOwner() = default;
};

/// A task as calls on communicators know it: by its address. It stays where it is, and as it is, as long as the task lives.
struct TaskIdentity {
  int rank = 0;                          ///< of the run
  int number = 0;                        ///< among its rank's tasks; 0: the rank itself
  const TaskIdentity* parent = nullptr;  ///< whose concurrently() it is a branch of
  TaskOwner* owner = nullptr;
  std::uint32_t id = 0;  ///< by which its owner knows it
};

/// Whose task's own code runs on the calling thread; nullptr: nobody's.
extern constinit thread_local const TaskIdentity* calling_task;

/// In place of a task: what makes a plan for all ranks (Communicator::shared_plan), which uses no communicator.
extern const TaskIdentity maker_of_plans;

/// While it lives, the code of this task runs here.
class CallingTaskScope {
 public:
  explicit CallingTaskScope(const TaskIdentity* task) : before_(std::exchange(calling_task, task)) {}
  CallingTaskScope(const CallingTaskScope&) = delete;
  CallingTaskScope& operator=(const CallingTaskScope&) = delete;
  ~CallingTaskScope() { calling_task = before_; }

 private:
  const TaskIdentity* before_;
};

/// From now on std::terminate asks the calling task's owner before it does what it did before.
void watch_for_terminate();

/// Of a thread whose task has been left behind.
[[noreturn]] void sleep_for_ever();

/// What is wrong with a call of `function` on the communicator of `owner` by `caller` (nullptr: a thread of no rank): which
/// ranks, and what would be right.
std::string wrong_caller_text(const TaskIdentity& owner, const TaskIdentity* caller, const char* function);

}  // namespace heddle::emu
