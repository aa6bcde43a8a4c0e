// SPDX-License-Identifier: Apache-2.0
// Rows of algorithms that cut their vector into segments.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/channel_options.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/schedule/tiers/channels.hpp"
#include "algorithms/schedule/trees/segments.hpp"

namespace heddle {

/// What its formulas count with.
struct Pipeline {
  schedule::Segments segments;
  std::string_view rounds_text;
  std::function<int(const Shape&)> steps;  ///< L, of one segment
  int vectors = 1;                         ///< run at once, each on its part

  /// P, of each part.
  std::int64_t wanted(const Shape& shape) const { return segments.wanted(steps(shape), shape.bytes / vectors, shape.cost); }
  /// The least count that gives every segment of every part an element.
  std::function<std::int64_t(const Shape&)> granule() const {
    return [own = *this](const Shape& shape) { return own.vectors * own.wanted(shape); };
  }
  /// L + P - 1; P is limited by what there is to cut.
  Formula<int> rounds() const {
    return {rounds_text, [own = *this](const Shape& shape) {
              if (shape.ranks == 1) return 0;
              const std::int64_t longest = (shape.count + own.vectors - 1) / own.vectors;
              return own.steps(shape) + static_cast<int>(std::min(own.wanted(shape), longest)) - 1;
            }};
  }
  /// All but one rank of each tree get each segment, in each of so many passes.
  std::function<double(const Shape&)> messages_a_round(int passes = 1) const {
    return [own = *this, passes](const Shape& shape) {
      const double pieces =
          static_cast<double>(std::min(own.vectors * own.wanted(shape), std::max<std::int64_t>(1, shape.count)));
      return passes * pieces * (shape.ranks - 1) / shape.ranks / std::max(1, own.rounds()(shape));
    };
  }
};

/// A chain of all ranks for each channel.
inline Pipeline chain_pipeline(schedule::Segments segments, int channels) {
  return {segments, "p + P - 2, P segments", [](const Shape& shape) { return shape.ranks - 1; }, channels};
}
inline Pipeline binomial_pipeline(schedule::Segments segments) {
  return {segments, "⌊log2 p⌋ + P - 1, P segments", [](const Shape& shape) { return formulas::floor_log2(shape.ranks); }};
}
/// Half of the vector, or of a channel's slice, along each of two binary trees.
inline Pipeline two_trees_pipeline(schedule::Segments segments, int channels) {
  const auto height = [channels](const Shape& shape) {
    if (channels == 1) return formulas::ceil_log2(shape.ranks);
    return schedule::height_of(schedule::channel_trees(shape.tiers, shape.ranks, channels, shape.root));
  };
  return {segments, "⌈log2 p⌉ + P - 1, P segments of each half", height, 2 * channels};
}
/// Up to the roots and down again.
inline Pipeline up_and_down_two_trees_pipeline(schedule::Segments segments, int channels) {
  const auto up_and_down = [channels](const Shape& shape) {
    if (channels == 1) return 2 * formulas::ceil_log2(shape.ranks);
    return 2 * schedule::height_of(schedule::channel_trees(shape.tiers, shape.ranks, channels));
  };
  return {segments, "2⌈log2 p⌉ + P - 1, P segments of each half", up_and_down, 2 * channels};
}

/// The row that `make` gives for each value of the option "segments"; `pipeline` is what its formulas count with.
inline Algorithm pipelined_row(Pipeline (*pipeline)(schedule::Segments), Algorithm (*make)(schedule::Segments)) {
  const auto optimal = [pipeline](const Shape& shape) { return pipeline(schedule::Segments()).wanted(shape); };
  Algorithm row = make(schedule::Segments());
  row.parameters = {schedule::Segments::parameter(optimal)};
  row.configured = [make](const Options& options) { return make(schedule::Segments(options)); };
  return row;
}

/// The same of a row that also has the option "channels".
inline Algorithm pipelined_row(Pipeline (*pipeline)(schedule::Segments, int channels),
                               Algorithm (*make)(schedule::Segments, int channels)) {
  const auto optimal = [pipeline](const Shape& shape) { return pipeline(schedule::Segments(), 1).wanted(shape); };
  Algorithm row = make(schedule::Segments(), 1);
  row.parameters = {schedule::Segments::parameter(optimal), channels_parameter()};
  row.configured = [make](const Options& options) { return make(schedule::Segments(options), channels_of(options)); };
  return row;
}

}  // namespace heddle
