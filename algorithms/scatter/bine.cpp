// SPDX-License-Identifier: Apache-2.0
// bine: blocks part along a Bine tree of distance halving; in each step a rank hands on half of what it has.
//
// It is the gather of the same name backwards (gather/bine.cpp). A rank has a run of blocks round the circle of ranks and
// hands on its upper or its lower half, the two sides in turn. A run that passes the end of the vector is two pieces of one
// message.
//
// Picture, p = 8, root 0: the blocks that a rank holds. Distances: 3, 1, 1.
//
//               0                  3          7        4
//   step 0  6 7 0 1            2 3 4 5                           0->3
//   step 1      0 1            2 3            6 7      4 5       0->7 3->4
//   step 2      0              3              7        4         0->1 3->2 7->6 4->5
//
// The tree's steps as the paper writes them: broadcast/bine.cpp.
//
// Even p that are no power of two: runs may have gaps, and messages some more pieces.
//
// Rounds:  ⌈log2 p⌉.
// Bytes:   (p-1)/p · M, sent by the root.
// Time:    log2 p · α + (p-1)/p · M·β for a power of two.
// Limits:  each block moves log2 p / 2 times on average.
// Source:  Bine (De Sensi et al.) §4.2; App. C (other p).
#include "algorithms/scatter/scatter.hpp"

#include <string>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/bine/bine_tree.hpp"
#include "algorithms/schedule/trees/tree_blocks.hpp"

namespace heddle::scatter {

void bine(Communicator& comm, ConstVectorView whole, VectorView own, const BlockPartition& blocks, Rank root) {
  const auto tree = comm.shared_plan<schedule::BlockTree>("bine_halving, root " + std::to_string(root.value()), [&] {
    return schedule::BlockTree(schedule::bine_tree(comm.size(), root.value(), schedule::Distances::halving));
  });
  schedule::tree_scatter(comm, *tree, whole, own, blocks);
}

std::vector<Algorithm> bine_rows() {
  return {{.collective = Collective::scatter,
           .name = "bine",
           .summary = "Runs of blocks round the circle part along a Bine tree, half as long in each step.",
           .source = "[bine] §4.2, App. C",
           .needs = {},
           .rounds = formulas::log2_rounds(),
           .bytes = formulas::other_blocks_once(),
           .granule = formulas::block_per_rank,
           .run = as_scatter(bine)}};
}

}  // namespace heddle::scatter
