// SPDX-License-Identifier: Apache-2.0
// linear: everyone sends its block straight to the root, at once.
//
// Picture, p = 4, root 0:  1->0 2->0 3->0, one block each.
//
// Rounds:  1.
// Bytes:   M/p, sent by everyone but the root.
// Time:    α + (p-1)/p · M·β: the messages share the root's link.
// Limits:  the root handles p-1 messages. Nothing is relayed, so on a torus the links round the root carry all of it.
// Source:  Bine trees (De Sensi et al.) §5.3.2 compares with linear algorithms; MPICH and Open MPI have it.
#include "algorithms/gather/linear.hpp"

#include "algorithms/schedule/tree_blocks.hpp"

namespace heddle::gather {

void linear(Communicator& comm, ConstVectorView own, VectorView whole, const BlockPartition& blocks, Rank root) {
  const auto tree = schedule::tree_plan(comm, "star", root, schedule::with_subtrees<schedule::star_tree>);
  schedule::tree_gather(comm, *tree, own, whole, blocks);
}

}  // namespace heddle::gather
