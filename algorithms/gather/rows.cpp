// SPDX-License-Identifier: Apache-2.0
#include "algorithms/rows.hpp"

#include <algorithm>

#include "algorithms/formulas.hpp"
#include "algorithms/gather/bine.hpp"
#include "algorithms/gather/binomial.hpp"
#include "algorithms/gather/circulant.hpp"
#include "algorithms/gather/linear.hpp"
#include "algorithms/schedule/bine_tree.hpp"
#include "algorithms/schedule/circulant_tree.hpp"
#include "algorithms/signatures.hpp"

namespace heddle::gather {

namespace {

using namespace formulas;  // NOLINT(google-build-using-namespace): this file is made of them

int one_round(const Shape& shape) { return shape.ranks > 1 ? 1 : 0; }
std::int64_t one_block(const Shape& shape) { return shape.ranks > 1 ? times(shape.bytes, 1, shape.ranks) : 0; }

int binomial_rounds(const Shape& shape) { return floor_log2(shape.ranks); }
/// The longest run of blocks below an edge of the root: behind the farthest child, which the end of the ranks cuts off, or
/// behind the second.
std::int64_t binomial_bytes(const Shape& shape) {
  if (shape.ranks == 1) return 0;
  const int farthest = 1 << (ceil_log2(shape.ranks) - 1);
  return times(shape.bytes, std::max(shape.ranks - farthest, farthest / 2), shape.ranks);
}

schedule::Tree bine_tree(const Shape& shape) { return schedule::bine_tree(shape.ranks, 0, schedule::Distances::halving); }
int bine_rounds(const Shape& shape) { return bine_tree(shape).height(); }
/// The most blocks below an edge.
std::int64_t bine_bytes(const Shape& shape) {
  const std::vector<schedule::RunSet> subtrees = bine_tree(shape).subtrees();
  std::int64_t most = 0;
  for (std::size_t rank = 1; rank < subtrees.size(); ++rank) most = std::max(most, schedule::count(subtrees[rank]));
  return times(shape.bytes, most, shape.ranks);
}

int circulant_rounds(const Shape& shape) { return schedule::circulant_tree(shape.ranks, 0).height(); }
std::int64_t circulant_bytes(const Shape& shape) {
  return times(shape.bytes, schedule::largest_branch(schedule::circulant_tree(shape.ranks, 0)), shape.ranks);
}

}  // namespace

std::vector<Algorithm> rows() {
  return {
      {.collective = Collective::gather,
       .name = "linear",
       .summary = "Everyone sends its block straight to the root, at once.",
       .source = "[bine] §5.3.2, as a baseline",
       .needs = {},
       .rounds_formula = "1",
       .rounds = one_round,
       .bytes_formula = "M/p",
       .bytes = one_block,
       .granule = block_per_rank,
       .run = as_gather(linear)},
      {.collective = Collective::gather,
       .name = "binomial",
       .summary = "Runs of blocks flow together along a binomial tree, twice as long in each step.",
       .source = "[bine] §4.1 and Fig. 7",
       .needs = {},
       .rounds_formula = "⌊log2 p⌋",
       .rounds = binomial_rounds,
       .bytes_formula = "max(p - 2^(k-1), 2^(k-2))/p · M, k = ⌈log2 p⌉; M/2 if p is a power of two",
       .bytes = binomial_bytes,
       .granule = block_per_rank,
       .run = as_gather(binomial)},
      {.collective = Collective::gather,
       .name = "bine",
       .summary = "Runs of blocks round the circle flow together along a Bine tree, twice as long in each step.",
       .source = "[bine] §4.1 and Fig. 7, App. C",
       .needs = {},
       .rounds_formula = "⌊log2 p⌋ or ⌈log2 p⌉",
       .rounds = bine_rounds,
       .bytes_formula = "M/2; at odd p as many blocks as lie below the first child",
       .bytes = bine_bytes,
       .granule = block_per_rank,
       .run = as_gather(bine)},
      {.collective = Collective::gather,
       .name = "circulant",
       .summary = "Blocks flow together along the tree of the circulant reduce, whose skips halve from p to 1.",
       .source = "[traeff] §4",
       .needs = {},
       .rounds_formula = "the tree's height, at most ⌊log2 p⌋",
       .rounds = circulant_rounds,
       .bytes_formula = "the largest branch/p · M; M/2 if p is a power of two",
       .bytes = circulant_bytes,
       .granule = block_per_rank,
       .run = as_gather(circulant)},
  };
}

}  // namespace heddle::gather
