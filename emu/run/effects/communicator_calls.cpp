// SPDX-License-Identifier: Apache-2.0
#include "emu/run/effects/communicator_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace heddle::emu {

void CommunicatorCalls::take(TaskId id, const BranchesEffect& effect) {
  TaskState& task = run_.tasks[id];
  const bool is_shared = effect.space == MessageSpace::shared;
  std::uint32_t first_context = effect.parent_context;
  if (!is_shared) {
    const Contexts::Branches& branches = contexts_.branches(effect.parent_context, effect.call, effect.tasks, task.rank);
    if (branches.tasks != effect.tasks) {
      return run_.failure.fail(CheckError::Kind::usage,
                               fmt::format("rank {} called concurrently({}, …) where rank {} called concurrently({}, …)",
                                           task.rank, effect.tasks, branches.by_rank, branches.tasks));
    }
    first_context = branches.first;
  }
  run_.tasks.waits_for_branches();
  task.children_left = static_cast<std::uint32_t>(effect.tasks);
  task.children_round = 0;
  task.children_contention_free = Time();
  const int family = task.family != 0 ? task.family : run_.ranks.tasks_made(task.rank);
  for (int i = 0; i < effect.tasks; ++i) {
    const std::uint32_t context = first_context + (is_shared ? 0 : static_cast<std::uint32_t>(i));
    const TaskId child =
        runner_.start(task.rank, effect.group, effect.rank, context,
                      [body = effect.body, i](MeasuredCommunicator& communicator) { (*body)(i, communicator); });
    TaskState& its = run_.tasks[child];
    its.parent = id;
    its.identity.parent = &task.identity;
    its.family = family;
    its.shares_messages = is_shared;
    its.watch = task.watch;
    its.names = task.names;
    its.round = task.round;
    its.depth = effect.depth + 1;
    run_.recorder.note_branch(task, its);
    its.path = task.path;
    its.contention_free = task.contention_free;
    its.counts_calls = task.counts_calls;
    its.calls = task.calls;
  }
}

void CommunicatorCalls::take(TaskId id, const SplitCall& effect) {
  if (const auto whole = splits_.add(effect, id)) make_groups(*whole);
}

void CommunicatorCalls::make_groups(const SplitCalls<TaskId>::Gathered& call) {
  for (const std::vector<std::size_t>& indices : split_parts(call.calls)) {
    std::vector<int> members;
    members.reserve(indices.size());
    for (const std::size_t i : indices) members.push_back(run_.tasks[call.members[i]].rank);
    const std::shared_ptr<const Group> group = groups_.make(std::move(members));
    const std::uint32_t context = contexts_.take();
    for (std::size_t rank = 0; rank < indices.size(); ++rank) {
      TaskState& task = run_.tasks[call.members[indices[rank]]];
      task.split_group = group;
      task.split_context = context;
      task.split_rank = static_cast<int>(rank);
    }
  }
  Time contention_free;
  for (const TaskId task : call.members) contention_free = std::max(contention_free, run_.tasks[task].contention_free);
  const CriticalPath path = run_.tasks[call.members.back()].path;
  for (const TaskId task : call.members) {
    run_.tasks[task].contention_free = contention_free;
    run_.wakes.wake(task, {.base = &path});
  }
}

}  // namespace heddle::emu
