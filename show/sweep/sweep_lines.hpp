// SPDX-License-Identifier: Apache-2.0
// Which results stand on which line of a sweep's table. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lab/sweep/sweep_result.hpp"

namespace heddle {

/// Algorithms that were twins (lab/describe/equal_runs.hpp) wherever they were measured; most lines are of one.
struct SweepLine {
  std::vector<std::string> names;
  std::vector<const SweepResult*> results;  ///< of the first of them, by size; nullptr where it was left out
};

/// Of one fabric's results, which outlive the lines, in the order in which algorithms come. `by_row`: of a row's variants
/// `results` has one at each size, and the line has the row's name.
std::vector<SweepLine> sweep_lines(std::span<const SweepResult> results, std::span<const std::int64_t> sizes, bool by_row);

}  // namespace heddle
