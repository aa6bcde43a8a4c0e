// SPDX-License-Identifier: Apache-2.0
// circulant: blocks from the root on skips that double up to p; the circulant gather backwards.
//
// A rank gets the blocks of its whole branch of the tree and passes on those of its children, skip by skip.
//
// Picture, p = 7, root 0: blocks sent.
//
//   skip 1    0->6 b2 b4 b6
//   skip 2    0->5 b1 b5       6->4 b4
//   skip 4    0->3 b3          6->2 b2    5->1 b1
//
// Rounds:  ⌈log2 p⌉: the root sends that often.
// Bytes:   (p-1)/p · M, sent by the root: every block but its own.
// Time:    ⌈log2 p⌉ · α + (p-1)/p · M·β.
// Limits:  each block moves log2 p / 2 times on average.
// Source:  Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms, §4.
#include "algorithms/scatter/scatter.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/circulant_row.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/skips/circulant_tree.hpp"
#include "algorithms/schedule/trees/tree_blocks.hpp"

namespace heddle::scatter {

void circulant(Communicator& comm, ConstVectorView whole, VectorView own, const BlockPartition& blocks, Rank root) {
  const auto tree = schedule::tree_plan(comm, "circulant", root, schedule::with_subtrees<schedule::circulant_tree>);
  schedule::tree_scatter(comm, *tree, whole, own, blocks);
}

std::vector<Algorithm> circulant_rows() {
  return {{.collective = Collective::scatter,
           .name = "circulant",
           .summary = "The root's blocks part along the tree of the circulant broadcast.",
           .source = "[traeff] §4",
           .needs = {},
           .rounds = formulas::log2_rounds(),
           .bytes = formulas::other_blocks_once(),
           .granule = formulas::block_per_rank,
           .run = as_scatter(circulant)}};
}

}  // namespace heddle::scatter
