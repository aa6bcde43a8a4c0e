// SPDX-License-Identifier: Apache-2.0
#include "algorithms/rows.hpp"

#include "algorithms/formulas.hpp"
#include "algorithms/scatter/bine.hpp"
#include "algorithms/scatter/binomial.hpp"
#include "algorithms/scatter/circulant.hpp"
#include "algorithms/scatter/linear.hpp"
#include "algorithms/signatures.hpp"

namespace heddle::scatter {

namespace {

using namespace formulas;  // NOLINT(google-build-using-namespace): this file is made of them

int one_round(const Shape& shape) { return shape.ranks > 1 ? 1 : 0; }
int binomial_rounds(const Shape& shape) { return ceil_log2(shape.ranks); }
std::int64_t all_but_own(const Shape& shape) { return all_but_one_block(shape.bytes, shape.ranks); }

}  // namespace

std::vector<Algorithm> rows() {
  return {
      {.collective = Collective::scatter,
       .name = "linear",
       .summary = "The root sends every rank its block straight, all at once.",
       .source = "[bine] §5.3.2, as a baseline",
       .needs = {},
       .rounds_formula = "1",
       .rounds = one_round,
       .bytes_formula = "(p-1)/p · M",
       .bytes = all_but_own,
       .granule = block_per_rank,
       .run = as_scatter(linear)},
      {.collective = Collective::scatter,
       .name = "binomial",
       .summary = "Runs of blocks part along a binomial tree, half as long in each step.",
       .source = "[bine] §4.2",
       .needs = {},
       .rounds_formula = "⌈log2 p⌉",
       .rounds = binomial_rounds,
       .bytes_formula = "(p-1)/p · M",
       .bytes = all_but_own,
       .granule = block_per_rank,
       .run = as_scatter(binomial)},
      {.collective = Collective::scatter,
       .name = "bine",
       .summary = "Runs of blocks round the circle part along a Bine tree, half as long in each step.",
       .source = "[bine] §4.2, App. C",
       .needs = {},
       .rounds_formula = "⌈log2 p⌉",
       .rounds = binomial_rounds,
       .bytes_formula = "(p-1)/p · M",
       .bytes = all_but_own,
       .granule = block_per_rank,
       .run = as_scatter(bine)},
      {.collective = Collective::scatter,
       .name = "circulant",
       .summary = "The root's blocks part along the tree of the circulant broadcast.",
       .source = "[traeff] §4",
       .needs = {},
       .rounds_formula = "⌈log2 p⌉",
       .rounds = binomial_rounds,
       .bytes_formula = "(p-1)/p · M",
       .bytes = all_but_own,
       .granule = block_per_rank,
       .run = as_scatter(circulant)},
  };
}

}  // namespace heddle::scatter
