// SPDX-License-Identifier: Apache-2.0
#include "algorithms/rows.hpp"

#include <bit>

#include "algorithms/alltoall/bruck.hpp"
#include "algorithms/alltoall/circulant.hpp"
#include "algorithms/alltoall/linear.hpp"
#include "algorithms/alltoall/pairwise.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/schedule/circulant_skips.hpp"
#include "algorithms/schedule/skip_relay.hpp"
#include "algorithms/signatures.hpp"

namespace heddle::alltoall {

namespace {

using namespace formulas;  // NOLINT(google-build-using-namespace): this file is made of them

std::int64_t least_bytes(const Shape& shape) { return all_but_one_block(shape.bytes, shape.ranks); }

int linear_rounds(const Shape& shape) { return shape.ranks > 1 ? 1 : 0; }
int pairwise_rounds(const Shape& shape) { return shape.ranks - 1; }

int bruck_rounds(const Shape& shape) { return ceil_log2(shape.ranks); }
std::int64_t bruck_bytes(const Shape& shape) {
  std::int64_t leaps = 0;
  for (int way = 1; way < shape.ranks; ++way) leaps += std::popcount(static_cast<unsigned>(way));
  return times(shape.bytes, leaps, shape.ranks);
}

int circulant_rounds(const Shape& shape) { return ceil_log2(shape.ranks); }
std::int64_t circulant_bytes(const Shape& shape) {
  const schedule::SkipRelay relay(schedule::circulant_schedule(shape.ranks, schedule::CirculantSkips()));
  return times(shape.bytes, relay.blocks_sent(), shape.ranks);
}

}  // namespace

std::vector<Algorithm> rows() {
  return {
      {.collective = Collective::alltoall,
       .name = "linear",
       .summary = "All sends and receives at once.",
       .source = "explainer 01 (Lu) §7.2, without rounds",
       .needs = {},
       .rounds_formula = "1",
       .rounds = linear_rounds,
       .bytes_formula = "(p-1)/p · M",
       .bytes = least_bytes,
       .granule = block_per_rank,
       .run = as_alltoall(linear)},
      {.collective = Collective::alltoall,
       .name = "pairwise",
       .summary = "One block to one rank in each round, straight to where it belongs.",
       .source = "explainer 01 (Lu) §7.2",
       .needs = {},
       .rounds_formula = "p-1",
       .rounds = pairwise_rounds,
       .bytes_formula = "(p-1)/p · M",
       .bytes = least_bytes,
       .granule = block_per_rank,
       .run = as_alltoall(pairwise)},
      {.collective = Collective::alltoall,
       .name = "bruck",
       .summary = "Blocks go their ways in leaps of powers of two, together with others that make the same leap.",
       .source = "explainer 01 (Lu) App. B.5; Bruck et al. (1997)",
       .needs = {.equal_blocks = true},
       .rounds_formula = "⌈log2 p⌉",
       .rounds = bruck_rounds,
       .bytes_formula = "ones in 1 … p-1 · M/p; log2 p · M/2 at powers of two",
       .bytes = bruck_bytes,
       .granule = block_per_rank,
       .run = as_alltoall(bruck)},
      {.collective = Collective::alltoall,
       .name = "circulant",
       .summary = "Blocks go their ways by skips that halve from p to 1, together with others on the same skip.",
       .source = "Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms, §1, §4",
       .needs = {.equal_blocks = true},
       .rounds_formula = "⌈log2 p⌉",
       .rounds = circulant_rounds,
       .bytes_formula = "skips on the ways 1 … p-1 · M/p; log2 p · M/2 at powers of two",
       .bytes = circulant_bytes,
       .granule = block_per_rank,
       .run = as_alltoall(circulant)},
  };
}

}  // namespace heddle::alltoall
