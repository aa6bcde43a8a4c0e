// SPDX-License-Identifier: Apache-2.0
// Rows of algorithms that cut their vector into segments.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>

#include "algorithms/registry.hpp"
#include "algorithms/schedule/segments.hpp"

namespace heddle {

/// The row that `make` gives for each value of the option "segments".
inline Algorithm pipelined_row(std::function<Algorithm(schedule::Segments)> make) {
  Algorithm row = make(schedule::Segments());
  row.parameters = {schedule::Segments::parameter()};
  row.configured = [make = std::move(make)](const Options& options) { return make(schedule::Segments(options)); };
  return row;
}

/// What its formulas count with.
struct Pipeline {
  schedule::Segments segments;
  std::function<int(int ranks)> steps;  ///< L, of one segment
  int vectors = 1;                      ///< run at once, each on its part

  /// Of each part.
  std::int64_t wanted(const Shape& shape) const {
    return segments.wanted(steps(shape.ranks), shape.bytes / vectors, shape.cost);
  }
  /// The least count that gives every segment of every part an element.
  std::int64_t granule(const Shape& shape) const { return vectors * wanted(shape); }
  /// L + P - 1; P is limited by what there is to cut.
  int rounds(const Shape& shape) const {
    if (shape.ranks == 1) return 0;
    const std::int64_t longest = (shape.count + vectors - 1) / vectors;
    return steps(shape.ranks) + static_cast<int>(std::min(wanted(shape), longest)) - 1;
  }
};

}  // namespace heddle
