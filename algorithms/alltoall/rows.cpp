// SPDX-License-Identifier: Apache-2.0
#include "algorithms/rows.hpp"

#include <algorithm>
#include <bit>

#include "algorithms/alltoall/bine.hpp"
#include "algorithms/alltoall/bruck.hpp"
#include "algorithms/alltoall/circulant.hpp"
#include "algorithms/alltoall/hierarchical.hpp"
#include "algorithms/alltoall/linear.hpp"
#include "algorithms/alltoall/pairwise.hpp"
#include "algorithms/alltoall/relay.hpp"
#include "algorithms/bine_formulas.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/in_network_row.hpp"
#include "algorithms/schedule/circulant_skips.hpp"
#include "algorithms/schedule/relay.hpp"
#include "algorithms/schedule/skip_relay.hpp"
#include "algorithms/signatures.hpp"

namespace heddle::alltoall {

namespace {

using namespace formulas;  // NOLINT(google-build-using-namespace): this file is made of them

int linear_rounds(const Shape& shape) { return shape.ranks > 1 ? 1 : 0; }
int pairwise_rounds(const Shape& shape) { return shape.ranks - 1; }

/// Block-links per rank in a dimension, of as many blocks as it has coordinates: each block counts at every link that it takes.
std::int64_t links_taken(std::int64_t size, bool wraps) {
  return wraps ? size * size / 4 : size - 1 + 2 * ((size - 1) * (size - 1) / 4);
}

int ring_relay_rounds(const Shape& shape) { return shape.ranks / 2; }
std::int64_t ring_relay_bytes(const Shape& shape) { return times(shape.bytes, links_taken(shape.ranks, true), shape.ranks); }

int torus_relay_rounds(const Shape& shape) {
  return sum_over_dimensions(shape, [&](int size) { return schedule::Ways{size, shape.wraps}.longest(); });
}
std::int64_t torus_relay_bytes(const Shape& shape) {
  std::int64_t bytes = 0;
  for (const int size : long_dimensions(shape)) bytes += times(shape.bytes, links_taken(size, shape.wraps), size);
  return bytes;
}
/// Every part of a block has an element.
template <schedule::Turns turns>
std::int64_t block_per_part(const Shape& shape) {
  return std::int64_t{schedule::relay_parts(long_dimensions(shape), shape.wraps, turns)} * shape.ranks;
}
std::int64_t ring_block_per_part(const Shape& shape) {
  return std::int64_t{schedule::relay_parts({shape.ranks}, true, schedule::Turns::at_once)} * shape.ranks;
}

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
       .source = "[explainer-01] §7.2, without rounds",
       .needs = {},
       .rounds_formula = "1",
       .rounds = linear_rounds,
       .bytes_formula = "(p-1)/p · M",
       .bytes = other_blocks_once,
       .granule = block_per_rank,
       .run = as_alltoall(linear)},
      {.collective = Collective::alltoall,
       .name = "pairwise",
       .summary = "One block to one rank in each round, straight to where it belongs.",
       .source = "[explainer-01] §7.2",
       .needs = {},
       .rounds_formula = "p-1",
       .rounds = pairwise_rounds,
       .bytes_formula = "(p-1)/p · M",
       .bytes = other_blocks_once,
       .granule = block_per_rank,
       .run = as_alltoall(pairwise)},
      {.collective = Collective::alltoall,
       .name = "ring_relay",
       .summary = "Blocks go the shorter way round the ring of ranks, passed on from neighbour to neighbour.",
       .source = "[explainer-01] §7.1",
       .needs = {.equal_blocks = true},
       .rounds_formula = "⌊p/2⌋",
       .rounds = ring_relay_rounds,
       .bytes_formula = "⌊p²/4⌋/p · M",
       .bytes = ring_relay_bytes,
       .granule = ring_block_per_part,
       .run = as_alltoall(ring_relay)},
      {.collective = Collective::alltoall,
       .name = "torus_relay",
       .summary = "Blocks go the shortest way over the grid, passed on from neighbour to neighbour, in all dimensions at once.",
       .source = "[explainer-02] §3.6, §4.2",
       .needs = {.equal_blocks = true},
       .rounds_formula = "Σ⌊dᵢ/2⌋; on a mesh Σ(dᵢ-1)",
       .rounds = torus_relay_rounds,
       .bytes_formula = "Σ⌊dᵢ²/4⌋/dᵢ · M; on a mesh Σ((dᵢ-1) + 2⌊(dᵢ-1)²/4⌋)/dᵢ · M",
       .bytes = torus_relay_bytes,
       .granule = block_per_part<schedule::Turns::at_once>,
       .run = as_alltoall(torus_relay)},
      {.collective = Collective::alltoall,
       .name = "torus_decomposed",
       .summary = "An alltoall within the lines of one dimension of the grid after the other, from neighbour to neighbour.",
       .source = "[explainer-02] §3.6, §4.2",
       .needs = {.equal_blocks = true},
       .rounds_formula = "Σ⌊dᵢ/2⌋; on a mesh Σ(dᵢ-1)",
       .rounds = torus_relay_rounds,
       .bytes_formula = "Σ⌊dᵢ²/4⌋/dᵢ · M; on a mesh Σ((dᵢ-1) + 2⌊(dᵢ-1)²/4⌋)/dᵢ · M",
       .bytes = torus_relay_bytes,
       .granule = block_per_part<schedule::Turns::together>,
       .run = as_alltoall(torus_decomposed)},
      {.collective = Collective::alltoall,
       .name = "bruck",
       .summary = "Blocks go their ways in leaps of powers of two, together with others that make the same leap.",
       .source = "[explainer-01] App. B.5; [bruck-1997]; [traeff-2014] without copies",
       .needs = {.equal_blocks = true},
       .rounds_formula = "⌈log2 p⌉",
       .rounds = bruck_rounds,
       .bytes_formula = "ones in 1 … p-1 · M/p; log2 p · M/2 at powers of two",
       .bytes = bruck_bytes,
       .granule = block_per_rank,
       .run = as_alltoall(bruck)},
      {.collective = Collective::alltoall,
       .name = "bine",
       .summary = "Blocks go along a Bine butterfly, in each step together with all that take it.",
       .source = "[bine] §4.4, App. C",
       .needs = {.equal_blocks = true},
       .rounds_formula = "⌈log2 p⌉; ⌊log2 p⌋ + 2 at odd p",
       .rounds = bine_phase_rounds,
       .bytes_formula = "about log2 p · M/2 (exactly at powers of two); by a host at odd p up to four times as much",
       .bytes = bine_alltoall_bytes,
       .granule = block_per_rank,
       .run = as_alltoall(bine)},
      {.collective = Collective::alltoall,
       .name = "circulant",
       .summary = "Blocks go their ways by skips that halve from p to 1, together with others on the same skip.",
       .source = "[traeff] §1, §4",
       .needs = {.equal_blocks = true},
       .rounds_formula = "⌈log2 p⌉",
       .rounds = circulant_rounds,
       .bytes_formula = "skips on the ways 1 … p-1 · M/p; log2 p · M/2 at powers of two",
       .bytes = circulant_bytes,
       .granule = block_per_rank,
       .run = as_alltoall(circulant)},
      hierarchical_row(),
      in_network_row(Collective::alltoall),
  };
}

}  // namespace heddle::alltoall
