// SPDX-License-Identifier: Apache-2.0
#include "algorithms/rows.hpp"

#include "algorithms/broadcast/binomial.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/signatures.hpp"

namespace heddle::broadcast {

namespace {

using namespace formulas;  // NOLINT(google-build-using-namespace): this file is made of them

int binomial_rounds(const Shape& shape) { return ceil_log2(shape.ranks); }
std::int64_t binomial_bytes(const Shape& shape) { return ceil_log2(shape.ranks) * shape.bytes; }

}  // namespace

std::vector<Algorithm> rows() {
  return {
      {.collective = Collective::broadcast,
       .name = "binomial_halving",
       .summary = "A binomial tree that begins with the farthest rank (MPICH's): most messages go to neighbours.",
       .source = "Bine trees (De Sensi et al.) §1, §2.1; explainer 01 (Lu) §3.2",
       .needs = {},
       .rounds_formula = "⌈log2 p⌉",
       .rounds = binomial_rounds,
       .bytes_formula = "⌈log2 p⌉ · M",
       .bytes = binomial_bytes,
       .granule = one_element,
       .run = as_broadcast(binomial_halving)},
      {.collective = Collective::broadcast,
       .name = "binomial_doubling",
       .summary = "A binomial tree that begins with the neighbour (Open MPI's): most messages go far.",
       .source = "Bine trees (De Sensi et al.) §1; explainer 01 (Lu) §3.2",
       .needs = {},
       .rounds_formula = "⌈log2 p⌉",
       .rounds = binomial_rounds,
       .bytes_formula = "⌈log2 p⌉ · M",
       .bytes = binomial_bytes,
       .granule = one_element,
       .run = as_broadcast(binomial_doubling)},
  };
}

}  // namespace heddle::broadcast
