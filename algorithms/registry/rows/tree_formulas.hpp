// SPDX-License-Identifier: Apache-2.0
// Rounds of what flows up a tree: its height. Pure.
#pragma once

#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/schedule/bine/bine_tree.hpp"
#include "algorithms/schedule/skips/circulant_tree.hpp"

namespace heddle::formulas {

inline Rounds bine_tree_rounds(schedule::Distances distances) {
  return {"⌊log2 p⌋ or ⌈log2 p⌉",
          [distances](const Shape& shape) { return schedule::bine_tree(shape.ranks, 0, distances).height(); }};
}

inline Rounds circulant_tree_rounds() {
  return {"the tree's height, at most ⌊log2 p⌋",
          [](const Shape& shape) { return schedule::circulant_tree(shape.ranks, 0).height(); }};
}

}  // namespace heddle::formulas
