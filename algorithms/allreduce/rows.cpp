// SPDX-License-Identifier: Apache-2.0
#include "algorithms/allreduce/rows.hpp"

#include <bit>
#include <numeric>

#include "algorithms/allreduce/bucket.hpp"
#include "algorithms/allreduce/rabenseifner.hpp"
#include "algorithms/allreduce/recursive_doubling.hpp"
#include "algorithms/allreduce/reduce_broadcast.hpp"
#include "algorithms/allreduce/ring.hpp"
#include "algorithms/allreduce/ring_bidirectional.hpp"
#include "algorithms/allreduce/swing.hpp"
#include "algorithms/schedule/fold.hpp"
#include "algorithms/schedule/lattice.hpp"
#include "algorithms/schedule/swing_pattern.hpp"

namespace heddle::allreduce {

namespace {

using schedule::Fold;

int ceil_log2(int n) { return std::bit_width(static_cast<unsigned>(n - 1)); }
int floor_log2(int n) { return Fold(n).seat_bits(); }

/// numerator/denominator · M, rounded down; no product overflows for vectors that fit a machine.
std::int64_t times(std::int64_t bytes, std::int64_t numerator, std::int64_t denominator) {
  return bytes / denominator * numerator + bytes % denominator * numerator / denominator;
}

/// 2(n-1)/n · M: a reduce-scatter and an allgather over n blocks.
std::int64_t scattered_and_gathered(std::int64_t bytes, int blocks) {
  return times(bytes, 2 * (std::int64_t{blocks} - 1), blocks);
}

std::vector<int> long_dimensions(const Shape& shape) { return schedule::long_dimensions(shape.dims, shape.ranks); }

/// Σ of `term` over the long dimensions.
template <class Term>
int sum_over_dimensions(const Shape& shape, const Term& term) {
  const std::vector<int> sizes = long_dimensions(shape);
  return std::transform_reduce(sizes.begin(), sizes.end(), 0, std::plus<>{}, term);
}

int folds(int members) { return Fold(members).guests() > 0 ? 1 : 0; }

int ports(const Shape& shape) { return std::max(1, 2 * static_cast<int>(long_dimensions(shape).size())); }

int ring_rounds(const Shape& shape) { return 2 * (shape.ranks - 1); }
std::int64_t least_bytes(const Shape& shape) { return scattered_and_gathered(shape.bytes, shape.ranks); }

std::int64_t one_element(const Shape&) { return 1; }
std::int64_t block_per_rank(const Shape& shape) { return shape.ranks; }
std::int64_t element_per_port(const Shape& shape) { return ports(shape); }
std::int64_t block_per_rank_and_port(const Shape& shape) { return std::int64_t{ports(shape)} * shape.ranks; }

int recursive_doubling_rounds(const Shape& shape) { return floor_log2(shape.ranks) + 2 * folds(shape.ranks); }
std::int64_t recursive_doubling_bytes(const Shape& shape) {
  return (floor_log2(shape.ranks) + folds(shape.ranks)) * shape.bytes;
}

int rabenseifner_rounds(const Shape& shape) { return 2 * floor_log2(shape.ranks) + 2 * folds(shape.ranks); }
std::int64_t rabenseifner_bytes(const Shape& shape) {
  return scattered_and_gathered(shape.bytes, Fold(shape.ranks).seats()) + folds(shape.ranks) * shape.bytes;
}
std::int64_t block_per_seat(const Shape& shape) { return Fold(shape.ranks).seats(); }

int swing_latency_rounds(const Shape& shape) {
  return sum_over_dimensions(shape, [](int size) { return floor_log2(size) + 2 * folds(size); });
}
std::int64_t swing_latency_bytes(const Shape& shape) {
  return sum_over_dimensions(shape, [](int size) { return floor_log2(size) + folds(size); }) * shape.bytes;
}
int swing_bandwidth_rounds(const Shape& shape) { return 2 * sum_over_dimensions(shape, schedule::swing_steps); }

int bucket_rounds(const Shape& shape) {
  return 2 * sum_over_dimensions(shape, [](int size) { return size - 1; });
}

int reduce_broadcast_rounds(const Shape& shape) { return floor_log2(shape.ranks) + ceil_log2(shape.ranks); }
std::int64_t reduce_broadcast_bytes(const Shape& shape) { return ceil_log2(shape.ranks) * shape.bytes; }

using Function = void (*)(Communicator&, VectorView, const ReduceOp&);
CollectiveFunction in_place(Function function) {
  return
      [function](Communicator& comm, const CollectiveArguments& arguments) { function(comm, arguments.inout, *arguments.op); };
}

}  // namespace

std::vector<Algorithm> rows() {
  return {
      {.collective = Collective::allreduce,
       .name = "ring",
       .summary = "Reduce-scatter and allgather by passing blocks round the ring of ranks: least bytes, most rounds.",
       .source = "explainer 01 (Lu) §5.1; Swing (De Sensi et al.) §2.3.1",
       .needs = {.commutative = true},
       .rounds_formula = "2(p-1)",
       .rounds = ring_rounds,
       .bytes_formula = "2(p-1)/p · M",
       .bytes = least_bytes,
       .granule = block_per_rank,
       .run = in_place(ring)},
      {.collective = Collective::allreduce,
       .name = "ring_bidirectional",
       .summary = "Two rings at once in opposite directions, each on half of the vector.",
       .source = "Swing (De Sensi et al.) §2.3.1; explainer 01 (Lu) §5.1",
       .needs = {.commutative = true},
       .rounds_formula = "2(p-1)",
       .rounds = ring_rounds,
       .bytes_formula = "2(p-1)/p · M",
       .bytes = least_bytes,
       .granule = [](const Shape& shape) { return 2 * std::int64_t{shape.ranks}; },
       .run = in_place(ring_bidirectional)},
      {.collective = Collective::allreduce,
       .name = "recursive_doubling",
       .summary = "Whole vectors exchanged with partners at distance 1, 2, 4, …: fewest rounds, keeps rank order.",
       .source = "Swing (De Sensi et al.) §2.3.2; explainer 01 (Lu) App. B.1",
       .needs = {},
       .rounds_formula = "⌊log2 p⌋, + 2 if p is no power of two",
       .rounds = recursive_doubling_rounds,
       .bytes_formula = "⌈log2 p⌉ · M",
       .bytes = recursive_doubling_bytes,
       .granule = one_element,
       .run = in_place(recursive_doubling)},
      {.collective = Collective::allreduce,
       .name = "rabenseifner",
       .summary = "Reduce-scatter by recursive halving, allgather by recursive doubling; keeps rank order.",
       .source = "Swing (De Sensi et al.) §2.3.3; explainer 01 (Lu) App. B.2",
       .needs = {},
       .rounds_formula = "2⌊log2 p⌋, + 2 if p is no power of two",
       .rounds = rabenseifner_rounds,
       .bytes_formula = "2(p'-1)/p' · M, + M if p is no power of two; p' = 2^⌊log2 p⌋",
       .bytes = rabenseifner_bytes,
       .granule = block_per_seat,
       .run = in_place(rabenseifner)},
      {.collective = Collective::allreduce,
       .name = "swing_latency",
       .summary = "Whole vectors exchanged along Swing's short cuts, dimension by dimension in turn, through one port.",
       .source = "Swing (De Sensi et al.) §3.1.2, §4",
       .needs = {.commutative = true},
       .rounds_formula = "Σ(⌊log2 dᵢ⌋, + 2 if dᵢ is no power of two)",
       .rounds = swing_latency_rounds,
       .bytes_formula = "Σ⌈log2 dᵢ⌉ · M",
       .bytes = swing_latency_bytes,
       .granule = one_element,
       .run = in_place(swing_latency)},
      {.collective = Collective::allreduce,
       .name = "swing_latency_multiport",
       .summary = "Whole slices exchanged along Swing's short cuts through all 2D ports, plain and mirrored.",
       .source = "Swing (De Sensi et al.) §3.1.2, §4",
       .needs = {.commutative = true, .grid = true},
       .rounds_formula = "Σ(⌊log2 dᵢ⌋, + 2 if dᵢ is no power of two)",
       .rounds = swing_latency_rounds,
       .bytes_formula = "Σ⌈log2 dᵢ⌉ · M",
       .bytes = swing_latency_bytes,
       .granule = element_per_port,
       .run = in_place(swing_latency_multiport)},
      {.collective = Collective::allreduce,
       .name = "swing_bandwidth",
       .summary = "Reduce-scatter and allgather along Swing's short cuts through all 2D ports: least bytes in few rounds.",
       .source = "Swing (De Sensi et al.) §3.1.1, §3.2, §4, App. A",
       .needs = {.commutative = true},
       .rounds_formula = "2Σ⌈log2 dᵢ⌉; ⌈log2(dᵢ-1)⌉ where dᵢ is odd",
       .rounds = swing_bandwidth_rounds,
       .bytes_formula = "2(p-1)/p · M",
       .bytes = least_bytes,
       .granule = block_per_rank_and_port,
       .run = in_place(swing_bandwidth)},
      {.collective = Collective::allreduce,
       .name = "bucket",
       .summary = "Rings along one dimension of the grid after the other, on all 2D ports: least bytes to neighbours only.",
       .source = "Swing (De Sensi et al.) §2.3.4, §5.2",
       .needs = {.commutative = true, .grid = true},
       .rounds_formula = "2Σ(dᵢ-1)",
       .rounds = bucket_rounds,
       .bytes_formula = "2(p-1)/p · M",
       .bytes = least_bytes,
       .granule = block_per_rank_and_port,
       .run = in_place(bucket)},
      {.collective = Collective::allreduce,
       .name = "reduce_broadcast",
       .summary = "A binomial reduce to rank 0, then a binomial broadcast: the naive baseline, keeps rank order.",
       .source = "explainer 01 (Lu) §2, §3.2, §4.2",
       .needs = {},
       .rounds_formula = "⌊log2 p⌋ + ⌈log2 p⌉",
       .rounds = reduce_broadcast_rounds,
       .bytes_formula = "⌈log2 p⌉ · M",
       .bytes = reduce_broadcast_bytes,
       .granule = one_element,
       .run = in_place(reduce_broadcast)},
  };
}

}  // namespace heddle::allreduce
