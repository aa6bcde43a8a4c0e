// SPDX-License-Identifier: Apache-2.0
#include "algorithms/rows.hpp"

#include "algorithms/formulas.hpp"
#include "algorithms/reduce/bine.hpp"
#include "algorithms/reduce/binomial.hpp"
#include "algorithms/schedule/bine_tree.hpp"
#include "algorithms/signatures.hpp"

namespace heddle::reduce {

namespace {

using namespace formulas;  // NOLINT(google-build-using-namespace): this file is made of them

int binomial_rounds(const Shape& shape) { return floor_log2(shape.ranks); }
std::int64_t vector_once(const Shape& shape) { return shape.ranks == 1 ? 0 : shape.bytes; }

template <schedule::Distances distances>
int bine_rounds(const Shape& shape) {
  return schedule::bine_tree(shape.ranks, 0, distances).height();
}

}  // namespace

std::vector<Algorithm> rows() {
  return {
      {.collective = Collective::reduce,
       .name = "binomial_halving",
       .summary = "Sums flow together along a binomial tree, neighbours first: the broadcast's backwards.",
       .source = "explainer 01 (Lu) §4.2; Bine trees (De Sensi et al.) §2.1",
       .needs = {.commutative = true},
       .rounds_formula = "⌊log2 p⌋",
       .rounds = binomial_rounds,
       .bytes_formula = "M",
       .bytes = vector_once,
       .granule = one_element,
       .run = as_reduce(binomial_halving)},
      {.collective = Collective::reduce,
       .name = "binomial_doubling",
       .summary = "Sums flow together along a binomial tree, far ranks first: the broadcast's backwards.",
       .source = "explainer 01 (Lu) §4.2; Bine trees (De Sensi et al.) §2.1",
       .needs = {.commutative = true},
       .rounds_formula = "⌊log2 p⌋",
       .rounds = binomial_rounds,
       .bytes_formula = "M",
       .bytes = vector_once,
       .granule = one_element,
       .run = as_reduce(binomial_doubling)},
      {.collective = Collective::reduce,
       .name = "bine_halving",
       .summary = "Sums flow together along a Bine tree, neighbours first: the broadcast's backwards.",
       .source = "Bine (De Sensi et al.) §4.5, §2, App. C",
       .needs = {.commutative = true},
       .rounds_formula = "⌊log2 p⌋ or ⌈log2 p⌉",
       .rounds = bine_rounds<schedule::Distances::halving>,
       .bytes_formula = "M",
       .bytes = vector_once,
       .granule = one_element,
       .run = as_reduce(bine_halving)},
      {.collective = Collective::reduce,
       .name = "bine_doubling",
       .summary = "Sums flow together along a Bine tree, far ranks first: the broadcast's backwards.",
       .source = "Bine (De Sensi et al.) §3.2, App. A, App. C",
       .needs = {.commutative = true},
       .rounds_formula = "⌊log2 p⌋ or ⌈log2 p⌉",
       .rounds = bine_rounds<schedule::Distances::doubling>,
       .bytes_formula = "M",
       .bytes = vector_once,
       .granule = one_element,
       .run = as_reduce(bine_doubling)},
  };
}

}  // namespace heddle::reduce
