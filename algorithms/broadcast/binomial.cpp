// SPDX-License-Identifier: Apache-2.0
// binomial_halving, binomial_doubling: in every step each rank that has the vector sends it to one that has not.
//
// So the holders double from step to step. The two trees differ in who sends to whom. Distance halving (MPICH's) begins with
// the farthest: the root reaches p/2 first, its neighbour last. Distance doubling (Open MPI's) begins with the neighbour.
// Ranks are counted from the root on, round the end.
//
// Picture, p = 8, root 0:
//
//             distance halving               distance doubling
//   step 0    0->4                           0->1
//   step 1    0->2 4->6                      0->2 1->3
//   step 2    0->1 2->3 4->5 6->7            0->4 1->5 2->6 3->7
//
// Where near ranks share a switch, halving is the better one: many messages go in the last step, and they go to neighbours. Of
// eight ranks in pairs it sends 3 vectors between the pairs, doubling sends 6.
//
// Rounds:  ⌈log2 p⌉: the root sends that often.
// Bytes:   ⌈log2 p⌉ · M, sent by the root.
// Time:    ⌈log2 p⌉ · (α + M·β) where the messages of a step share no links.
// Limits:  the whole vector in every step: for short vectors.
// Source:  Bine trees (De Sensi et al.) §1 and Fig. 1, §2.1; explainer 01 (Lu) §3.2 (its example is distance doubling).
#include "algorithms/broadcast/broadcast.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/trees/tree.hpp"

namespace heddle::broadcast {

void binomial_halving(Communicator& comm, VectorView vector, Rank root) {
  if (comm.size() == 1 || vector.empty()) return;
  const auto tree = schedule::tree_plan(comm, "binomial_halving", root, schedule::binomial_halving_tree);
  schedule::tree_broadcast(comm, *tree, vector);
}

void binomial_doubling(Communicator& comm, VectorView vector, Rank root) {
  if (comm.size() == 1 || vector.empty()) return;
  const auto tree = schedule::tree_plan(comm, "binomial_doubling", root, schedule::binomial_doubling_tree);
  schedule::tree_broadcast(comm, *tree, vector);
}

std::vector<Algorithm> binomial_rows() {
  return {{.collective = Collective::broadcast,
           .name = "binomial_halving",
           .summary = "A binomial tree that begins with the farthest rank (MPICH's): most messages go to neighbours.",
           .source = "[bine] §1, §2.1; [explainer-01] §3.2",
           .needs = {},
           .rounds = formulas::log2_rounds(),
           .bytes = formulas::log2_vectors(),
           .granule = formulas::one_element,
           .run = as_broadcast(binomial_halving)},
          {.collective = Collective::broadcast,
           .name = "binomial_doubling",
           .summary = "A binomial tree that begins with the neighbour (Open MPI's): most messages go far.",
           .source = "[bine] §1; [explainer-01] §3.2",
           .needs = {},
           .rounds = formulas::log2_rounds(),
           .bytes = formulas::log2_vectors(),
           .granule = formulas::one_element,
           .run = as_broadcast(binomial_doubling)}};
}

}  // namespace heddle::broadcast
