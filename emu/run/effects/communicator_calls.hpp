// SPDX-License-Identifier: Apache-2.0
// Calls that make communicators: split(), and concurrently() with its tasks.
#pragma once

#include <functional>
#include <memory>

#include "emu/groups/contexts.hpp"
#include "emu/groups/group_maker.hpp"
#include "emu/groups/split_calls.hpp"
#include "emu/run/effects/task_runner.hpp"
#include "emu/run/state/run_state.hpp"

namespace heddle::emu {

/// On the engine's thread, or inside of its guard.
class CommunicatorCalls {
 public:
  /// All of them outlive it.
  CommunicatorCalls(RunState& run, GroupMaker& groups, TaskRunner& runner) : run_(run), groups_(groups), runner_(runner) {}

  // What a task has asked for takes effect.
  void take(TaskId task, const BranchesEffect& effect);
  void take(TaskId task, const SplitCall& effect);

  /// Calls of split() that some of their ranks have not made.
  const SplitCalls<TaskId>& splits() const { return splits_; }

 private:
  void make_groups(const SplitCalls<TaskId>::Gathered& call);

  RunState& run_;
  GroupMaker& groups_;
  TaskRunner& runner_;
  Contexts contexts_;
  SplitCalls<TaskId> splits_;
};

}  // namespace heddle::emu
