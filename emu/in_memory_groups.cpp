// SPDX-License-Identifier: Apache-2.0
// Communicators of ranks that share their memory: splits, branches, and the plans that all ranks share.
#include <fmt/format.h>

#include <algorithm>

#include "emu/in_memory_runtime.hpp"
#include "emu/split_parts.hpp"

namespace heddle::emu {

void InMemoryRuntime::describe_place(Group& group) const {
  Placement endpoints;
  for (const int rank : group.members) endpoints.push_back(placement_[static_cast<std::size_t>(rank)]);
  group.grid = grid_under(endpoints, fabric_.topology());
  group.tiers = tiers_of(endpoints, fabric_.topology());
  if (endpoints.size() > 1) group.message_cost = heddle::message_cost(fabric_, endpoints[0], endpoints[1]);
}

void InMemoryRuntime::split(Strand& strand, const SplitPost& post) {
  {
    std::unique_lock lock(mutex_);
    strand.part.reset();
    strand.has_split = false;
    const auto place = splits_.try_emplace({post.parent_context, post.call}).first;
    place->second.posts.push_back(post);
    place->second.strands.push_back(&strand);
    if (place->second.posts.size() == post.group->members.size()) {
      make_groups(place->second);
      splits_.erase(place);
    }
    while (!strand.has_split && !is_over_) fall_asleep(strand, lock);
  }
  require_running(strand);
}

void InMemoryRuntime::make_groups(SplitCall& call) {
  for (const std::vector<std::size_t>& indices : split_parts(call.posts)) {
    auto group = std::make_shared<Group>();
    group->id = groups_++;
    for (const std::size_t i : indices) group->members.push_back(call.strands[i]->rank);
    describe_place(*group);
    const std::uint32_t context = contexts_++;
    for (std::size_t rank = 0; rank < indices.size(); ++rank)
      call.strands[indices[rank]]->part.emplace(group, std::pair(static_cast<int>(rank), context));
  }
  for (Strand* strand : call.strands) {
    strand->has_split = true;
    wake(*strand);
  }
}

std::uint32_t InMemoryRuntime::first_context(std::uint32_t parent, std::uint32_t call, int strands) {
  const std::lock_guard lock(mutex_);
  const auto [place, is_new] = branch_contexts_.try_emplace({parent, call}, contexts_, strands);
  if (is_new) contexts_ += static_cast<std::uint32_t>(strands);
  if (place->second.second != strands)
    throw UsageError(
        fmt::format("concurrently({}, …) where another rank called concurrently({}, …)", strands, place->second.second));
  return place->second.first;
}

std::shared_ptr<const void> InMemoryRuntime::shared_plan(const std::string& key,
                                                         const std::function<std::shared_ptr<const void>()>& make) {
  const std::lock_guard lock(plans_mutex_);
  std::shared_ptr<const void>& plan = plans_[key];
  if (!plan) plan = make();
  return plan;
}

}  // namespace heddle::emu
