// SPDX-License-Identifier: Apache-2.0
// The tree by which one rank's vector reaches all others over the lines of a grid: along the first dimension, from everyone
// there along the second, and so on.
//
//   3x4 torus, root 0, one way round             both ways
//
//   0 -> 1 -> 2 -> 3                             0 -> 1 -> 2    0 -> 3
//   |    |    |    |                             |    |    |         |
//   4    5    6    7                             4    5    6         7        4, 8 hear from 0, 5 and 9 from 1, …
//   |    |    |    |
//   8    9   10   11                             8    9   10        11
//
// Source: explainer 02 (Lu) §3.2 (torus), §4.2 (mesh).
#pragma once

#include <string_view>

#include "algorithms/executors/lattice.hpp"
#include "algorithms/executors/trees.hpp"

namespace heddle::plans {

/// How a line is gone along from the rank that begins.
enum class LineWays : std::uint8_t {
  one,  ///< upwards round the end
  both  ///< upwards and downwards to halfway round; on a mesh to the ends
};
/// "uni" or "bi"; throws InputError.
LineWays parse_line_ways(std::string_view text);

/// How far a line is gone along upwards and downwards from a coordinate; together they are everyone else. Pure.
struct LineReach {
  int up;
  int down;
};
LineReach line_reach(int from, int size, bool wraps, LineWays ways);

/// The lines of dimension 0 first. Pure.
Tree grid_tree(const Lattice& lattice, bool wraps, Rank root, LineWays ways);

}  // namespace heddle::plans
