// SPDX-License-Identifier: Apache-2.0
// What `pat` has in common as a reduce-scatter and as an allgather: its option and its rounds.
#pragma once

#include <string>
#include <vector>

#include "algorithms/registry/options.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/schedule/skips/pat_schedule.hpp"

namespace heddle {

/// Powers of two below half of the ranks, as many as the largest message carries anyway.
inline std::vector<std::string> pat_aggregations(const Shape& shape) {
  std::vector<std::string> values;
  for (int blocks = 1; blocks < (shape.ranks + 1) / 2; blocks *= 2) values.insert(values.begin(), std::to_string(blocks));
  return values;
}

inline Parameter pat_aggregation_parameter() {
  return {.name = "aggregation",
          .default_value = "all",
          .meaning =
              "the most blocks that one message carries: a number, of which the largest power of two below or equal "
              "counts, or all",
          .examples = {"1", "2", "5"},
          .candidates = pat_aggregations};
}

/// Throws InputError for what is neither a positive number nor "all".
inline int pat_aggregation(const Options& options) {
  if (options.text("aggregation") == "all") return schedule::kAggregateAll;
  return static_cast<int>(options.number("aggregation", 1, schedule::kAggregateAll));
}

inline Formula<int> pat_rounds(int aggregation) {
  return {"⌈log2 p⌉; of up to 2^a blocks min(a + 2^(⌈log2 p⌉-a) - 1, p-1)",
          [aggregation](const Shape& shape) { return schedule::pat_rounds(shape.ranks, aggregation); }};
}

}  // namespace heddle
