// SPDX-License-Identifier: Apache-2.0
#include "emu/checks/data/call_layout.hpp"

#include <numeric>

namespace heddle::emu {

CallLayout::CallLayout(Collective collective, int ranks, std::int64_t count, std::span<const std::int64_t> sizes, Rank root)
    : collective_(collective),
      ranks_(ranks),
      count_(count),
      root_(root),
      blocks_(sizes.empty() ? BlockPartition(count, ranks) : BlockPartition::of_sizes(sizes)) {
  if (collective != Collective::alltoall || sizes.empty()) return;
  twice_round_.push_back(0);
  for (int turn = 0; turn < 2; ++turn) {
    for (const std::int64_t size : sizes) twice_round_.push_back(twice_round_.back() + size);
  }
}

CallLayout CallLayout::skewed_alltoall(std::span<const std::int64_t> sizes) {
  const std::int64_t count = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
  CallLayout layout(Collective::alltoall, static_cast<int>(sizes.size()), count, {}, Rank(0));
  layout.blocks_ = BlockPartition::of_sizes(sizes);
  layout.skewed_ = true;
  return layout;
}

Extent CallLayout::input(Rank rank) const {
  switch (collective_) {
    case Collective::broadcast:
    case Collective::scatter:
      return rank == root_ ? whole() : Extent();
    case Collective::allgather:
    case Collective::gather:
      return own_block(rank);
    case Collective::barrier:
      return {};
    default:
      return whole();
  }
}

Extent CallLayout::output(Rank rank) const {
  switch (collective_) {
    case Collective::reduce:
    case Collective::gather:
      return rank == root_ ? whole() : Extent();
    case Collective::reduce_scatter:
    case Collective::scatter:
      return own_block(rank);
    case Collective::alltoall:
      return {0, received_offset(rank, ranks_)};
    case Collective::barrier:
      return {};
    default:
      return whole();
  }
}

BlockPartition CallLayout::received(Rank rank) const {
  if (!skewed_) return blocks(rank);
  return BlockPartition::of_sizes(std::vector<std::int64_t>(static_cast<std::size_t>(ranks_), blocks_.size(rank.value())));
}

BlockPartition CallLayout::blocks(Rank rank) const {
  if (twice_round_.empty()) return blocks_;
  std::vector<std::int64_t> sizes;
  sizes.reserve(static_cast<std::size_t>(ranks_));
  for (int b = 0; b < ranks_; ++b) sizes.push_back(size(rank, b));
  return BlockPartition::of_sizes(sizes);
}

std::int64_t CallLayout::offset(Rank rank, int b) const {
  if (twice_round_.empty()) return blocks_.offset(b);
  const auto first = static_cast<std::size_t>(rank.value());
  return twice_round_[first + static_cast<std::size_t>(b)] - twice_round_[first];
}

int CallLayout::block_at(Rank rank, std::int64_t i) const {
  int low = 0;
  int high = ranks_ - 1;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (received_offset(rank, middle + 1) > i)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

}  // namespace heddle::emu
