// SPDX-License-Identifier: Apache-2.0
// Bine trees, and broadcast, reduce, gather and scatter along them. The partner function is in bine.hpp.
#include "algorithms/families/bine.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "algorithms/executors/lattice.hpp"
#include "algorithms/executors/trees.hpp"
#include "algorithms/registry/entry.hpp"
#include "algorithms/registry/formulas.hpp"
#include "heddle/registry.hpp"

namespace heddle::plans {

namespace {

constexpr int kRoot = -1;

/// The step at which a halving tree of `digits` steps reaches the rank with that code.
int halving_step(std::uint32_t code, int digits) {
  if (code == 0) return kRoot;
  const int equal_digits = std::min(digits, (code & 1) != 0 ? std::countr_one(code) : std::countr_zero(code));
  return digits - equal_digits;
}

/// The number whose code says how a rank on the circle is reached.
int coded(int rank, Distances distances) { return distances == Distances::doubling && rank % 2 == 0 ? -rank : rank; }

/// The earliest step at which a tree over an even number of ranks reaches `rank`. 2^digits numbers have codes, up to twice as
/// many as there are ranks: a rank is reached as every number that lies on it, round the circle.
int earliest_step(int rank, int ranks, Distances distances) {
  const int digits = swing_steps(ranks);
  const int greatest = greatest_negabinary(digits);
  const int least = greatest - (1 << digits) + 1;
  const int beyond_least = ((coded(rank, distances) - least) % ranks + ranks) % ranks;
  int earliest = std::numeric_limits<int>::max();
  for (int number = least + beyond_least; number <= greatest; number += ranks) {
    const std::uint32_t code = negabinary(number);
    const int step = distances == Distances::halving ? halving_step(code, digits) : std::bit_width(code) - 1;
    earliest = std::min(earliest, step);
  }
  return earliest;
}

/// The edge of `rank` in the tree of root 0.
Tree::Edge edge_from_0(int rank, int ranks, Distances distances) {
  if (rank == 0) return {-1, -1};
  if (ranks % 2 == 0) {
    const int step = earliest_step(rank, ranks, distances);
    return {bine_partner(rank, step, ranks, distances), step};
  }
  const Fold fold(ranks);
  if (fold.is_extra(rank)) return {fold.other(rank), bine_tree_steps(ranks) - 1};
  const Tree::Edge unfolded = edge_from_0(fold.position_of(rank), fold.positions(), distances);
  return {fold.member_at(unfolded.parent), unfolded.step};
}

}  // namespace

int bine_tree_steps(int ranks) { return std::bit_width(static_cast<unsigned>(ranks - 1)); }

Tree::Edge bine_edge(int rank, int ranks, int root, Distances distances) {
  const Tree::Edge edge = edge_from_0((rank - root + ranks) % ranks, ranks, distances);
  return rank == root ? edge : Tree::Edge{(edge.parent + root) % ranks, edge.step};
}

Tree bine_tree(int ranks, int root, Distances distances) {
  return {ranks, root, [&](int rank) { return bine_edge(rank, ranks, root, distances); }};
}

namespace {

Tree bine_halving_tree(int ranks, int root) { return bine_tree(ranks, root, Distances::halving); }
Tree bine_doubling_tree(int ranks, int root) { return bine_tree(ranks, root, Distances::doubling); }

}  // namespace

std::uint32_t bine_way(int rank, int ranks) {
  const int digits = swing_steps(ranks);
  int number = coded(rank, Distances::doubling);
  if (number > greatest_negabinary(digits)) number -= ranks;
  if (number <= greatest_negabinary(digits) - ranks) number += ranks;
  const std::uint32_t h = negabinary(number);
  return h ^ (h >> 1);
}

int bine_position(int rank, int ranks) {
  const std::uint32_t way = bine_way(rank, ranks);
  int position = 0;
  for (int digit = 0; digit < swing_steps(ranks); ++digit) position = 2 * position + static_cast<int>((way >> digit) & 1);
  return position;
}

namespace {

formulas::Rounds bine_tree_rounds(Distances distances) {
  return {"⌊log2 p⌋ or ⌈log2 p⌉", [distances](const Shape& shape) { return bine_tree(shape.ranks, 0, distances).height(); }};
}

}  // namespace

}  // namespace heddle::plans

