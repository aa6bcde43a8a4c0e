// SPDX-License-Identifier: Apache-2.0
// Rounds of one pass of a pattern over the dimensions of the grid, one after the other. Pure.
#pragma once

#include "algorithms/formulas.hpp"
#include "algorithms/schedule/bruck_pattern.hpp"
#include "algorithms/schedule/swing_pattern.hpp"
#include "algorithms/schedule/trivance_pattern.hpp"

namespace heddle::formulas {

inline int swing_rounds(const Shape& shape) { return sum_over_dimensions(shape, schedule::swing_steps); }

inline int trivance_rounds(const Shape& shape) { return sum_over_dimensions(shape, schedule::trivance_steps); }

inline int bruck_rounds(const Shape& shape, int ports) {
  return sum_over_dimensions(shape, [ports](int size) { return schedule::bruck_steps(size, ports); });
}

}  // namespace heddle::formulas
