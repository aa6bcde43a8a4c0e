// SPDX-License-Identifier: Apache-2.0
// binomial: word that everyone has come goes up a binomial tree to rank 0, and word to go on comes back down.
//
// A reduce and a broadcast of nothing, along the tree of binomial_halving (schedule/trees/tree.hpp).
//
// Picture, p = 8: up 1->0 3->2 5->4 7->6, then 2->0 6->4, then 4->0; down the same ways back.
//
// Rounds:  ⌊log2 p⌋ up, the longest path of the tree, and ⌈log2 p⌉ down, where rank 0 sends that often.
// Bytes:   none; 2(p-1) messages in all, the fewest there can be.
// Time:    2·log2 p · (α + L) for a power of two.
// Limits:  twice the rounds of dissemination.
// Source:  explainer 01 (Lu) §3.2, §4.2 (the tree).
#include "algorithms/barrier/barrier.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/trees/tree.hpp"

namespace heddle::barrier {

void binomial(Communicator& comm) {
  const auto tree = schedule::tree_plan(comm, "binomial_halving", Rank(0), schedule::binomial_halving_tree);
  const VectorView nothing(nullptr, 0, Datatype::i32());
  schedule::tree_reduce(comm, *tree, nothing, ReduceOp::sum());
  schedule::tree_broadcast(comm, *tree, nothing);
}

std::vector<Algorithm> binomial_rows() {
  return {{.collective = Collective::barrier,
           .name = "binomial",
           .summary = "Word goes up a binomial tree to rank 0 and back down: fewest messages.",
           .source = "[explainer-01] §3.2, §4.2",
           .needs = {},
           .rounds = formulas::up_and_down_rounds(),
           .bytes = formulas::no_bytes(),
           .granule = formulas::one_element,
           .run = as_barrier(binomial)}};
}

}  // namespace heddle::barrier
