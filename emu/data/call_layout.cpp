// SPDX-License-Identifier: Apache-2.0
#include "emu/data/call_layout.hpp"

#include <utility>
#include <vector>

namespace heddle::emu {

CallLayout::CallLayout(Collective collective, int ranks, std::int64_t count, std::span<const std::int64_t> sizes, Rank root)
    : collective_(collective),
      ranks_(ranks),
      count_(count),
      root_(root),
      blocks_(sizes.empty() ? BlockPartition(count, ranks) : BlockPartition::of_sizes(sizes)) {
  if (collective == Collective::alltoall && !sizes.empty()) sends_ = CountMatrix::by_sum(sizes);
}

CallLayout CallLayout::alltoall(CountMatrix sends) {
  CallLayout layout(Collective::alltoall, sends.ranks(), sends.most_sent(), {}, Rank(0));
  layout.sends_ = std::move(sends);
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
    case Collective::alltoall:
      return {0, offset(rank, ranks_)};
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

namespace {

/// Blocks of size(b) elements, b = 0 … ranks - 1.
template <class Size>
BlockPartition partition_of(int ranks, Size size) {
  std::vector<std::int64_t> sizes;
  sizes.reserve(static_cast<std::size_t>(ranks));
  for (int b = 0; b < ranks; ++b) sizes.push_back(size(b));
  return BlockPartition::of_sizes(sizes);
}

}  // namespace

BlockPartition CallLayout::received(Rank rank) const {
  if (sends_.empty()) return blocks_;
  return partition_of(ranks_, [&](int source) { return received_size(rank, source); });
}

BlockPartition CallLayout::blocks(Rank rank) const {
  if (sends_.empty()) return blocks_;
  return partition_of(ranks_, [&](int dest) { return size(rank, dest); });
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
