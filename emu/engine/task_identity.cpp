// SPDX-License-Identifier: Apache-2.0
#include "emu/engine/task_identity.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>

namespace heddle::emu {

constinit thread_local const TaskIdentity* calling_task = nullptr;

const TaskIdentity maker_of_plans = {.rank = -1};

namespace {

// What a handler can reach is global.
std::terminate_handler handler_before = nullptr;

[[noreturn]] void on_terminate() {
  if (calling_task != nullptr && calling_task->owner != nullptr) calling_task->owner->leave_behind(calling_task->id);
  if (handler_before != nullptr) handler_before();
  std::abort();
}

bool is_branch_of(const TaskIdentity& task, const TaskIdentity& ancestor) {
  for (const TaskIdentity* parent = task.parent; parent != nullptr; parent = parent->parent) {
    if (parent == &ancestor) return true;
  }
  return false;
}

std::string name_of(const TaskIdentity& task) {
  return task.number == 0 ? fmt::format("rank {}", task.rank) : fmt::format("rank {}, task {},", task.rank, task.number);
}

}  // namespace

void watch_for_terminate() {
  static const bool is_set = [] {
    handler_before = std::set_terminate(on_terminate);
    return true;
  }();
  static_cast<void>(is_set);
}

void sleep_for_ever() {
  while (true) pause();
}

std::string wrong_caller_text(const TaskIdentity& owner, const TaskIdentity* caller, const char* function) {
  if (caller == &maker_of_plans)
    return fmt::format(
        "{}() on the communicator of rank {} by the function that makes a shared plan; it uses no communicator, but "
        "computes the plan from what its key names",
        function, owner.rank);
  if (caller == nullptr)
    return fmt::format(
        "{}() on the communicator of rank {} by a thread that is no rank's; only the thread that a rank runs on may use its "
        "communicator: for work side by side there is concurrently()",
        function, owner.rank);
  if (is_branch_of(*caller, owner))
    return fmt::format(
        "{} called {}() on the communicator whose concurrently() it is a task of; a task uses the communicator that its own "
        "function is given",
        name_of(*caller), function);
  if (caller->rank == owner.rank)
    return fmt::format("{} called {}() on a communicator of another task of its rank (task {}); each task uses its own",
                       name_of(*caller), function, owner.number);
  return fmt::format("{} called {}() on the communicator of rank {}; each rank uses its own, which its function is given",
                     name_of(*caller), function, owner.rank);
}

}  // namespace heddle::emu
