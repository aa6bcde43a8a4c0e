// SPDX-License-Identifier: Apache-2.0
// bine_halving, bine_doubling: the broadcasts of the same names backwards (broadcast/bine.cpp).
//
// A rank takes in the sums of its children, then sends to its parent. The steps as the paper writes them: broadcast/bine.cpp.
// Each tree is named as in its broadcast, so bine_halving begins with neighbours here.
//
// Picture, p = 8, root 0:
//
//             bine_halving                   bine_doubling
//   step 2    1->0 2->3 5->4 6->7            3->0 6->1 5->2 4->7
//   step 1    7->0 4->3                      7->0 2->1
//   step 0    3->0                           1->0
//
// Order: a halving tree adds up runs of ranks round the circle, and the root's own is the first to pass the end: 6 7 0 1. So
// neither keeps rank order.
//
// Rounds:  ⌊log2 p⌋ or one more: the longest path of the tree.
// Bytes:   M, sent by everyone but the root.
// Time:    ⌈log2 p⌉ · (α + M·β) where the messages of a step share no links.
// Limits:  the op must be commutative. The root takes in up to ⌈log2 p⌉ vectors: for short ones.
// Source:  Bine (De Sensi et al.) §4.5; the trees: §2, §3.2, App. C.
#include "algorithms/reduce/reduce.hpp"

#include <string>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/rows/tree_formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/bine/bine_tree.hpp"

namespace heddle::reduce {

void bine_halving(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root) {
  require_commutative("bine_halving", op);
  if (comm.size() == 1 || inout.empty()) return;
  const auto tree = comm.shared_plan<schedule::Tree>("bine_halving, root " + std::to_string(root.value()), [&] {
    return schedule::bine_tree(comm.size(), root.value(), schedule::Distances::halving);
  });
  schedule::tree_reduce(comm, *tree, inout, op);
}

void bine_doubling(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root) {
  require_commutative("bine_doubling", op);
  if (comm.size() == 1 || inout.empty()) return;
  const auto tree = comm.shared_plan<schedule::Tree>("bine_doubling, root " + std::to_string(root.value()), [&] {
    return schedule::bine_tree(comm.size(), root.value(), schedule::Distances::doubling);
  });
  schedule::tree_reduce(comm, *tree, inout, op);
}

std::vector<Algorithm> bine_rows() {
  return {{.collective = Collective::reduce,
           .name = "bine_halving",
           .summary = "Sums flow together along a Bine tree, neighbours first: the broadcast's backwards.",
           .source = "[bine] §4.5, §2, App. C",
           .needs = {.commutative = true},
           .rounds = formulas::bine_tree_rounds(schedule::Distances::halving),
           .bytes = formulas::vector_once(),
           .granule = formulas::one_element,
           .run = as_reduce(bine_halving)},
          {.collective = Collective::reduce,
           .name = "bine_doubling",
           .summary = "Sums flow together along a Bine tree, far ranks first: the broadcast's backwards.",
           .source = "[bine] §3.2, App. A, App. C",
           .needs = {.commutative = true},
           .rounds = formulas::bine_tree_rounds(schedule::Distances::doubling),
           .bytes = formulas::vector_once(),
           .granule = formulas::one_element,
           .run = as_reduce(bine_doubling)}};
}

}  // namespace heddle::reduce
