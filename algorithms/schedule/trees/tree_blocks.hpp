// SPDX-License-Identifier: Apache-2.0
// Gather and scatter over any tree: a message carries the blocks of all ranks below an edge.
//
// The ranks of a subtree may be any set. A message holds their blocks in rank order, cut into as many pieces as the set has
// runs; nothing is copied. What a rank only passes on lies in scratch in the meantime, and nothing else does.
#pragma once

#include <utility>
#include <vector>

#include "algorithms/schedule/trees/tree.hpp"
#include "core/block_partition.hpp"

namespace heddle::schedule {

/// A tree and who is below each edge. Immutable; safe to share between threads.
struct BlockTree {
  explicit BlockTree(Tree shape) : tree(std::move(shape)), subtrees(tree.subtrees()) {}

  const RunSet& below(int rank) const { return subtrees[static_cast<std::size_t>(rank)]; }

  Tree tree;
  std::vector<RunSet> subtrees;
};

/// Of what another builder makes: with_subtrees<binomial_halving_tree>.
template <Tree (*make)(int ranks, int root)>
BlockTree with_subtrees(int ranks, int root) {
  return BlockTree(make(ranks, root));
}

/// Blocks. Everyone's `own` block comes to lie in `whole`, which is empty but at the root; there `own` may be its place in
/// `whole`. A message of no elements is not sent.
void tree_gather(Communicator& comm, const BlockTree& tree, ConstVectorView own, VectorView whole,
                 const BlockPartition& blocks);
/// The same backwards. A rank sends to the children of one step at once, step after step.
void tree_scatter(Communicator& comm, const BlockTree& tree, ConstVectorView whole, VectorView own,
                  const BlockPartition& blocks);

/// The same with a whole vector on every rank: blocks pass through it, so a rank then has those of its whole subtree.
void tree_gather(Communicator& comm, const BlockTree& tree, VectorView vector, const BlockPartition& blocks);
void tree_scatter(Communicator& comm, const BlockTree& tree, VectorView vector, const BlockPartition& blocks);

}  // namespace heddle::schedule
