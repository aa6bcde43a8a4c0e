// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/double_binary_tree.hpp"

#include <vector>

namespace heddle::schedule {

namespace {

/// `rank_at(position)` is one to one.
template <class RankAt>
Tree binary_tree(int ranks, const RankAt& rank_at) {
  std::vector<Tree::Edge> edges(static_cast<std::size_t>(ranks));
  for (int position = 1; position < ranks; ++position) {
    const int parent = binary_tree_parent(position, ranks);
    int depth = 0;
    for (int above = parent; above > 0; above = binary_tree_parent(above, ranks)) ++depth;
    edges[static_cast<std::size_t>(rank_at(position))] = {rank_at(parent), depth};
  }
  return {ranks, rank_at(0), [&](int rank) { return edges[static_cast<std::size_t>(rank)]; }};
}

}  // namespace

int binary_tree_parent(int position, int positions) {
  const int bit = position & -position;
  const int cleared = position ^ bit;
  const int above = cleared | (bit << 1);
  return above < positions ? above : cleared;
}

Tree double_binary_tree(Twin twin, int ranks, int root) {
  return binary_tree(ranks, [=](int position) {
    if (twin == Twin::first || position == 0) return (root + position) % ranks;
    if (ranks % 2 == 1) return (root + ranks - position) % ranks;
    return (root + (position == ranks - 1 ? 1 : position + 1)) % ranks;
  });
}

Tree mirrored_binary_tree(Twin twin, int ranks) {
  return binary_tree(ranks, [=](int position) {
    if (twin == Twin::first) return position;
    return ranks % 2 == 0 ? ranks - 1 - position : (ranks - position) % ranks;
  });
}

}  // namespace heddle::schedule
