// SPDX-License-Identifier: Apache-2.0
#include "mpi/objects/membership.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace heddle::mpi {

void meet(CommunicatorObject& on) { static_cast<void>(on.messages->split(-1, 0)); }

CommunicatorPtr derived(const CommunicatorObject& from, std::shared_ptr<Communicator> messages) {
  auto made = std::make_shared<CommunicatorObject>();
  made->messages = std::move(messages);
  made->error_handler = from.error_handler;
  return made;
}

void set_members(const Process& process, CommunicatorObject& made, const Membership& members, bool local_is_first) {
  made.id = members.id;
  made.local = local_is_first ? members.first : members.last;
  made.rank = made.local.rank_of(process.rank());
  made.local_is_first = local_is_first;
  const Group& remote = local_is_first ? members.last : members.first;
  if (remote.size() > 0) made.remote = remote;
}

namespace {

/// By color.
using MembersByColor = std::map<int, Membership>;

/// Of each rank: color, key, rank of the world, and whether it is of the group that stands first in `messages`.
MembersByColor parts_of(const World::Values& told, World& world) {
  struct Member {
    int key, world_rank;
  };
  struct Lists {
    std::vector<Member> first, last;
  };
  std::map<int, Lists> lists;
  for (const std::vector<int>& value : told) {
    if (value[0] < 0) continue;
    Lists& of_color = lists[value[0]];
    (value[3] != 0 ? of_color.first : of_color.last).push_back({value[1], value[2]});
  }
  const auto group = [](std::vector<Member>& members) {
    std::ranges::stable_sort(members, {}, &Member::key);
    std::vector<int> ranks;
    ranks.reserve(members.size());
    for (const Member& member : members) ranks.push_back(member.world_rank);
    return Group(std::move(ranks));
  };
  MembersByColor parts;
  for (auto& [color, of_color] : lists)
    parts.emplace(color, Membership{world.new_id(), group(of_color.first), group(of_color.last)});
  return parts;
}

}  // namespace

CommunicatorPtr split(Process& process, CommunicatorObject& on, int color, int key) {
  const bool in_first = !on.is_intercommunicator() || on.local_is_first;
  const auto parts = tell_all<MembersByColor>(process, on, {color, key, process.rank(), in_first ? 1 : 0},
                                              [&](const World::Values& told) { return parts_of(told, process.world()); });
  const auto part = parts->find(color);
  const bool is_void =
      part == parts->end() || (on.is_intercommunicator() && (part->second.first.size() == 0 || part->second.last.size() == 0));
  if (is_void) return static_cast<void>(on.messages->split(-1, 0)), nullptr;
  const Membership& members = part->second;
  const int place =
      in_first ? members.first.rank_of(process.rank()) : members.first.size() + members.last.rank_of(process.rank());
  CommunicatorPtr made = derived(on, on.messages->split(color, place));
  set_members(process, *made, members, in_first);
  return made;
}

}  // namespace heddle::mpi
