// SPDX-License-Identifier: Apache-2.0
// binomial_pipelined: the vector goes down a binomial tree in segments.
//
// The tree is that of binomial_halving. A rank sends each segment to all its children at once, while the next one comes in. The
// root has ⌈log2 p⌉ children, so it must send that many vectors in the end: only with as many ports of its own does the
// pipeline run at the rate of one.
//
// Picture, p = 8, P = 2 segments a, b, root 0:
//
//   round 0    a 0->4 0->2 0->1
//   round 1    a 4->6 4->5 2->3    b 0->4 0->2 0->1
//   round 2    a 6->7              b 4->6 4->5 2->3
//   round 3                        b 6->7
//
// Option:  segments. By default P* = √((L-1)·M·β/α), L = ⌊log2 p⌋.
// Rounds:  ⌊log2 p⌋ + P - 1; ⌊log2 p⌋ is the longest path of the tree.
// Bytes:   ⌈log2 p⌉ · M, sent by the root.
// Time:    (L + P - 1)·(α + M·β/P) where every edge of the tree has a link of its own, so about L·α + M·β with P*; on one port
//          not below P·α + ⌈log2 p⌉·M·β, which is no better than binomial_halving.
// Limits:  as said: needs ports.
// Source:  explainer 01 (Lu) §3.2, App. C.4.
#include "algorithms/broadcast/broadcast.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/rows/pipelined_row.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/trees/tree_pipeline.hpp"

namespace heddle::broadcast {

void binomial_pipelined(Communicator& comm, VectorView vector, Rank root, schedule::Segments segments) {
  const int p = comm.size();
  if (p == 1 || vector.empty()) return;
  const auto tree = schedule::tree_plan(comm, "binomial_halving", root, schedule::binomial_halving_tree);
  schedule::pipelined_broadcast(comm, *tree, vector, segments.wanted(tree->height(), vector, comm));
}

namespace {

Algorithm binomial_pipelined_row(schedule::Segments segments) {
  const Pipeline pipeline = binomial_pipeline(segments);
  return {.collective = Collective::broadcast,
          .name = "binomial_pipelined",
          .summary = "Segments of the vector follow each other down a binomial tree: for ranks with many ports.",
          .source = "[explainer-01] §3.2, App. C",
          .needs = {},
          .rounds = pipeline.rounds(),
          .bytes = formulas::log2_vectors(),
          .messages_a_round = pipeline.messages_a_round(),
          .granule = pipeline.granule(),
          .run = as_broadcast([segments](Communicator& comm, VectorView vector, Rank root) {
            binomial_pipelined(comm, vector, root, segments);
          })};
}

}  // namespace

std::vector<Algorithm> binomial_pipelined_rows() { return {pipelined_row(binomial_pipeline, binomial_pipelined_row)}; }

}  // namespace heddle::broadcast
