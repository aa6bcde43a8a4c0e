// SPDX-License-Identifier: Apache-2.0
#include "algorithms/rows.hpp"

#include "algorithms/barrier/barrier.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/signatures.hpp"

namespace heddle::barrier {

namespace {

using namespace formulas;  // NOLINT(google-build-using-namespace): this file is made of them

std::int64_t no_bytes(const Shape&) { return 0; }

}  // namespace

std::vector<Algorithm> rows() {
  return {
      {.collective = Collective::barrier,
       .name = "dissemination",
       .summary = "Everyone tells the rank 1, 2, 4, … further that it has come: fewest rounds for any p.",
       .source = "[hensgen-1988]; [explainer-01] App. B.5 for the pattern",
       .needs = {},
       .rounds_formula = "⌈log2 p⌉",
       .rounds = [](const Shape& shape) { return ceil_log2(shape.ranks); },
       .bytes_formula = "0",
       .bytes = no_bytes,
       .granule = one_element,
       .run = as_barrier(dissemination)},
      {.collective = Collective::barrier,
       .name = "binomial",
       .summary = "Word goes up a binomial tree to rank 0 and back down: fewest messages.",
       .source = "[explainer-01] §3.2, §4.2",
       .needs = {},
       .rounds_formula = "⌊log2 p⌋ + ⌈log2 p⌉",
       .rounds = [](const Shape& shape) { return floor_log2(shape.ranks) + ceil_log2(shape.ranks); },
       .bytes_formula = "0",
       .bytes = no_bytes,
       .granule = one_element,
       .run = as_barrier(binomial)},
  };
}

}  // namespace heddle::barrier
