// SPDX-License-Identifier: Apache-2.0
// Two Hamiltonian cycles of a two-dimensional torus that share no edge. Pure.
//
// On r x c nodes with r a multiple of c, count t = c·a + b, 0 ≤ a < r, 0 ≤ b < c. The cycles visit, modulo r and c,
//
//   first    row a             column b - a       c-1 steps along a row, one to the next row
//   second   row a(c-1) + b    column a           c-1 steps along a column, one to the next column
//
// Picture: 3x3, numbered in the order of each cycle; the first takes two edges of each row, the second the third one.
//
//   0 1 2      0 4 8
//   4 5 3      1 5 6
//   8 6 7      2 3 7
//
// The second visits every node if and only if c-1 and r have no common factor. The first leaves out, in row y, the edge behind
// column -1-y, and the second takes just these; likewise for columns. So together they take every edge once (a dimension of 2
// has two edges between the same two nodes here, which may be one cable).
//
// Source: the condition is that of Swing (De Sensi et al.) §2.3.1; the cycles are Bae and Bose's Gray codes. Other tori have
// two such cycles too (Kotzig), by other constructions.
#pragma once

#include <numeric>
#include <optional>
#include <vector>

namespace heddle::schedule {

/// r = k·c and gcd(r, c-1) = 1.
constexpr bool has_hamiltonian_cycles(int rows, int columns) {
  return columns >= 1 && rows % columns == 0 && std::gcd(rows, columns - 1) == 1;
}

struct Node2d {
  int row;
  int column;
  friend bool operator==(const Node2d&, const Node2d&) = default;
};

/// The nodes of the first (0) or second (1) cycle in order. Needs has_hamiltonian_cycles.
std::vector<Node2d> hamiltonian_cycle(int rows, int columns, int cycle);

/// Which of two dimensions has the rows, 0 or 1; nothing where the condition holds for neither, or for other than two.
std::optional<int> dimension_of_rows(const std::vector<int>& sizes);

}  // namespace heddle::schedule
