// SPDX-License-Identifier: Apache-2.0
// Steps of a collective on a grid: its dimensions take turns. Pure.
#pragma once

#include <span>
#include <vector>

namespace heddle::schedule {

/// One step of a collective in several dimensions.
struct DimensionStep {
  int dimension;
  int step;  ///< within the dimension
  friend bool operator==(const DimensionStep&, const DimensionStep&) = default;
};

/// Steps 0 of all dimensions in turn, from `first_dimension` on, then steps 1, …; `steps[i]` of them in dimension i.
std::vector<DimensionStep> interleaved_steps(std::span<const int> steps, int first_dimension);

}  // namespace heddle::schedule
