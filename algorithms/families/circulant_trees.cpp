// SPDX-License-Identifier: Apache-2.0
// Broadcast, reduce, gather and scatter along the tree by which contributions come together in the circulant reduce-scatter.
#include "algorithms/families/circulant.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "algorithms/executors/trees.hpp"
#include "algorithms/registry/entry.hpp"
#include "algorithms/registry/formulas.hpp"
#include "heddle/registry.hpp"

namespace heddle::plans {

Tree skip_tree(const SkipPlan& skips, int root) {
  const int p = skips.ranks();
  const std::vector<SkipHop> hops = first_hops(skips);
  return {p, root, [&](int rank) {
            const SkipHop& hop = hops[static_cast<std::size_t>(moved_by(root, -rank, p))];
            return Tree::Edge{moved_by(rank, hop.skip, p), skips.steps() - 1 - hop.round};
          }};
}

Tree circulant_tree(int ranks, int root) { return skip_tree(circulant_plan(ranks, CirculantSkips()), root); }

std::int64_t largest_branch(const Tree& tree) {
  const std::vector<RunSet> below = tree.subtrees();
  std::int64_t largest = 0;
  for (const int child : tree.children(tree.root())) largest = std::max(largest, count(below[static_cast<std::size_t>(child)]));
  return largest;
}

namespace {

formulas::Rounds circulant_tree_rounds() {
  return {"the tree's height, at most ⌊log2 p⌋", [](const Shape& shape) { return circulant_tree(shape.ranks, 0).height(); }};
}

}  // namespace

}  // namespace heddle::plans

namespace heddle::broadcast {

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

std::vector<Algorithm> circulant_entries() {
  return {tree_entry({.name = "circulant",
                      .summary = "A tree of skips that double up to p: holders double, or double but one, for any p.",
                      .source = "[traeff] §4"},
                     plans::circulant_tree)};
}

}  // namespace heddle::broadcast

namespace heddle::reduce {

// circulant: whole vectors to the root on skips that halve from p to 1: the circulant reduce-scatter of one block.
//
// In the reduce-scatter each block's contributions come together along a tree of their own (families/circulant.cpp).
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

std::vector<Algorithm> circulant_entries() {
  return {tree_entry({.name = "circulant",
                      .summary = "A tree of skips that halve from p to 1: the circulant reduce-scatter of a single block.",
                      .source = "[traeff] Corollary 3",
                      .rounds = plans::circulant_tree_rounds()},
                     plans::circulant_tree)};
}

}  // namespace heddle::reduce

namespace heddle::gather {

// circulant: blocks to the root on skips that halve from p to 1: the circulant reduce with blocks put side by side.
//
// A rank takes in the blocks of its children and sends them on with its own. The tree is that of the circulant reduce,
// binomial where p is a power of two.
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

namespace {

std::int64_t circulant_bytes(const Shape& shape) {
  return formulas::times(shape.bytes, plans::largest_branch(plans::circulant_tree(shape.ranks, 0)), shape.ranks);
}

}  // namespace

std::vector<Algorithm> circulant_entries() {
  return {tree_entry({.name = "circulant",
                      .summary = "Blocks flow together along the tree of the circulant reduce, whose skips halve from p to 1.",
                      .source = "[traeff] §4",
                      .rounds = plans::circulant_tree_rounds(),
                      .bytes = {"the largest branch/p · M; M/2 if p is a power of two", circulant_bytes}},
                     plans::circulant_tree)};
}

}  // namespace heddle::gather

namespace heddle::scatter {

// circulant: the gather backwards, on skips that double up to p. A rank gets the blocks of its whole branch of the tree and
// passes on those of its children, skip by skip.
//
// Rounds:  ⌈log2 p⌉: the root sends that often.
// Bytes:   (p-1)/p · M, sent by the root: every block but its own.
// Time:    ⌈log2 p⌉ · α + (p-1)/p · M·β.
// Limits:  each block moves log2 p / 2 times on average.
// Source:  Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms, §4.

std::vector<Algorithm> circulant_entries() {
  return {tree_entry({.name = "circulant",
                      .summary = "The root's blocks part along the tree of the circulant broadcast.",
                      .source = "[traeff] §4"},
                     plans::circulant_tree)};
}

}  // namespace heddle::scatter
