// SPDX-License-Identifier: Apache-2.0
// reduce_broadcast: add everything up at rank 0 along a binomial tree, then send the result down the same tree.
//
// The naive baseline, and what an allreduce means. The tree is binomial_halving's (schedule/trees/tree.hpp): the parent of a
// rank is its number without the lowest set bit, so the subtree of a rank is a run of consecutive ranks that begins with it.
// Going up, a rank takes its children in, nearest first, and then sends to its parent; going down, it gets the result and sends
// it to its children, farthest first.
//
// Picture, p = 8: the tree; round by round 1->0 3->2 5->4 7->6, then 2->0 6->4, then 4->0, and back.
//
//   0
//   +- 1
//   +- 2 - 3
//   +- 4 - 5
//      +- 6 - 7
//
// Order: a child's subtree lies right behind what its parent has added up so far, so it is added on the right.
//
// Rounds:  2·log2 p; for any p ⌊log2 p⌋ up (the longest path of the tree) and ⌈log2 p⌉ down (rank 0 sends that often).
// Bytes:   ⌈log2 p⌉ · M, sent by rank 0 on the way down.
// Time:    2·log2 p · (α + M·β) where the routes of a round share no links.
// Limits:  twice the rounds of recursive doubling, and most ranks idle most of the time.
// Source:  explainer 01 (Lu) §2 (allreduce as reduce, then broadcast), §3.2 and §4.2 (binomial trees).
#include "algorithms/allreduce/allreduce.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/trees/tree.hpp"

namespace heddle::allreduce {

void reduce_broadcast(Communicator& comm, VectorView inout, const ReduceOp& op) {
  if (comm.size() == 1 || inout.empty()) return;
  const auto tree = schedule::tree_plan(comm, "binomial_halving", Rank(0), schedule::binomial_halving_tree);
  schedule::tree_reduce(comm, *tree, inout, op);
  schedule::tree_broadcast(comm, *tree, inout);
}

std::vector<Algorithm> reduce_broadcast_rows() {
  return {{.collective = Collective::allreduce,
           .name = "reduce_broadcast",
           .summary = "A binomial reduce to rank 0, then a binomial broadcast: the naive baseline, keeps rank order.",
           .source = "[explainer-01] §2, §3.2, §4.2",
           .needs = {},
           .rounds = formulas::up_and_down_rounds(),
           .bytes = formulas::log2_vectors(),
           .granule = formulas::one_element,
           .run = as_allreduce(reduce_broadcast)}};
}

}  // namespace heddle::allreduce
