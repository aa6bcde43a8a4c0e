// SPDX-License-Identifier: Apache-2.0
#include "algorithms/rows.hpp"

#include "algorithms/allreduce/bine.hpp"
#include "algorithms/allreduce/bruck.hpp"
#include "algorithms/allreduce/bucket.hpp"
#include "algorithms/allreduce/census.hpp"
#include "algorithms/allreduce/circulant.hpp"
#include "algorithms/allreduce/double_binary_tree.hpp"
#include "algorithms/allreduce/hamiltonian_rings.hpp"
#include "algorithms/allreduce/hierarchical.hpp"
#include "algorithms/allreduce/rabenseifner.hpp"
#include "algorithms/allreduce/recursive_doubling.hpp"
#include "algorithms/allreduce/reduce_broadcast.hpp"
#include "algorithms/allreduce/ring.hpp"
#include "algorithms/allreduce/ring_bidirectional.hpp"
#include "algorithms/allreduce/swing.hpp"
#include "algorithms/allreduce/torus_rabenseifner.hpp"
#include "algorithms/allreduce/torus_recursive_doubling.hpp"
#include "algorithms/allreduce/torus_ring.hpp"
#include "algorithms/allreduce/trivance.hpp"
#include "algorithms/bine_formulas.hpp"
#include "algorithms/bruck_options.hpp"
#include "algorithms/circulant_row.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/in_network_row.hpp"
#include "algorithms/pattern_rounds.hpp"
#include "algorithms/pipelined_row.hpp"
#include "algorithms/schedule/bruck_pattern.hpp"
#include "algorithms/schedule/fold.hpp"
#include "algorithms/schedule/swing_pattern.hpp"
#include "algorithms/schedule/trivance_pattern.hpp"
#include "algorithms/schedule/vector_schedule.hpp"
#include "algorithms/signatures.hpp"

