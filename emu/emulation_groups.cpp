// SPDX-License-Identifier: Apache-2.0
// What a rank asks for besides messages: strands of its own, groups of ranks, time to work.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "emu/emulated_communicator.hpp"
#include "emu/emulation.hpp"
#include "emu/latest_time.hpp"
#include "emu/split_parts.hpp"

namespace heddle::emu {

void Emulation::effect(StrandId id, ConcurrentlyPost& post) {
  const auto [place, is_new] = concurrent_calls_.try_emplace({post.parent_context, post.call},
                                                             ConcurrentCall{contexts_, post.strands, strands_[id].rank});
  const ConcurrentCall& call = place->second;
  if (is_new) contexts_ += static_cast<std::uint32_t>(post.strands);
  if (call.strands != post.strands) {
    return fail(CheckError::Kind::usage,
                fmt::format("rank {} called concurrently({}, …) where rank {} called concurrently({}, …)", strands_[id].rank,
                            post.strands, call.by_rank, call.strands));
  }
  --acting_strands_;
  strands_[id].children_left = static_cast<std::uint32_t>(post.strands);
  strands_[id].children_round = 0;
  strands_[id].children_contention_free = Time();
  const int family =
      strands_[id].family != 0 ? strands_[id].family : ranks_[static_cast<std::size_t>(strands_[id].rank)].strands_made;
  for (int i = 0; i < post.strands; ++i) {
    const StrandId child =
        start_strand(strands_[id].rank, post.group, post.rank, call.first_context + static_cast<std::uint32_t>(i),
                     [body = post.body, i](Communicator& communicator) { (*body)(i, communicator); });
    strands_[child].parent = id;
    strands_[child].family = family;
    strands_[child].round = strands_[id].round;
    strands_[child].path = strands_[id].path;
    strands_[child].contention_free = strands_[id].contention_free;
    strands_[child].counts_calls = strands_[id].counts_calls;
    strands_[child].calls = strands_[id].calls;
  }
}

void Emulation::effect(StrandId id, SplitPost& post) {
  SplitCall& call = splits_[{post.parent_context, post.call}];
  call.posts.push_back(post);
  call.strands.push_back(id);
  if (call.posts.size() == post.group->members.size()) make_groups(post, post.parent_context);
}

/// Where its members are on the fabric.
void Emulation::describe_place(Group& group) const {
  Placement endpoints;
  endpoints.reserve(group.members.size());
  for (const int rank : group.members) endpoints.push_back(placement_[static_cast<std::size_t>(rank)]);
  group.grid = grid_under(endpoints, fabric_.topology());
  group.tiers = tiers_of(endpoints, fabric_.topology());
  if (switch_graph_)
    group.in_network = std::make_shared<InNetworkDomain>(fabric_, endpoints, switch_graph_, settings_.faults.switches);
  if (endpoints.size() < 2) return;
  group.message_cost = message_cost(fabric_, endpoints[0], endpoints[1]);
  group.message_cost.seconds_per_byte *= settings_.payload_scale;
}

void Emulation::make_groups(const SplitPost& last, std::uint32_t context) {
  const auto place = splits_.find({context, last.call});
  const SplitCall call = std::move(place->second);
  splits_.erase(place);

  for (const std::vector<std::size_t>& indices : split_parts(call.posts)) {
    auto group = std::make_shared<Group>();
    group->id = groups_++;
    for (const std::size_t i : indices) group->members.push_back(strands_[call.strands[i]].rank);
    describe_place(*group);
    const std::uint32_t made = contexts_++;
    for (std::size_t rank = 0; rank < indices.size(); ++rank) {
      StrandState& strand = strands_[call.strands[indices[rank]]];
      strand.split_group = group;
      strand.split_context = made;
      strand.split_rank = static_cast<int>(rank);
    }
  }
  Time contention_free;
  for (const StrandId strand : call.strands) contention_free = std::max(contention_free, strands_[strand].contention_free);
  const CriticalPath path = strands_[call.strands.back()].path;
  for (const StrandId strand : call.strands) {
    strands_[strand].contention_free = contention_free;
    wake(strand, {.base = &path});
  }
}

void Emulation::fall_behind(StrandId id) {
  // A part of what is left of the clock, so that it can be done again and again.
  work(id, Time::ps((kLatestTime - engine_->now()).ps() / 4), WorkPost::Kind::idle);
}

void Emulation::effect(StrandId id, WorkPost& post) {
  StrandState& strand = strands_[id];
  RankState& rank = ranks_[static_cast<std::size_t>(strand.rank)];
  Time& busy = rank.busy_until;
  const Time start = std::max(engine_->now(), busy);
  if (post.kind != WorkPost::Kind::idle) post.duration = slowed(strand.rank, post.duration);
  if (post.duration > kLatestTime - start)
    throw InputError("the run would take over 46 days of emulated time: lower gamma or work on less");
  busy = start + post.duration;
  rank.contention_free_busy_until = std::max(strand.contention_free, rank.contention_free_busy_until) + post.duration;
  strand.contention_free = rank.contention_free_busy_until;
  PathParts& parts = strand.path.parts;
  parts.waiting += start - engine_->now();
  (post.kind == WorkPost::Kind::local_work ? parts.local_work
   : post.kind == WorkPost::Kind::overhead ? parts.startup
                                           : parts.waiting) += post.duration;
  ring_at(busy, Ring::wake, id);
}

}  // namespace heddle::emu
