// SPDX-License-Identifier: Apache-2.0
// Rounds of a pattern over the dimensions of the grid, one after the other: one pass, and two. Pure.
#pragma once

#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/schedule/butterflies/swing_pattern.hpp"
#include "algorithms/schedule/windows/bruck_pattern.hpp"
#include "algorithms/schedule/windows/trivance_pattern.hpp"

namespace heddle::formulas {

inline Rounds swing_rounds() {
  return {"Σ⌈log2 dᵢ⌉; ⌈log2(dᵢ-1)⌉ where dᵢ is odd",
          [](const Shape& shape) { return sum_over_dimensions(shape, schedule::swing_steps); }};
}
inline Rounds two_swing_rounds() {
  return {"2Σ⌈log2 dᵢ⌉; ⌈log2(dᵢ-1)⌉ where dᵢ is odd", [](const Shape& shape) { return 2 * swing_rounds()(shape); }};
}

inline Rounds trivance_rounds() {
  return {"Σ⌈log3 dᵢ⌉", [](const Shape& shape) { return sum_over_dimensions(shape, schedule::trivance_steps); }};
}
inline Rounds two_trivance_rounds() {
  return {"2Σ⌈log3 dᵢ⌉", [](const Shape& shape) { return 2 * trivance_rounds()(shape); }};
}

inline Rounds bruck_rounds(int ports) {
  return {"Σ⌈log_{k+1} dᵢ⌉, k ports", [ports](const Shape& shape) {
            return sum_over_dimensions(shape, [ports](int size) { return schedule::bruck_steps(size, ports); });
          }};
}
inline Rounds two_bruck_rounds(int ports) {
  return {"2Σ⌈log_{k+1} dᵢ⌉, k ports", [ports](const Shape& shape) { return 2 * bruck_rounds(ports)(shape); }};
}

}  // namespace heddle::formulas
