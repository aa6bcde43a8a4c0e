// SPDX-License-Identifier: Apache-2.0
// binomial: blocks part along a binomial tree; in each step a rank hands on half of what it has.
//
// The root sends the farther half of the blocks to the rank at distance p/2 and goes on with the nearer half, as that rank
// does with its own, until each has one block. Ranks are counted from the root on, so a run of blocks may pass the end of the
// vector and is then two pieces. It is the gather of the same name backwards.
//
// Picture, p = 8, root 0: blocks sent.
//
//   step 0    0->4 b4 … b7
//   step 1    0->2 b2 b3              4->6 b6 b7
//   step 2    0->1 b1      2->3 b3    4->5 b5       6->7 b7
//
// Rounds:  ⌈log2 p⌉: the root sends that often.
// Bytes:   (p-1)/p · M, sent by the root.
// Time:    log2 p · α + (p-1)/p · M·β for a power of two.
// Limits:  each block moves log2 p / 2 times on average.
// Source:  Bine trees (De Sensi et al.) §4.2.
#include "algorithms/scatter/scatter.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/trees/tree_blocks.hpp"

namespace heddle::scatter {

void binomial(Communicator& comm, ConstVectorView whole, VectorView own, const BlockPartition& blocks, Rank root) {
  const auto tree =
      schedule::tree_plan(comm, "binomial_halving", root, schedule::with_subtrees<schedule::binomial_halving_tree>);
  schedule::tree_scatter(comm, *tree, whole, own, blocks);
}

std::vector<Algorithm> binomial_rows() {
  return {{.collective = Collective::scatter,
           .name = "binomial",
           .summary = "Runs of blocks part along a binomial tree, half as long in each step.",
           .source = "[bine] §4.2",
           .needs = {},
           .rounds = formulas::log2_rounds(),
           .bytes = formulas::other_blocks_once(),
           .granule = formulas::block_per_rank,
           .run = as_scatter(binomial)}};
}

}  // namespace heddle::scatter
