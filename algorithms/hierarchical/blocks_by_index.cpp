// SPDX-License-Identifier: Apache-2.0
#include "algorithms/hierarchical/blocks_by_index.hpp"

#include <fmt/core.h>

#include <utility>

namespace heddle {

using schedule::BlocksByIndex;

IndexLayout::IndexLayout(Communicator& comm, const HierarchicalPhases& phases,
                         std::shared_ptr<const schedule::Hierarchy> hierarchy, const BlockPartition& blocks)
    : hierarchy_(std::move(hierarchy)),
      plan_(comm.shared_plan<BlocksByIndex>(fmt::format("hierarchical/{}", phases.most_levels()),
                                            [this] { return BlocksByIndex(*hierarchy_); })),
      place_of_(plan_->order.size()) {
  std::int64_t end = 0;
  offset_.reserve(plan_->order.size() + 1);
  for (std::size_t place = 0; place < plan_->order.size(); ++place) {
    place_of_[static_cast<std::size_t>(plan_->order[place])] = static_cast<int>(place);
    offset_.push_back(end);
    end += blocks.size(plan_->order[place]);
  }
  offset_.push_back(end);
}

std::vector<int> IndexLayout::surplus_ranks(int rank) const {
  std::vector<int> surplus_ranks;
  // A holder's blocks are next to each other.
  const int own = place_of_[static_cast<std::size_t>(rank)];
  const auto is_held = [&](int place) {
    return place >= 0 && place < hierarchy_->ranks() && holder(plan_->order[static_cast<std::size_t>(place)]) == rank;
  };
  int first = own;
  while (is_held(first - 1)) --first;
  for (int place = first; is_held(place); ++place) {
    if (place != own) surplus_ranks.push_back(plan_->order[static_cast<std::size_t>(place)]);
  }
  return surplus_ranks;
}

std::vector<IndexLayout::Shared> IndexLayout::shared(VectorView laid_out, int rank) const {
  std::vector<Shared> shared;
  BlocksByIndex::Range range{0, hierarchy_->ranks()};
  const auto elements = [this](BlocksByIndex::Range part) {
    return offset_[static_cast<std::size_t>(part.end)] - offset_[static_cast<std::size_t>(part.first)];
  };
  for (int level = 0; level < hierarchy_->levels() && hierarchy_->by_index(level, rank).color >= 0; ++level) {
    const std::vector<BlocksByIndex::Range> parts = plan_->parts(*hierarchy_, level, rank, range);
    std::vector<std::int64_t> sizes;
    for (const BlocksByIndex::Range& part : parts) sizes.push_back(elements(part));
    const auto first = static_cast<std::size_t>(range.first);
    shared.push_back({laid_out.slice(offset_[first], elements(range)), BlockPartition::of_sizes(sizes)});
    range = parts[static_cast<std::size_t>(hierarchy_->position(level, rank))];
  }
  return shared;
}

}  // namespace heddle