namespace heddle::broadcast {

// bine_halving, bine_doubling: broadcasts along binomial trees whose partners are a third nearer.
//
// In every step each rank that has the vector sends it to one that has not, as in any binomial tree. But ranks are taken round
// a circle and numbered in base -2 (families/bine.hpp), so that a tree grows to both sides of its root in turn and a
// step that a binomial tree takes over 2^j ranks goes over |Σ_{i≤j} (-2)^i| of them: 1, 1, 3, 5, 11, … Messages that leave a
// group of neighbouring ranks are fewer, by a third at most.
//
// Picture, p = 8, root 0:
//
//             distance halving               distance doubling
//   step 0    0->3                           0->1
//   step 1    0->7 3->4                      0->7 1->2
//   step 2    0->1 3->2 4->5 7->6            0->3 1->6 2->5 7->4
//
// The rounds, for p = 2^s and root 0. What runs takes the step from the digits and the parent from bine_partner, for any p; a
// test holds that both are the paper's.
//
//   halving    nb(r) = the s digits of r, or of r - p, in base -2                                   §2.3.1
//              r receives in step i = s - u, nb(r) ending with u equal digits                       §2.3.2
//              from the q with nb(q) = nb(r) ⊕ 1…1, u ones                                          eq. 1
//   doubling   v(r) = h ⊕ h/2, where h = nb(r) for odd r, nb(p - r) for even r                      §3.2.1
//              r receives in step i, the place of the highest one of v(r)                           §3.2.2
//              from the q with v(q) = v(r) ⊕ 2^i
//
// Where the lower half of eight ranks and the upper one stand apart, halving carries 2 vectors across, 0->7 and 3->4. The
// binomial tree of distance halving carries 1: what is near round the circle may be far on a line.
//
// Even p that are no power of two: a rank that would be reached twice is not sent the second. Odd p: 2^⌊log2 p⌋ ranks first,
// then each of their neighbours that were left out from its own.
//
// Rounds:  ⌈log2 p⌉.
// Bytes:   k · M, sent by the rank with the most children, k of them: ⌈log2 p⌉ or, at some even p, one less.
// Time:    ⌈log2 p⌉ · (α + M·β) where the messages of a step share no links.
// Limits:  the whole vector in every step: for short vectors.
// Source:  Bine (De Sensi et al.) §2 and Fig. 3 (halving), §3.2 and App. A (doubling), App. C and Fig. 15 (other p), §4.5.

namespace {

/// One vector per child of the rank that has the most.
template <plans::Distances distances>
std::int64_t bine_bytes(const Shape& shape) {
  const plans::Tree tree = plans::bine_tree(shape.ranks, 0, distances);
  std::size_t most = 0;
  for (int rank = 0; rank < shape.ranks; ++rank) most = std::max(most, tree.children(rank).size());
  return static_cast<std::int64_t>(most) * shape.bytes;
}

}  // namespace

std::vector<Algorithm> bine_entries() {
  return {
      tree_entry({.name = "bine_halving",
                  .summary = "A binomial tree to both sides of the root in turn, far ranks first, over a third less distance.",
                  .source = "[bine] §2, §4.5, App. C",
                  .bytes = {"⌈log2 p⌉ · M; at some even p one M less", bine_bytes<plans::Distances::halving>}},
                 plans::bine_halving_tree),
      tree_entry({.name = "bine_doubling",
                  .summary = "A binomial tree to both sides of the root in turn, neighbours first, over a third less distance.",
                  .source = "[bine] §3.2, App. A, App. C",
                  .bytes = {"⌈log2 p⌉ · M; at some even p one M less", bine_bytes<plans::Distances::doubling>}},
                 plans::bine_doubling_tree)};
}

}  // namespace heddle::broadcast

