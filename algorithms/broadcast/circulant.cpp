// SPDX-License-Identifier: Apache-2.0
// circulant: whole vectors from the root outwards, on skips that double up to p; the circulant reduce backwards.
//
// Whoever has the vector passes it to rank - s in the round of skip s, unless that rank has it already. Skips are p halved,
// rounded up, until 1, and taken from 1 on. So the holders double in every round, or double but one, and are always the ranks
// root, root - 1, … (modulo p).
//
// Picture, p = 7, root 0:
//
//   skip 1    0->6
//   skip 2    0->5 6->4
//   skip 4    0->3 6->2 5->1
//
// Rounds:  ⌈log2 p⌉: the root sends that often.
// Bytes:   ⌈log2 p⌉ · M, sent by the root.
// Time:    ⌈log2 p⌉ · (α + M·β) where the messages of a round share no links.
// Limits:  the whole vector in every round: for short vectors. The long skips come last, with the most messages.
// Source:  Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms, §4.
#include "algorithms/broadcast/broadcast.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/circulant_row.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/skips/circulant_tree.hpp"

namespace heddle::broadcast {

void circulant(Communicator& comm, VectorView vector, Rank root) {
  if (comm.size() == 1 || vector.empty()) return;
  const auto tree = schedule::tree_plan(comm, "circulant", root, schedule::circulant_tree);
  schedule::tree_broadcast(comm, *tree, vector);
}

std::vector<Algorithm> circulant_rows() {
  return {{.collective = Collective::broadcast,
           .name = "circulant",
           .summary = "A tree of skips that double up to p: holders double, or double but one, for any p.",
           .source = "[traeff] §4",
           .needs = {},
           .rounds = formulas::log2_rounds(),
           .bytes = formulas::log2_vectors(),
           .granule = formulas::one_element,
           .run = as_broadcast(circulant)}};
}

}  // namespace heddle::broadcast
