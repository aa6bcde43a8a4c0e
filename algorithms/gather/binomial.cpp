// SPDX-License-Identifier: Apache-2.0
// binomial: blocks flow together along a binomial tree, twice as many in each step.
//
// A rank takes in the blocks of its children, which with its own are a run of blocks, and sends the run to its parent. Ranks
// are counted from the root on, so a run may pass the end of the vector and is then two pieces. Distances double from step to
// step (the broadcast's tree binomial_halving, backwards), so most messages go to neighbours.
//
// Picture, p = 8, root 0: blocks sent.
//
//   step 2    1->0 b1      3->2 b3    5->4 b5       7->6 b7
//   step 1    2->0 b2 b3              6->4 b6 b7
//   step 0    4->0 b4 … b7
//
// Rounds:  ⌊log2 p⌋: the longest path of the tree.
// Bytes:   M/2 if p is a power of two, sent by the rank at distance p/2; in general max(p - 2^(k-1), 2^(k-2)) blocks,
//          k = ⌈log2 p⌉.
// Time:    log2 p · α + (p-1)/p · M·β for a power of two.
// Limits:  each block moves log2 p / 2 times on average.
// Source:  Bine trees (De Sensi et al.) §4.1 and Fig. 7.
#include "algorithms/gather/binomial.hpp"

#include "algorithms/schedule/tree_blocks.hpp"

namespace heddle::gather {

void binomial(Communicator& comm, ConstVectorView own, VectorView whole, const BlockPartition& blocks, Rank root) {
  const auto tree =
      schedule::tree_plan(comm, "binomial_halving", root, schedule::with_subtrees<schedule::binomial_halving_tree>);
  schedule::tree_gather(comm, *tree, own, whole, blocks);
}

}  // namespace heddle::gather