namespace heddle::allreduce {

namespace {

using namespace formulas;  // NOLINT(google-build-using-namespace): this file is made of them
using schedule::Fold;

int folds(int members) { return Fold(members).guests() > 0 ? 1 : 0; }

int flat_ring_rounds(const Shape& shape) { return 2 * (shape.ranks - 1); }
std::int64_t least_bytes(const Shape& shape) { return scattered_and_gathered(shape.bytes, shape.ranks); }

int recursive_doubling_rounds(const Shape& shape) { return floor_log2(shape.ranks) + 2 * folds(shape.ranks); }
std::int64_t recursive_doubling_bytes(const Shape& shape) {
  return (floor_log2(shape.ranks) + folds(shape.ranks)) * shape.bytes;
}

int rabenseifner_rounds(const Shape& shape) { return 2 * floor_log2(shape.ranks) + 2 * folds(shape.ranks); }
std::int64_t rabenseifner_bytes(const Shape& shape) {
  return scattered_and_gathered(shape.bytes, Fold(shape.ranks).seats()) + folds(shape.ranks) * shape.bytes;
}
std::int64_t block_per_seat(const Shape& shape) { return Fold(shape.ranks).seats(); }

int vector_schedule_rounds(const Shape& shape) {
  return sum_over_dimensions(shape, [](int size) { return floor_log2(size) + 2 * folds(size); });
}
std::int64_t vector_schedule_bytes(const Shape& shape) {
  return sum_over_dimensions(shape, [](int size) { return floor_log2(size) + folds(size); }) * shape.bytes;
}

int swing_latency_rounds(const Shape& shape) {
  return sum_over_dimensions(shape, [](int size) {
    return schedule::swings_by_windows(size) ? schedule::swing_steps(size) : floor_log2(size) + 2 * folds(size);
  });
}
std::int64_t swing_latency_bytes(const Shape& shape) {
  return shape.bytes * sum_over_dimensions(shape, [](int size) {
           return schedule::swings_by_windows(size) ? schedule::swing_windows(size).vectors() : floor_log2(size) + folds(size);
         });
}

int torus_rabenseifner_rounds(const Shape& shape) {
  return sum_over_dimensions(shape, [](int size) { return 2 * floor_log2(size) + 2 * folds(size); });
}
int seats(const Shape& shape) {
  int product = 1;
  for (const int size : long_dimensions(shape)) product *= Fold(size).seats();
  return product;
}
std::int64_t torus_rabenseifner_bytes(const Shape& shape) {
  return scattered_and_gathered(shape.bytes, seats(shape)) + sum_over_dimensions(shape, folds) * shape.bytes;
}
int swing_bandwidth_rounds(const Shape& shape) { return 2 * swing_rounds(shape); }

int grid_rings_rounds(const Shape& shape) { return 2 * ring_rounds(shape); }

int reduce_broadcast_rounds(const Shape& shape) { return floor_log2(shape.ranks) + ceil_log2(shape.ranks); }
std::int64_t reduce_broadcast_bytes(const Shape& shape) { return ceil_log2(shape.ranks) * shape.bytes; }

std::int64_t trivance_latency_bytes(const Shape& shape) {
  return sum_over_dimensions(shape, [](int size) { return schedule::trivance_windows(size).vectors(); }) * shape.bytes;
}

int trivance_bandwidth_rounds(const Shape& shape) { return 2 * trivance_rounds(shape); }

Algorithm bruck_latency_row(const Options& options) {
  const int ports = bruck_ports(options);
  return {.collective = Collective::allreduce,
          .name = "bruck_latency",
          .summary = "Whole vectors from several ranks ahead at once, over one dimension of the grid after the other.",
          .source = "[trivance] §2.4, App. B; [bruck-1997]; [bruck-1993] for any p",
          .needs = {.commutative = true},
          .rounds_formula = "Σ⌈log_{k+1} dᵢ⌉, k ports",
          .rounds = [ports](const Shape& shape) { return bruck_rounds(shape, ports); },
          .bytes_formula = "Σ(k(⌈log_{k+1} dᵢ⌉ - 1) + cᵢ) · M, cᵢ the first digit of dᵢ-1 in base k+1",
          .bytes =
              [ports](const Shape& shape) {
                return shape.bytes *
                       sum_over_dimensions(shape, [ports](int size) { return schedule::bruck_windows(size, ports).vectors(); });
              },
          .granule = element_per_dimension,
          .run = as_allreduce(
              [ports](Communicator& comm, VectorView inout, const ReduceOp& op) { bruck_latency(comm, inout, op, ports); }),
          .parameters = bruck_parameters(),
          .configured = bruck_latency_row};
}

Algorithm bruck_bandwidth_row(const Options& options) {
  const int ports = bruck_ports(options);
  return {.collective = Collective::allreduce,
          .name = "bruck_bandwidth",
          .summary = "Reduce-scatter and allgather with several ranks ahead at once, by the digits of a block's distance.",
          .source = "[trivance] §2.4, App. B; [bruck-1997]",
          .needs = {.commutative = true},
          .rounds_formula = "2Σ⌈log_{k+1} dᵢ⌉, k ports",
          .rounds = [ports](const Shape& shape) { return 2 * bruck_rounds(shape, ports); },
          .bytes_formula = "2(p-1)/p · M",
          .bytes = least_bytes,
          .granule = block_per_rank_and_dimension,
          .run = as_allreduce(
              [ports](Communicator& comm, VectorView inout, const ReduceOp& op) { bruck_bandwidth(comm, inout, op, ports); }),
          .parameters = bruck_parameters(),
          .configured = bruck_bandwidth_row};
}

int census_rounds(const Shape& shape) { return ceil_log2(shape.ranks); }
std::int64_t census_bytes(const Shape& shape) { return ceil_log2(shape.ranks) * shape.bytes; }

Algorithm circulant_with(const schedule::CirculantSkips& skips) {
  return circulant_row(
      skips,
      {.collective = Collective::allreduce,
       .summary = "Reduce-scatter and allgather on skips that halve from p to 1: fewest rounds and least bytes for any p.",
       .source = "[traeff] §2.2, Algorithm 2",
       .phases = 2,
       .run = as_allreduce(
           [skips](Communicator& comm, VectorView inout, const ReduceOp& op) { circulant(comm, inout, op, skips); }),
       .with = circulant_with});
}

/// A rank with two children sends a half up each tree and one half down twice.
std::int64_t double_binary_tree_bytes(const Shape& shape) {
  if (shape.ranks >= 4) return 2 * shape.bytes;
  return times(shape.bytes, shape.ranks == 1 ? 0 : shape.ranks, 2);
}
Algorithm double_binary_tree_row(schedule::Segments segments) {
  const Pipeline pipeline{segments, [](int p) { return 2 * ceil_log2(p); }, 2};
  return {
      .collective = Collective::allreduce,
      .name = "double_binary_tree",
      .summary = "Each half of the vector goes up and down its own binary tree in segments, both at once; keeps rank order.",
      .source = "[explainer-01] §5.2, App. C; [sanders-2009]",
      .needs = {},
      .rounds_formula = "2⌈log2 p⌉ + P - 1, P segments of each half",
      .rounds = [=](const Shape& shape) { return pipeline.rounds(shape); },
      .bytes_formula = "2M; M for p = 2, 3/2 · M for p = 3",
      .bytes = double_binary_tree_bytes,
      .granule = [=](const Shape& shape) { return pipeline.granule(shape); },
      .run = as_allreduce(
          [=](Communicator& comm, VectorView inout, const ReduceOp& op) { double_binary_tree(comm, inout, op, segments); })};
}

}  // namespace

std::vector<Algorithm> rows() {
  return {
      {.collective = Collective::allreduce,
       .name = "ring",
       .summary = "Reduce-scatter and allgather by passing blocks round the ring of ranks: least bytes, most rounds.",
       .source = "[explainer-01] §5.1; [swing] §2.3.1; [patarasuk-2009]",
       .needs = {.commutative = true},
       .rounds_formula = "2(p-1)",
       .rounds = flat_ring_rounds,
       .bytes_formula = "2(p-1)/p · M",
       .bytes = least_bytes,
       .granule = block_per_rank,
       .run = as_allreduce(ring),
       .uniform = true},
      {.collective = Collective::allreduce,
       .name = "ring_bidirectional",
       .summary = "Two rings at once in opposite directions, each on half of the vector.",
       .source = "[swing] §2.3.1; [explainer-01] §5.1",
       .needs = {.commutative = true},
       .rounds_formula = "2(p-1)",
       .rounds = flat_ring_rounds,
       .bytes_formula = "2(p-1)/p · M",
       .bytes = least_bytes,
       .granule = [](const Shape& shape) { return 2 * std::int64_t{shape.ranks}; },
       .run = as_allreduce(ring_bidirectional)},
      {.collective = Collective::allreduce,
       .name = "recursive_doubling",
       .summary = "Whole vectors exchanged with partners at distance 1, 2, 4, …: fewest rounds, keeps rank order.",
       .source = "[swing] §2.3.2; [explainer-01] App. B.1",
       .needs = {},
       .rounds_formula = "⌊log2 p⌋, + 2 if p is no power of two",
       .rounds = recursive_doubling_rounds,
       .bytes_formula = "⌈log2 p⌉ · M",
       .bytes = recursive_doubling_bytes,
       .granule = one_element,
       .run = as_allreduce(recursive_doubling)},
      {.collective = Collective::allreduce,
       .name = "rabenseifner",
       .summary = "Reduce-scatter by recursive halving, allgather by recursive doubling; keeps rank order.",
       .source = "[swing] §2.3.3; [explainer-01] App. B.2; [rabenseifner-2004]",
       .needs = {},
       .rounds_formula = "2⌊log2 p⌋, + 2 if p is no power of two",
       .rounds = rabenseifner_rounds,
       .bytes_formula = "2(p'-1)/p' · M, + M if p is no power of two; p' = 2^⌊log2 p⌋",
       .bytes = rabenseifner_bytes,
       .granule = block_per_seat,
       .run = as_allreduce(rabenseifner)},
      {.collective = Collective::allreduce,
       .name = "swing_latency",
       .summary = "Whole vectors exchanged along Swing's short cuts, dimension by dimension in turn, through one port.",
       .source = "[swing] §3.1.2, §4",
       .needs = {.commutative = true},
       .rounds_formula = "Σ⌈log2 dᵢ⌉; ⌊log2 dᵢ⌋ + 2 where dᵢ is odd",
       .rounds = swing_latency_rounds,
       .bytes_formula = "Σ⌈log2 dᵢ⌉ · M, up to Σ(2⌈log2 dᵢ⌉ - 3) where dᵢ is even and no power of two",
       .bytes = swing_latency_bytes,
       .granule = one_element,
       .run = as_allreduce(swing_latency)},
      {.collective = Collective::allreduce,
       .name = "swing_latency_multiport",
       .summary = "Whole slices exchanged along Swing's short cuts through all 2D ports, plain and mirrored.",
       .source = "[swing] §3.1.2, §4",
       .needs = {.commutative = true, .grid = true},
       .rounds_formula = "Σ⌈log2 dᵢ⌉; ⌊log2 dᵢ⌋ + 2 where dᵢ is odd",
       .rounds = swing_latency_rounds,
       .bytes_formula = "Σ⌈log2 dᵢ⌉ · M, up to Σ(2⌈log2 dᵢ⌉ - 3) where dᵢ is even and no power of two",
       .bytes = swing_latency_bytes,
       .granule = element_per_port,
       .run = as_allreduce(swing_latency_multiport)},
      {.collective = Collective::allreduce,
       .name = "swing_bandwidth",
       .summary = "Reduce-scatter and allgather along Swing's short cuts through all 2D ports: least bytes in few rounds.",
       .source = "[swing] §3.1.1, §3.2, §4, App. A",
       .needs = {.commutative = true},
       .rounds_formula = "2Σ⌈log2 dᵢ⌉; ⌈log2(dᵢ-1)⌉ where dᵢ is odd",
       .rounds = swing_bandwidth_rounds,
       .bytes_formula = "2(p-1)/p · M",
       .bytes = least_bytes,
       .granule = block_per_rank_and_port,
       .run = as_allreduce(swing_bandwidth)},
      {.collective = Collective::allreduce,
       .name = "bucket",
       .summary = "Rings along one dimension of the grid after the other, on all 2D ports: least bytes to neighbours only.",
       .source = "[swing] §2.3.4, §5.2",
       .needs = {.commutative = true, .grid = true},
       .rounds_formula = "2Σ(dᵢ-1)",
       .rounds = grid_rings_rounds,
       .bytes_formula = "2(p-1)/p · M",
       .bytes = least_bytes,
       .granule = block_per_rank_and_port,
       .run = as_allreduce(bucket)},
      {.collective = Collective::allreduce,
       .name = "reduce_broadcast",
       .summary = "A binomial reduce to rank 0, then a binomial broadcast: the naive baseline, keeps rank order.",
       .source = "[explainer-01] §2, §3.2, §4.2",
       .needs = {},
       .rounds_formula = "⌊log2 p⌋ + ⌈log2 p⌉",
       .rounds = reduce_broadcast_rounds,
       .bytes_formula = "⌈log2 p⌉ · M",
       .bytes = reduce_broadcast_bytes,
       .granule = one_element,
       .run = as_allreduce(reduce_broadcast)},
      pipelined_row(double_binary_tree_row),
      {.collective = Collective::allreduce,
       .name = "hamiltonian_rings",
       .summary =
           "Four rings at once along two edge-disjoint Hamiltonian cycles of a 2D torus: every link busy in every round.",
       .source = "[swing] §2.3.1; [bae-2000]",
       .needs = {.commutative = true, .grid = true, .more = kHamiltonianTorus, .has_more = is_hamiltonian_torus},
       .rounds_formula = "2(p-1)",
       .rounds = flat_ring_rounds,
       .bytes_formula = "2(p-1)/p · M",
       .bytes = least_bytes,
       .granule = [](const Shape& shape) { return 4 * std::int64_t{shape.ranks}; },
       .run = as_allreduce(hamiltonian_rings)},
      {.collective = Collective::allreduce,
       .name = "torus_recursive_doubling",
       .summary = "Whole vectors exchanged at distance 1, 2, 4, …, the dimensions of the grid taking turns, through one port.",
       .source = "[swing] §2.3.2",
       .needs = {.commutative = true},
       .rounds_formula = "Σ(⌊log2 dᵢ⌋, + 2 if dᵢ is no power of two)",
       .rounds = vector_schedule_rounds,
       .bytes_formula = "Σ⌈log2 dᵢ⌉ · M",
       .bytes = vector_schedule_bytes,
       .granule = one_element,
       .run = as_allreduce(torus_recursive_doubling)},
      {.collective = Collective::allreduce,
       .name = "torus_recursive_doubling_multiport",
       .summary = "Whole slices exchanged at distance 1, 2, 4, … through all 2D ports, plain and mirrored.",
       .source = "[trivance] §2.4; [swing] §2.3.2",
       .needs = {.commutative = true, .grid = true},
       .rounds_formula = "Σ(⌊log2 dᵢ⌋, + 2 if dᵢ is no power of two)",
       .rounds = vector_schedule_rounds,
       .bytes_formula = "Σ⌈log2 dᵢ⌉ · M",
       .bytes = vector_schedule_bytes,
       .granule = element_per_port,
       .run = as_allreduce(torus_recursive_doubling_multiport)},
      {.collective = Collective::allreduce,
       .name = "torus_rabenseifner",
       .summary = "Recursive halving, then doubling, the dimensions of the grid taking turns: long messages go short ways.",
       .source = "[swing] §2.3.3; [explainer-02] App. A; [sack-2015]",
       .needs = {.commutative = true},
       .rounds_formula = "2Σ(⌊log2 dᵢ⌋, + 1 if dᵢ is no power of two)",
       .rounds = torus_rabenseifner_rounds,
       .bytes_formula = "2(p'-1)/p' · M, + M for each dᵢ that is no power of two; p' = Π 2^⌊log2 dᵢ⌋",
       .bytes = torus_rabenseifner_bytes,
       .granule = [](const Shape& shape) { return std::int64_t{seats(shape)}; },
       .run = as_allreduce(torus_rabenseifner)},
      {.collective = Collective::allreduce,
       .name = "torus_ring",
       .summary = "Rings along one dimension of the grid after the other through one port: least bytes to neighbours only.",
       .source = "[explainer-02] §3.1, §3.4, §4.2",
       .needs = {.commutative = true},
       .rounds_formula = "2Σ(dᵢ-1)",
       .rounds = grid_rings_rounds,
       .bytes_formula = "2(p-1)/p · M",
       .bytes = least_bytes,
       .granule = block_per_rank,
       .run = as_allreduce(torus_ring)},
      bruck_latency_row(Options(bruck_parameters())),
      bruck_bandwidth_row(Options(bruck_parameters())),
      {.collective = Collective::allreduce,
       .name = "trivance_latency",
       .summary = "Whole vectors exchanged with a peer on either side, three times as far in each step, on all 2D ports.",
       .source = "[trivance] §4.2, §4.4, §5",
       .needs = {.commutative = true},
       .rounds_formula = "Σ⌈log3 dᵢ⌉",
       .rounds = trivance_rounds,
       .bytes_formula = "2Σ⌈log3 dᵢ⌉ · M, a few more or less at some sizes that are no power of three",
       .bytes = trivance_latency_bytes,
       .granule = element_per_dimension,
       .run = as_allreduce(trivance_latency)},
      {.collective = Collective::allreduce,
       .name = "trivance_bandwidth",
       .summary = "Reduce-scatter and allgather with a peer on either side, three times as far in each step, on all 2D ports.",
       .source = "[trivance] §4.1, §4.3, §4.4, §5",
       .needs = {.commutative = true},
       .rounds_formula = "2Σ⌈log3 dᵢ⌉",
       .rounds = trivance_bandwidth_rounds,
       .bytes_formula = "2(p-1)/p · M",
       .bytes = least_bytes,
       .granule = block_per_rank_and_dimension,
       .run = as_allreduce(trivance_bandwidth)},
      {.collective = Collective::allreduce,
       .name = "bine_small",
       .summary = "Whole vectors exchanged along a Bine butterfly over the circle of ranks: fewest rounds.",
       .source = "[bine] §4.4, App. C",
       .needs = {.commutative = true},
       .rounds_formula = "⌊log2 p⌋, + 2 if p is no power of two",
       .rounds = recursive_doubling_rounds,
       .bytes_formula = "⌈log2 p⌉ · M",
       .bytes = recursive_doubling_bytes,
       .granule = one_element,
       .run = as_allreduce(bine_small)},
      {.collective = Collective::allreduce,
       .name = "bine_large",
       .summary = "Reduce-scatter and allgather along a Bine butterfly over the circle of ranks: most bytes to neighbours.",
       .source = "[bine] §4.4, §3.1, App. C",
       .needs = {.commutative = true},
       .rounds_formula = "2⌈log2 p⌉; 2⌊log2 p⌋ + 4 at odd p",
       .rounds = [](const Shape& shape) { return 2 * bine_phase_rounds(shape); },
       .bytes_formula = "2(p-1)/p · M; by a host at odd p about 3M",
       .bytes = bine_large_bytes,
       .granule = block_per_rank,
       .run = as_allreduce(bine_large)},
      {.collective = Collective::allreduce,
       .name = "bine_torus",
       .summary = "Reduce-scatter and allgather along Bine butterflies in each dimension of a grid, through all 2D ports.",
       .source = "[bine] App. D",
       .needs = {.commutative = true, .grid = true},
       .rounds_formula = "2Σ(⌈log2 dᵢ⌉; ⌊log2 dᵢ⌋ + 2 where dᵢ is odd)",
       .rounds = bine_torus_rounds,
       .bytes_formula = "2(p-1)/p · M; by hosts more where a dᵢ is odd",
       .bytes = bine_torus_bytes,
       .granule = block_per_rank_and_port,
       .run = as_allreduce(bine_torus)},
      circulant_with(schedule::CirculantSkips()),
      {.collective = Collective::allreduce,
       .name = "census",
       .summary = "Whole vectors over windows of ranks that double, or double but one: fewest rounds for any p.",
       .source = "[bar-noy-1993]; [traeff] §1",
       .needs = {.commutative = true},
       .rounds_formula = "⌈log2 p⌉",
       .rounds = census_rounds,
       .bytes_formula = "⌈log2 p⌉ · M",
       .bytes = census_bytes,
       .granule = one_element,
       .run = as_allreduce(census)},
      hierarchical_row(),
      in_network_row(Collective::allreduce),
  };
}

}  // namespace heddle::allreduce