namespace heddle::reduce {

// bine_halving, bine_doubling: the broadcasts of the same names backwards.
//
// A rank takes in the sums of its children, then sends to its parent. The steps: those of the broadcast, backwards.
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

std::vector<Algorithm> bine_entries() {
  return {tree_entry({.name = "bine_halving",
                      .summary = "Sums flow together along a Bine tree, neighbours first: the broadcast's backwards.",
                      .source = "[bine] §4.5, §2, App. C",
                      .rounds = plans::bine_tree_rounds(plans::Distances::halving)},
                     plans::bine_halving_tree),
          tree_entry({.name = "bine_doubling",
                      .summary = "Sums flow together along a Bine tree, far ranks first: the broadcast's backwards.",
                      .source = "[bine] §3.2, App. A, App. C",
                      .rounds = plans::bine_tree_rounds(plans::Distances::doubling)},
                     plans::bine_doubling_tree)};
}

}  // namespace heddle::reduce

namespace heddle::gather {

// bine: blocks flow together along a Bine tree of distance halving, twice as many in each step.
//
// A rank takes in the blocks of its children and sends them with its own to its parent: a run of blocks round the circle of
// ranks, which grows by its own length in each step, to the two sides in turn. Even ranks grow upwards first, odd ones
// downwards. A run that passes the end of the vector is two pieces of one message.
//
// Picture, p = 8, root 0: the blocks that a rank holds. Distances: 1, 1, 3.
//
//               0          3          7        4
//   start       0          3          7        4
//   step 2      0 1        2 3        6 7      4 5      1->0 2->3 6->7 5->4
//   step 1  6 7 0 1        2 3 4 5                      7->0 4->3
//   step 0  6 7 0 1 2 3 4 5                             3->0
//
// The tree's steps are those of the broadcast, backwards.
//
// Even p that are no power of two: runs may have gaps, and messages some more pieces.
//
// Rounds:  ⌊log2 p⌋ or one more: the longest path of the tree.
// Bytes:   M/2 at even p, sent by the root's first child; at odd p a little more or less.
// Time:    log2 p · α + (p-1)/p · M·β for a power of two.
// Limits:  each block moves log2 p / 2 times on average.
// Source:  Bine (De Sensi et al.) §4.1 and Fig. 7; App. C (other p).

namespace {

plans::Tree bine_tree(const Shape& shape) { return plans::bine_tree(shape.ranks, 0, plans::Distances::halving); }

/// The most blocks below an edge.
std::int64_t bine_bytes(const Shape& shape) {
  const std::vector<plans::RunSet> subtrees = bine_tree(shape).subtrees();
  std::int64_t most = 0;
  for (std::size_t rank = 1; rank < subtrees.size(); ++rank) most = std::max(most, plans::count(subtrees[rank]));
  return formulas::times(shape.bytes, most, shape.ranks);
}

}  // namespace

std::vector<Algorithm> bine_entries() {
  return {tree_entry({.name = "bine",
                      .summary = "Runs of blocks round the circle flow together along a Bine tree, twice as long in each step.",
                      .source = "[bine] §4.1 and Fig. 7, App. C",
                      .rounds = plans::bine_tree_rounds(plans::Distances::halving),
                      .bytes = {"M/2; at odd p as many blocks as lie below the first child", bine_bytes}},
                     plans::bine_halving_tree)};
}

}  // namespace heddle::gather

namespace heddle::scatter {

// bine: the gather backwards: in each step a rank hands on half of the run that it has, to the two sides in turn.
//
// Rounds:  ⌈log2 p⌉.
// Bytes:   (p-1)/p · M, sent by the root.
// Time:    log2 p · α + (p-1)/p · M·β for a power of two.
// Limits:  each block moves log2 p / 2 times on average.
// Source:  Bine (De Sensi et al.) §4.2; App. C (other p).

std::vector<Algorithm> bine_entries() {
  return {tree_entry({.name = "bine",
                      .summary = "Runs of blocks round the circle part along a Bine tree, half as long in each step.",
                      .source = "[bine] §4.2, App. C"},
                     plans::bine_halving_tree)};
}

}  // namespace heddle::scatter
