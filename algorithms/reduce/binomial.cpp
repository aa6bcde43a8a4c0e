// SPDX-License-Identifier: Apache-2.0
// binomial_halving, binomial_doubling: the broadcasts of the same names backwards (broadcast/binomial.cpp).
//
// In every step half of the ranks that still have a sum to give send it to the other half. Each tree is named as in its
// broadcast, so binomial_halving begins with neighbours here: a rank takes its children in, nearest first, then sends to its
// parent.
//
// Picture, p = 8, root 0:
//
//             binomial_halving               binomial_doubling
//   step 2    1->0 3->2 5->4 7->6            4->0 5->1 6->2 7->3
//   step 1    2->0 6->4                      2->0 3->1
//   step 0    4->0                           1->0
//
// Order: with root 0, halving adds up neighbouring runs of ranks and would keep rank order. With another root the run that
// passes the end of the ranks has its halves the wrong way round, and doubling adds 0 and 4 before 1.
//
// Rounds:  ⌊log2 p⌋: the longest path of either tree. (The root takes in ⌈log2 p⌉ vectors, but need not wait to send.)
// Bytes:   M, sent by everyone but the root.
// Time:    ⌈log2 p⌉ · (α + M·β) where the messages of a step share no links.
// Limits:  the op must be commutative. The root takes in ⌈log2 p⌉ vectors: for short ones.
// Source:  explainer 01 (Lu) §4.2; Bine trees (De Sensi et al.) §2.1.
#include "algorithms/reduce/reduce.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/trees/tree.hpp"

namespace heddle::reduce {

void binomial_halving(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root) {
  require_commutative("binomial_halving", op);
  if (comm.size() == 1 || inout.empty()) return;
  const auto tree = schedule::tree_plan(comm, "binomial_halving", root, schedule::binomial_halving_tree);
  schedule::tree_reduce(comm, *tree, inout, op);
}

void binomial_doubling(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root) {
  require_commutative("binomial_doubling", op);
  if (comm.size() == 1 || inout.empty()) return;
  const auto tree = schedule::tree_plan(comm, "binomial_doubling", root, schedule::binomial_doubling_tree);
  schedule::tree_reduce(comm, *tree, inout, op);
}

std::vector<Algorithm> binomial_rows() {
  return {{.collective = Collective::reduce,
           .name = "binomial_halving",
           .summary = "Sums flow together along a binomial tree, neighbours first: the broadcast's backwards.",
           .source = "[explainer-01] §4.2; [bine] §2.1",
           .needs = {.commutative = true},
           .rounds = formulas::whole_log2_rounds(),
           .bytes = formulas::vector_once(),
           .granule = formulas::one_element,
           .run = as_reduce(binomial_halving)},
          {.collective = Collective::reduce,
           .name = "binomial_doubling",
           .summary = "Sums flow together along a binomial tree, far ranks first: the broadcast's backwards.",
           .source = "[explainer-01] §4.2; [bine] §2.1",
           .needs = {.commutative = true},
           .rounds = formulas::whole_log2_rounds(),
           .bytes = formulas::vector_once(),
           .granule = formulas::one_element,
           .run = as_reduce(binomial_doubling)}};
}

}  // namespace heddle::reduce
