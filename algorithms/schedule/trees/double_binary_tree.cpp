// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/trees/double_binary_tree.hpp"

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

TwinTrees double_binary_trees(int ranks, int root) {
  const auto second = [ranks](int position) {
    if (ranks % 2 == 1) return ranks - position;
    return position == ranks - 1 ? 1 : position + 1;
  };
  return {binary_tree(ranks, [=](int position) { return (root + position) % ranks; }),
          binary_tree(ranks, [=](int position) { return position == 0 ? root : (root + second(position)) % ranks; })};
}

TwinTrees mirrored_binary_trees(int ranks) {
  return {binary_tree(ranks, [](int position) { return position; }), binary_tree(ranks, [ranks](int position) {
            return ranks % 2 == 0 ? ranks - 1 - position : (ranks - position) % ranks;
          })};
}

}  // namespace heddle::schedule
