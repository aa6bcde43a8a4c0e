// SPDX-License-Identifier: Apache-2.0
#include "mpi/objects/group.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "mpi/image/table.hpp"

namespace heddle::mpi {

Group::Group(std::vector<int> members) {
  std::vector<int> order(members.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](int rank) { return members[static_cast<std::size_t>(rank)]; });
  members_ = std::make_shared<const std::vector<int>>(std::move(members));
  by_world_rank_ = std::make_shared<const std::vector<int>>(std::move(order));
}

int Group::rank_of(int world_rank) const {
  // In a group in the world's order a rank is often where it would be in the world.
  if (world_rank >= 0 && world_rank < size() && this->world_rank(world_rank) == world_rank) return world_rank;
  const auto place =
      std::ranges::lower_bound(*by_world_rank_, world_rank, {}, [this](int rank) { return this->world_rank(rank); });
  return place != by_world_rank_->end() && this->world_rank(*place) == world_rank ? *place : MPI_UNDEFINED;
}

Group Group::including(std::span<const int> ranks) const {
  std::vector<int> members;
  members.reserve(ranks.size());
  for (const int rank : ranks) members.push_back(world_rank(rank));
  return Group(std::move(members));
}

Group Group::excluding(std::span<const int> ranks) const {
  std::vector<bool> is_left_out(members_->size());
  for (const int rank : ranks) is_left_out[static_cast<std::size_t>(rank)] = true;
  std::vector<int> members;
  for (std::size_t rank = 0; rank < members_->size(); ++rank) {
    if (!is_left_out[rank]) members.push_back((*members_)[rank]);
  }
  return Group(std::move(members));
}

int Group::compare(const Group& a, const Group& b) {
  if (a.members_ == b.members_ || *a.members_ == *b.members_) return MPI_IDENT;
  if (a.size() != b.size()) return MPI_UNEQUAL;
  const bool has_all = std::ranges::all_of(*a.members_, [&](int member) { return b.rank_of(member) != MPI_UNDEFINED; });
  return has_all ? MPI_SIMILAR : MPI_UNEQUAL;
}

Group Group::unite(const Group& a, const Group& b) {
  std::vector<int> members = *a.members_;
  for (const int member : *b.members_) {
    if (a.rank_of(member) == MPI_UNDEFINED) members.push_back(member);
  }
  return Group(std::move(members));
}

Group Group::intersect(const Group& a, const Group& b) {
  std::vector<int> members;
  for (const int member : *a.members_) {
    if (b.rank_of(member) != MPI_UNDEFINED) members.push_back(member);
  }
  return Group(std::move(members));
}

Group Group::subtract(const Group& a, const Group& b) {
  std::vector<int> members;
  for (const int member : *a.members_) {
    if (b.rank_of(member) == MPI_UNDEFINED) members.push_back(member);
  }
  return Group(std::move(members));
}

std::vector<int> ranks_of_ranges(std::span<const int[3]> ranges) {
  std::vector<int> ranks;
  for (const auto& [first, last, stride] : ranges) {
    for (long rank = first; stride > 0 ? rank <= last : stride < 0 && rank >= last; rank += stride)
      ranks.push_back(static_cast<int>(rank));
  }
  return ranks;
}

}  // namespace heddle::mpi
