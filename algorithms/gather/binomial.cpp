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
#include "algorithms/gather/gather.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/trees/tree_blocks.hpp"

namespace heddle::gather {

void binomial(Communicator& comm, ConstVectorView own, VectorView whole, const BlockPartition& blocks, Rank root) {
  const auto tree =
      schedule::tree_plan(comm, "binomial_halving", root, schedule::with_subtrees<schedule::binomial_halving_tree>);
  schedule::tree_gather(comm, *tree, own, whole, blocks);
}

namespace {

/// The longest run of blocks below an edge of the root: behind the farthest child, which the end of the ranks cuts off, or
/// behind the second.
std::int64_t binomial_bytes(const Shape& shape) {
  if (shape.ranks == 1) return 0;
  const int farthest = 1 << (formulas::ceil_log2(shape.ranks) - 1);
  return formulas::times(shape.bytes, std::max(shape.ranks - farthest, farthest / 2), shape.ranks);
}

}  // namespace

std::vector<Algorithm> binomial_rows() {
  return {{.collective = Collective::gather,
           .name = "binomial",
           .summary = "Runs of blocks flow together along a binomial tree, twice as long in each step.",
           .source = "[bine] §4.1 and Fig. 7",
           .needs = {},
           .rounds = formulas::whole_log2_rounds(),
           .bytes = {"max(p - 2^(k-1), 2^(k-2))/p · M, k = ⌈log2 p⌉; M/2 if p is a power of two", binomial_bytes},
           .granule = formulas::block_per_rank,
           .run = as_gather(binomial)}};
}

}  // namespace heddle::gather
