// SPDX-License-Identifier: Apache-2.0
// bine: blocks flow together along a Bine tree of distance halving, twice as many in each step.
//
// A rank takes in the blocks of its children and sends them with its own to its parent: a run of blocks round the circle of
// ranks, which grows by its own length in each step, to the two sides in turn. Even ranks grow upwards first, odd ones
// downwards. A run that passes the end of the vector is two pieces of one message.
//
// Picture, p = 8, root 0: the blocks that a rank holds. Distances: 1, 1, 3.
//
//               0          3          7        4
//   start       0          3          7        4
//   step 2      0 1        2 3        6 7      4 5      1->0 2->3 6->7 5->4
//   step 1  6 7 0 1        2 3 4 5                      7->0 4->3
//   step 0  6 7 0 1 2 3 4 5                             3->0
//
// The tree's steps as the paper writes them: broadcast/bine.cpp, backwards.
//
// Even p that are no power of two: runs may have gaps, and messages some more pieces.
//
// Rounds:  ⌊log2 p⌋ or one more: the longest path of the tree.
// Bytes:   M/2 at even p, sent by the root's first child; at odd p a little more or less.
// Time:    log2 p · α + (p-1)/p · M·β for a power of two.
// Limits:  each block moves log2 p / 2 times on average.
// Source:  Bine (De Sensi et al.) §4.1 and Fig. 7; App. C (other p).
#include "algorithms/gather/gather.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/rows/tree_formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/bine/bine_tree.hpp"
#include "algorithms/schedule/trees/tree_blocks.hpp"

namespace heddle::gather {

void bine(Communicator& comm, ConstVectorView own, VectorView whole, const BlockPartition& blocks, Rank root) {
  const auto tree = comm.shared_plan<schedule::BlockTree>("bine_halving, root " + std::to_string(root.value()), [&] {
    return schedule::BlockTree(schedule::bine_tree(comm.size(), root.value(), schedule::Distances::halving));
  });
  schedule::tree_gather(comm, *tree, own, whole, blocks);
}

namespace {

schedule::Tree bine_tree(const Shape& shape) { return schedule::bine_tree(shape.ranks, 0, schedule::Distances::halving); }

/// The most blocks below an edge.
std::int64_t bine_bytes(const Shape& shape) {
  const std::vector<schedule::RunSet> subtrees = bine_tree(shape).subtrees();
  std::int64_t most = 0;
  for (std::size_t rank = 1; rank < subtrees.size(); ++rank) most = std::max(most, schedule::count(subtrees[rank]));
  return formulas::times(shape.bytes, most, shape.ranks);
}

}  // namespace

std::vector<Algorithm> bine_rows() {
  return {{.collective = Collective::gather,
           .name = "bine",
           .summary = "Runs of blocks round the circle flow together along a Bine tree, twice as long in each step.",
           .source = "[bine] §4.1 and Fig. 7, App. C",
           .needs = {},
           .rounds = formulas::bine_tree_rounds(schedule::Distances::halving),
           .bytes = {"M/2; at odd p as many blocks as lie below the first child", bine_bytes},
           .granule = formulas::block_per_rank,
           .run = as_gather(bine)}};
}

}  // namespace heddle::gather
