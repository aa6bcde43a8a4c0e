// SPDX-License-Identifier: Apache-2.0
// Rows of algorithms that cut their vector into segments.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/schedule/trees/segments.hpp"

namespace heddle {

/// What its formulas count with.
struct Pipeline {
  schedule::Segments segments;
  std::string_view rounds_text;
  int (*steps)(int ranks);  ///< L, of one segment
  int vectors = 1;          ///< run at once, each on its part

  /// P, of each part.
  std::int64_t wanted(const Shape& shape) const {
    return segments.wanted(steps(shape.ranks), shape.bytes / vectors, shape.cost);
  }
  /// The least count that gives every segment of every part an element.
  std::function<std::int64_t(const Shape&)> granule() const {
    return [own = *this](const Shape& shape) { return own.vectors * own.wanted(shape); };
  }
  /// L + P - 1; P is limited by what there is to cut.
  Formula<int> rounds() const {
    return {rounds_text, [own = *this](const Shape& shape) {
              if (shape.ranks == 1) return 0;
              const std::int64_t longest = (shape.count + own.vectors - 1) / own.vectors;
              return own.steps(shape.ranks) + static_cast<int>(std::min(own.wanted(shape), longest)) - 1;
            }};
  }
};

inline Pipeline chain_pipeline(schedule::Segments segments) {
  return {segments, "p + P - 2, P segments", [](int p) { return p - 1; }};
}
inline Pipeline binomial_pipeline(schedule::Segments segments) {
  return {segments, "⌊log2 p⌋ + P - 1, P segments", formulas::floor_log2};
}
/// Half of the vector along each of two binary trees.
inline Pipeline two_trees_pipeline(schedule::Segments segments) {
  return {segments, "⌈log2 p⌉ + P - 1, P segments of each half", formulas::ceil_log2, 2};
}
/// Up to the roots and down again.
inline Pipeline up_and_down_two_trees_pipeline(schedule::Segments segments) {
  return {segments, "2⌈log2 p⌉ + P - 1, P segments of each half", [](int p) { return 2 * formulas::ceil_log2(p); }, 2};
}

/// The row that `make` gives for each value of the option "segments"; `pipeline` is what its formulas count with.
inline Algorithm pipelined_row(Pipeline (*pipeline)(schedule::Segments), Algorithm (*make)(schedule::Segments)) {
  const auto optimal = [pipeline](const Shape& shape) { return pipeline(schedule::Segments()).wanted(shape); };
  Algorithm row = make(schedule::Segments());
  row.parameters = {schedule::Segments::parameter(optimal)};
  row.configured = [make](const Options& options) { return make(schedule::Segments(options)); };
  return row;
}

}  // namespace heddle
