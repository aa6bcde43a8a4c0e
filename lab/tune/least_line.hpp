// SPDX-License-Identifier: Apache-2.0
// Which of several times is the least between two sizes at which they were measured: the lower envelope of lines. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace heddle {

/// What one of them takes at two sizes next to each other, in any unit; no value: it was not measured there.
struct TimeLine {
  std::optional<double> below = {};
  std::optional<double> above = {};
  /// Whether times between the two lie on the straight line. Where they do not, nothing is known of them but both ends.
  bool is_straight = true;

  bool has_both() const { return below && above; }
  /// `part` of the way from the lower size to the upper one, 0 … 1. It has both.
  double at(double part) const { return *below * (1 - part) + *above * part; }
};

/// Where another line becomes the least.
struct LeastChange {
  std::size_t from = 0;  ///< by line
  std::size_t to = 0;
  std::optional<double> part =
      {};  ///< of the way from the lower size to the upper one, 0 … 1; no value: somewhere between them
};

/// The changes between the two sizes, from the lower one on. `first` is a line that is the least at the lower size; what is not
/// measured at a size counts as nothing there. Each line is the least from its change on to the next one, or to the upper size.
/// If one of these is not straight, or is not measured at both sizes, there is at most one change, to the least at the upper
/// size, and nobody knows where. None where no line is measured at the upper size.
std::vector<LeastChange> changes_of_least(std::span<const TimeLine> lines, std::size_t first);

/// The least of the lines at `part` but for one of them, of those that are measured at both sizes; no value: there is no other.
std::optional<double> least_but_for(std::span<const TimeLine> lines, std::size_t one, double part);

}  // namespace heddle
