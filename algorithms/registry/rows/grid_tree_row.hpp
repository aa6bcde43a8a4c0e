// SPDX-License-Identifier: Apache-2.0
// Rows of the pipelined trees over the lines of a grid, and what their formulas count with.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/schedule/trees/grid_tree.hpp"
#include "algorithms/schedule/trees/segments.hpp"

namespace heddle {

struct GridTreePipeline {
  schedule::LineWays ways;
  schedule::Segments segments;

  /// Of each long dimension, from the root's coordinate in it; ranks count row-major.
  std::vector<schedule::LineReach> reaches(const Shape& shape) const {
    const std::vector<int> sizes = formulas::long_dimensions(shape);
    std::vector<schedule::LineReach> all;
    int rest = shape.root;
    for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
      all.push_back(schedule::line_reach(rest % *size, *size, shape.wraps, ways));
      rest /= *size;
    }
    return all;
  }
  /// L: links to the farthest rank.
  int steps(const Shape& shape) const {
    int steps = 0;
    for (const schedule::LineReach& reach : reaches(shape)) steps += std::max(reach.up, reach.down);
    return steps;
  }
  /// P.
  std::int64_t wanted(const Shape& shape) const { return segments.wanted(steps(shape), shape.bytes, shape.cost); }
  std::function<std::int64_t(const Shape&)> granule() const {
    return [own = *this](const Shape& shape) { return own.wanted(shape); };
  }
  /// L + P - 1; P is limited by what there is to cut.
  Formula<int> rounds() const {
    const bool both = ways == schedule::LineWays::both;
    return {both ? "Σ⌊dᵢ/2⌋ + P - 1, P segments; on a mesh Σ max(rᵢ, dᵢ-1-rᵢ), r the root" : "Σ(dᵢ-1) + P - 1, P segments",
            [own = *this](const Shape& shape) {
              if (shape.ranks == 1) return 0;
              return own.steps(shape) + static_cast<int>(std::min(own.wanted(shape), shape.count)) - 1;
            }};
  }
  /// Links over which the root sends in a broadcast, and nobody sends over more.
  int ports(const Shape& shape) const {
    int ports = 0;
    for (const schedule::LineReach& reach : reaches(shape)) ports += (reach.up > 0 ? 1 : 0) + (reach.down > 0 ? 1 : 0);
    return ports;
  }
};

/// The row that `make` gives for each value of the options "direction" and "segments".
inline Algorithm grid_tree_row(std::function<Algorithm(GridTreePipeline)> make) {
  const Parameter direction{.name = "direction",
                            .default_value = "bi",
                            .meaning = "along each line of the grid: bi, both ways from where it begins; uni, one way round",
                            .examples = {"uni"},
                            .candidates = candidates_anywhere({"uni"})};
  const auto optimal = [](const Shape& shape) {
    return GridTreePipeline{schedule::LineWays::both, schedule::Segments()}.wanted(shape);
  };
  Algorithm row = make({schedule::LineWays::both, schedule::Segments()});
  row.parameters = {direction, schedule::Segments::parameter(optimal)};
  row.configured = [make = std::move(make)](const Options& options) {
    return make({schedule::parse_line_ways(options.text("direction")), schedule::Segments(options)});
  };
  return row;
}

}  // namespace heddle
