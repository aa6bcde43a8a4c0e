// SPDX-License-Identifier: Apache-2.0
// linear: the root sends every rank its block straight, all at once.
//
// Picture, p = 4, root 0:  0->1 0->2 0->3, one block each.
//
// Rounds:  1.
// Bytes:   (p-1)/p · M, sent by the root.
// Time:    α + (p-1)/p · M·β: the messages share the root's link.
// Limits:  the root handles p-1 messages. Nothing is relayed, so on a torus the links round the root carry all of it.
// Source:  Bine trees (De Sensi et al.) §5.3.2 compares with linear algorithms; MPICH and Open MPI have it.
#include "algorithms/scatter/linear.hpp"

#include "algorithms/schedule/tree_blocks.hpp"

namespace heddle::scatter {

void linear(Communicator& comm, ConstVectorView whole, VectorView own, const BlockPartition& blocks, Rank root) {
  const auto tree = schedule::tree_plan(comm, "star", root, schedule::with_subtrees<schedule::star_tree>);
  schedule::tree_scatter(comm, *tree, whole, own, blocks);
}

}  // namespace heddle::scatter
