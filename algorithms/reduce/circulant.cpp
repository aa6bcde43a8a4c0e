// SPDX-License-Identifier: Apache-2.0
// circulant: whole vectors to the root on skips that halve from p to 1: the circulant reduce-scatter of one block.
//
// In the reduce-scatter each block's contributions come together along a tree of their own (reduce_scatter/circulant.cpp).
// Where all elements are in the root's block, one tree is left: the rank at distance d before the root sends its sum to rank +
// s in the first round whose skip s is not above d.
//
// Picture, p = 7, root 0; sums of what has come in so far:
//
//   skip 4    3->0 2->6 1->5
//   skip 2    5->0 4->6
//   skip 1    6->0
//
// Rounds:  the tree's height, at most ⌊log2 p⌋: of p = 9 it is 2.
// Bytes:   M, sent by everyone but the root.
// Time:    at most ⌈log2 p⌉ · (α + M·β) where the messages of a round share no links.
// Limits:  the op must be commutative. The root takes in ⌈log2 p⌉ whole vectors: for short vectors.
// Source:  Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms, Corollary 3 and Fig. 1.
#include "algorithms/reduce/reduce.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/circulant_row.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/rows/tree_formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/skips/circulant_tree.hpp"

namespace heddle::reduce {

void circulant(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root) {
  require_commutative("circulant", op);
  if (comm.size() == 1 || inout.empty()) return;
  const auto tree = schedule::tree_plan(comm, "circulant", root, schedule::circulant_tree);
  schedule::tree_reduce(comm, *tree, inout, op);
}

std::vector<Algorithm> circulant_rows() {
  return {{.collective = Collective::reduce,
           .name = "circulant",
           .summary = "A tree of skips that halve from p to 1: the circulant reduce-scatter of a single block.",
           .source = "[traeff] Corollary 3",
           .needs = {.commutative = true},
           .rounds = formulas::circulant_tree_rounds(),
           .bytes = formulas::vector_once(),
           .granule = formulas::one_element,
           .run = as_reduce(circulant)}};
}

}  // namespace heddle::reduce
