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
#include "algorithms/scatter/scatter.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/trees/tree_blocks.hpp"

namespace heddle::scatter {

void linear(Communicator& comm, ConstVectorView whole, VectorView own, const BlockPartition& blocks, Rank root) {
  const auto tree = schedule::tree_plan(comm, "star", root, schedule::with_subtrees<schedule::star_tree>);
  schedule::tree_scatter(comm, *tree, whole, own, blocks);
}

std::vector<Algorithm> linear_rows() {
  return {{.collective = Collective::scatter,
           .name = "linear",
           .summary = "The root sends every rank its block straight, all at once.",
           .source = "[bine] §5.3.2, as a baseline",
           .needs = {},
           .rounds = formulas::one_round(),
           .bytes = formulas::other_blocks_once(),
           .granule = formulas::block_per_rank,
           .run = as_scatter(linear),
           .other_names = {{"direct"}}}};
}

}  // namespace heddle::scatter
