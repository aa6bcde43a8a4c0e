// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/bine/bine_tree.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "algorithms/schedule/butterflies/fold.hpp"
#include "algorithms/schedule/butterflies/swing_pattern.hpp"

namespace heddle::schedule {

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

/// The power of -2 up to which a step's distance adds.
int swing_step(int step, int ranks, Distances distances) {
  return distances == Distances::halving ? swing_steps(ranks) - 1 - step : step;
}

/// The edge of `rank` in the tree of root 0.
Tree::Edge edge_from_0(int rank, int ranks, Distances distances) {
  if (rank == 0) return {-1, -1};
  if (ranks % 2 == 0) {
    const int step = earliest_step(rank, ranks, distances);
    return {swing_partner(rank, swing_step(step, ranks, distances), ranks, Swing::plain), step};
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

}  // namespace heddle::schedule
