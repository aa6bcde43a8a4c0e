// SPDX-License-Identifier: Apache-2.0
#include "algorithms/rows.hpp"

#include "algorithms/circulant_row.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/reduce_scatter/circulant.hpp"
#include "algorithms/reduce_scatter/torus_ring.hpp"
#include "algorithms/signatures.hpp"

namespace heddle::reduce_scatter {

namespace {

using namespace formulas;  // NOLINT(google-build-using-namespace): this file is made of them

std::int64_t least_bytes(const Shape& shape) { return all_but_one_block(shape.bytes, shape.ranks); }

Algorithm circulant_with(const schedule::CirculantSkips& skips) {
  return circulant_row(
      skips,
      {.collective = Collective::reduce_scatter,
       .summary =
           "Partial sums of half of the offsets after the other, on skips that halve from p to 1; any p in fewest rounds.",
       .source = "Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms, §2.1, Algorithm 1",
       .phases = 1,
       .run = as_reduce_scatter([skips](Communicator& comm, VectorView inout, const BlockPartition& blocks,
                                        const ReduceOp& op) { circulant(comm, inout, blocks, op, skips); }),
       .with = circulant_with});
}

}  // namespace

std::vector<Algorithm> rows() {
  return {
      {.collective = Collective::reduce_scatter,
       .name = "torus_ring",
       .summary = "Rings along one dimension of the grid after the other: to neighbours only, through one port.",
       .source = "explainer 02 (Lu) §3.5",
       .needs = {.commutative = true},
       .rounds_formula = "Σ(dᵢ-1)",
       .rounds = ring_rounds,
       .bytes_formula = "(p-1)/p · M",
       .bytes = least_bytes,
       .granule = block_per_rank,
       .run = as_reduce_scatter(torus_ring)},
      circulant_with(schedule::CirculantSkips()),
  };
}

}  // namespace heddle::reduce_scatter
