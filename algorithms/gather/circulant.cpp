// SPDX-License-Identifier: Apache-2.0
// circulant: blocks to the root on skips that halve from p to 1: the circulant reduce with blocks put side by side.
//
// A rank takes in the blocks of its children and sends them on with its own. The tree is that of the circulant reduce
// (reduce/circulant.cpp), binomial where p is a power of two.
//
// Picture, p = 7, root 0: blocks sent.
//
//   skip 4    3->0 b3    2->6 b2       1->5 b1
//   skip 2    5->0 b1 b5 4->6 b4
//   skip 1    6->0 b2 b4 b6
//
// The ranks of a branch lie apart, so a message's blocks are as many pieces of the root's vector.
//
// Rounds:  the tree's height, at most ⌊log2 p⌋: of p = 9 it is 2.
// Bytes:   the largest branch, sent by a child of the root: M/2 if p is a power of two, less elsewhere (4/11 of M at p = 22).
// Time:    log2 p · α + (p-1)/p · M·β for a power of two.
// Limits:  each block moves log2 p / 2 times on average.
// Source:  Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms, §4.
#include "algorithms/gather/gather.hpp"

#include <cstdint>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/circulant_row.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/rows/tree_formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/skips/circulant_tree.hpp"
#include "algorithms/schedule/trees/tree_blocks.hpp"

namespace heddle::gather {

void circulant(Communicator& comm, ConstVectorView own, VectorView whole, const BlockPartition& blocks, Rank root) {
  const auto tree = schedule::tree_plan(comm, "circulant", root, schedule::with_subtrees<schedule::circulant_tree>);
  schedule::tree_gather(comm, *tree, own, whole, blocks);
}

namespace {

std::int64_t circulant_bytes(const Shape& shape) {
  return formulas::times(shape.bytes, schedule::largest_branch(schedule::circulant_tree(shape.ranks, 0)), shape.ranks);
}

}  // namespace

std::vector<Algorithm> circulant_rows() {
  return {{.collective = Collective::gather,
           .name = "circulant",
           .summary = "Blocks flow together along the tree of the circulant reduce, whose skips halve from p to 1.",
           .source = "[traeff] §4",
           .needs = {},
           .rounds = formulas::circulant_tree_rounds(),
           .bytes = {"the largest branch/p · M; M/2 if p is a power of two", circulant_bytes},
           .granule = formulas::block_per_rank,
           .run = as_gather(circulant)}};
}

}  // namespace heddle::gather
