// SPDX-License-Identifier: Apache-2.0
// Communicators of ranks that share their memory: splits and branches.
#include <fmt/format.h>

#include <utility>

#include "core/errors.hpp"
#include "emu/in_memory/in_memory_runtime.hpp"

namespace heddle::emu {

void InMemoryRuntime::split(Task& task, const SplitCall& call) {
  {
    std::unique_lock lock(mutex_);
    task.part.reset();
    task.has_split = false;
    if (const auto whole = splits_.add(call, &task)) make_groups(*whole);
    while (!task.has_split && !is_over_) fall_asleep(task, lock);
  }
  goes_on(task);
}

void InMemoryRuntime::make_groups(const SplitCalls<Task*>::Gathered& call) {
  for (const std::vector<std::size_t>& indices : split_parts(call.calls)) {
    std::vector<int> members;
    for (const std::size_t i : indices) members.push_back(call.members[i]->rank);
    const std::shared_ptr<const Group> group = group_maker_.make(std::move(members));
    const std::uint32_t context = contexts_.take();
    for (std::size_t rank = 0; rank < indices.size(); ++rank)
      call.members[indices[rank]]->part.emplace(group, std::pair(static_cast<int>(rank), context));
  }
  for (Task* task : call.members) {
    task->has_split = true;
    wake(*task);
  }
}

std::uint32_t InMemoryRuntime::first_context(std::uint32_t parent, std::uint32_t call, int tasks, int rank) {
  const std::lock_guard lock(mutex_);
  const Contexts::Branches& branches = contexts_.branches(parent, call, tasks, rank);
  if (branches.tasks != tasks)
    throw UsageError(fmt::format("concurrently({}, …) where another rank called concurrently({}, …)", tasks, branches.tasks));
  return branches.first;
}

}  // namespace heddle::emu
