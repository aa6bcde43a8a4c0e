// SPDX-License-Identifier: Apache-2.0
// binomial_pipelined: sums flow up a binomial tree in segments: the broadcast backwards (broadcast/binomial_pipelined.cpp).
//
// The tree is that of binomial_halving. A rank adds a segment of all its children to its own and passes the sum to its parent,
// while the next segment comes in. The root has ⌈log2 p⌉ children, so it takes in that many vectors in the end.
//
// Picture, p = 8, P = 2 segments a, b, root 0:
//
//   round 0    a 7->6 5->4 3->2 1->0
//   round 1    a 6->4 2->0            b 7->6 5->4 3->2 1->0
//   round 2    a 4->0                 b 6->4 2->0
//   round 3                           b 4->0
//
// Option:  segments. By default P* = √((L-1)·M·β/α), L = ⌊log2 p⌋.
// Rounds:  ⌊log2 p⌋ + P - 1; ⌊log2 p⌋ is the longest path of the tree.
// Bytes:   M, sent by everyone but the root.
// Time:    (L + P - 1)·(α + M·β/P) where every edge of the tree has a link of its own, so about L·α + M·β with P*; on one port
//          not below P·α + ⌈log2 p⌉·M·β, which is no better than binomial_halving.
// Limits:  the op must be commutative (see binomial.cpp). Needs ports.
// Source:  explainer 01 (Lu) §4.2, App. C.4.
#include "algorithms/reduce/reduce.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/rows/pipelined_row.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/trees/tree_pipeline.hpp"

namespace heddle::reduce {

void binomial_pipelined(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root, schedule::Segments segments) {
  require_commutative("binomial_pipelined", op);
  const int p = comm.size();
  if (p == 1 || inout.empty()) return;
  const auto tree = schedule::tree_plan(comm, "binomial_halving", root, schedule::binomial_halving_tree);
  schedule::pipelined_reduce(comm, *tree, inout, op, segments.wanted(tree->height(), inout, comm));
}

namespace {

Algorithm binomial_pipelined_row(schedule::Segments segments) {
  const Pipeline pipeline = binomial_pipeline(segments);
  return {.collective = Collective::reduce,
          .name = "binomial_pipelined",
          .summary = "Sums flow up a binomial tree in segments that follow each other: for ranks with many ports.",
          .source = "[explainer-01] §4.2, App. C",
          .needs = {.commutative = true},
          .rounds = pipeline.rounds(),
          .bytes = formulas::vector_once(),
          .messages_a_round = pipeline.messages_a_round(),
          .granule = pipeline.granule(),
          .run = as_reduce([segments](Communicator& comm, VectorView inout, const ReduceOp& op, Rank root) {
            binomial_pipelined(comm, inout, op, root, segments);
          })};
}

}  // namespace

std::vector<Algorithm> binomial_pipelined_rows() { return {pipelined_row(binomial_pipeline, binomial_pipelined_row)}; }

}  // namespace heddle::reduce
