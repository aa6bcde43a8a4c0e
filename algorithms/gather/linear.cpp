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
#include "algorithms/gather/gather.hpp"

#include <cstdint>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/trees/tree_blocks.hpp"

namespace heddle::gather {

void linear(Communicator& comm, ConstVectorView own, VectorView whole, const BlockPartition& blocks, Rank root) {
  const auto tree = schedule::tree_plan(comm, "star", root, schedule::with_subtrees<schedule::star_tree>);
  schedule::tree_gather(comm, *tree, own, whole, blocks);
}

namespace {

std::int64_t one_block(const Shape& shape) { return shape.ranks > 1 ? formulas::times(shape.bytes, 1, shape.ranks) : 0; }

}  // namespace

std::vector<Algorithm> linear_rows() {
  return {{.collective = Collective::gather,
           .name = "linear",
           .summary = "Everyone sends its block straight to the root, at once.",
           .source = "[bine] §5.3.2, as a baseline",
           .needs = {},
           .rounds = formulas::one_round(),
           .bytes = {"M/p", one_block},
           .granule = formulas::block_per_rank,
           .run = as_gather(linear),
           .other_names = {{"direct"}}}};
}

}  // namespace heddle::gather
