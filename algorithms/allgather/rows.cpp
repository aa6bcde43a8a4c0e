// SPDX-License-Identifier: Apache-2.0
#include "algorithms/rows.hpp"

#include "algorithms/allgather/circulant.hpp"
#include "algorithms/allgather/torus_ring.hpp"
#include "algorithms/circulant_row.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/signatures.hpp"

namespace heddle::allgather {

namespace {

using namespace formulas;  // NOLINT(google-build-using-namespace): this file is made of them

std::int64_t least_bytes(const Shape& shape) { return all_but_one_block(shape.bytes, shape.ranks); }

Algorithm circulant_with(const schedule::CirculantSkips& skips) {
  return circulant_row(
      skips, {.collective = Collective::allgather,
              .summary = "The circulant reduce-scatter backwards, on skips that double up to p; any p in fewest rounds.",
              .source = "Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms, §2.2, Algorithm 2",
              .phases = 1,
              .run = as_allgather([skips](Communicator& comm, VectorView vector, const BlockPartition& blocks) {
                circulant(comm, vector, blocks, skips);
              }),
              .with = circulant_with});
}

}  // namespace

std::vector<Algorithm> rows() {
  return {
      {.collective = Collective::allgather,
       .name = "torus_ring",
       .summary = "Rings along one dimension of the grid after the other: to neighbours only, through one port.",
       .source = "explainer 02 (Lu) §3.5",
       .needs = {},
       .rounds_formula = "Σ(dᵢ-1)",
       .rounds = ring_rounds,
       .bytes_formula = "(p-1)/p · M",
       .bytes = least_bytes,
       .granule = block_per_rank,
       .run = as_allgather(torus_ring)},
      circulant_with(schedule::CirculantSkips()),
  };
}

}  // namespace heddle::allgather
