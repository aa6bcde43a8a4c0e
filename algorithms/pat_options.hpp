// SPDX-License-Identifier: Apache-2.0
// What may be set of `pat`, in a reduce-scatter as in an allgather.
#pragma once

#include "algorithms/options.hpp"
#include "algorithms/schedule/pat_schedule.hpp"

namespace heddle {

inline Parameter pat_aggregation_parameter() {
  return {.name = "aggregation",
          .default_value = "all",
          .meaning =
              "the most blocks that one message carries: a number, of which the largest power of two below or equal "
              "counts, or all",
          .examples = {"1", "2", "5"}};
}

/// Throws InputError for what is neither a positive number nor "all".
inline int pat_aggregation(const Options& options) {
  if (options.text("aggregation") == "all") return schedule::kAggregateAll;
  return static_cast<int>(options.number("aggregation", 1, schedule::kAggregateAll));
}

}  // namespace heddle
