// SPDX-License-Identifier: Apache-2.0
#include "algorithms/rows.hpp"

#include "algorithms/bine_formulas.hpp"
#include "algorithms/bruck_options.hpp"
#include "algorithms/circulant_row.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/in_network_row.hpp"
#include "algorithms/pat_options.hpp"
#include "algorithms/pattern_rounds.hpp"
#include "algorithms/reduce_scatter/bine.hpp"
#include "algorithms/reduce_scatter/bruck.hpp"
#include "algorithms/reduce_scatter/circulant.hpp"
#include "algorithms/reduce_scatter/hierarchical.hpp"
#include "algorithms/reduce_scatter/pairwise.hpp"
#include "algorithms/reduce_scatter/pat.hpp"
#include "algorithms/reduce_scatter/recursive_halving.hpp"
#include "algorithms/reduce_scatter/ring.hpp"
#include "algorithms/reduce_scatter/swing.hpp"
#include "algorithms/reduce_scatter/torus_ring.hpp"
#include "algorithms/reduce_scatter/trivance.hpp"
#include "algorithms/schedule/fold.hpp"
#include "algorithms/schedule/pat_schedule.hpp"
#include "algorithms/signatures.hpp"

namespace heddle::reduce_scatter {

namespace {

using namespace formulas;  // NOLINT(google-build-using-namespace): this file is made of them
using schedule::Fold;

int recursive_halving_rounds(const Shape& shape) { return floor_log2(shape.ranks) + (Fold(shape.ranks).guests() > 0 ? 2 : 0); }

Algorithm pat_row(const Options& options) {
  const int aggregation = pat_aggregation(options);
  return {.collective = Collective::reduce_scatter,
          .name = "pat",
          .summary = "NCCL's parallel aggregated trees: a binomial tree for each block, the farthest leap last.",
          .source = "[explainer-01] App. A; [pat]",
          .needs = {.commutative = true},
          .rounds_formula = "⌈log2 p⌉; of up to 2^a blocks min(a + 2^(⌈log2 p⌉-a) - 1, p-1)",
          .rounds = [aggregation](const Shape& shape) { return schedule::pat_rounds(shape.ranks, aggregation); },
          .bytes_formula = "(p-1)/p · M",
          .bytes = other_blocks_once,
          .granule = block_per_rank,
          .run = as_reduce_scatter([aggregation](Communicator& comm, VectorView inout, const BlockPartition& blocks,
                                                 const ReduceOp& op) { pat(comm, inout, blocks, op, aggregation); }),
          .parameters = {pat_aggregation_parameter()},
          .configured = pat_row};
}

Algorithm bruck_row(const Options& options) {
  const int ports = bruck_ports(options);
  return {.collective = Collective::reduce_scatter,
          .name = "bruck",
          .summary = "Sums of blocks to several ranks ahead at once, by the digits of a block's distance.",
          .source = "[trivance] §2.4, App. B; [bruck-1997]",
          .needs = {.commutative = true},
          .rounds_formula = "Σ⌈log_{k+1} dᵢ⌉, k ports",
          .rounds = [ports](const Shape& shape) { return bruck_rounds(shape, ports); },
          .bytes_formula = "(p-1)/p · M",
          .bytes = other_blocks_once,
          .granule = block_per_rank_and_dimension,
          .run = as_reduce_scatter([ports](Communicator& comm, VectorView inout, const BlockPartition& blocks,
                                           const ReduceOp& op) { bruck(comm, inout, blocks, op, ports); }),
          .parameters = bruck_parameters(),
          .configured = bruck_row};
}

Algorithm circulant_with(const schedule::CirculantSkips& skips) {
  return circulant_row(
      skips,
      {.collective = Collective::reduce_scatter,
       .summary =
           "Partial sums of half of the offsets after the other, on skips that halve from p to 1; any p in fewest rounds.",
       .source = "[traeff] §2.1, Algorithm 1",
       .phases = 1,
       .run = as_reduce_scatter([skips](Communicator& comm, VectorView inout, const BlockPartition& blocks,
                                        const ReduceOp& op) { circulant(comm, inout, blocks, op, skips); }),
       .with = circulant_with});
}

}  // namespace

std::vector<Algorithm> rows() {
  return {
      {.collective = Collective::reduce_scatter,
       .name = "ring",
       .summary = "Sums of blocks grow on their way round the ring of ranks.",
       .source = "[explainer-01] §6; [swing] §2.3.1",
       .needs = {.commutative = true},
       .rounds_formula = "p-1",
       .rounds = round_per_peer,
       .bytes_formula = "(p-1)/p · M",
       .bytes = other_blocks_once,
       .granule = block_per_rank,
       .run = as_reduce_scatter(ring),
       .uniform = true},
      {.collective = Collective::reduce_scatter,
       .name = "pairwise",
       .summary = "Every contribution goes straight to its block's owner, one in each round; keeps rank order.",
       .source = "[explainer-01] §7.2; [thakur-2005]",
       .needs = {},
       .rounds_formula = "p-1",
       .rounds = round_per_peer,
       .bytes_formula = "(p-1)/p · M",
       .bytes = other_blocks_once,
       .granule = block_per_rank,
       .run = as_reduce_scatter(pairwise)},
      {.collective = Collective::reduce_scatter,
       .name = "recursive_halving",
       .summary = "Partners at distance p/2, p/4, …, 1 exchange halves of the blocks that they still answer for.",
       .source = "[explainer-01] App. B.4",
       .needs = {.commutative = true},
       .rounds_formula = "⌊log2 p⌋, + 2 if p is no power of two",
       .rounds = recursive_halving_rounds,
       .bytes_formula = "(p-1)/p · M",
       .bytes = other_blocks_once,
       .granule = block_per_rank,
       .run = as_reduce_scatter(recursive_halving)},
      pat_row(Options(std::vector{pat_aggregation_parameter()})),
      {.collective = Collective::reduce_scatter,
       .name = "torus_ring",
       .summary = "Rings along one dimension of the grid after the other: to neighbours only, through one port.",
       .source = "[explainer-02] §3.5",
       .needs = {.commutative = true},
       .rounds_formula = "Σ(dᵢ-1)",
       .rounds = ring_rounds,
       .bytes_formula = "(p-1)/p · M",
       .bytes = other_blocks_once,
       .granule = block_per_rank,
       .run = as_reduce_scatter(torus_ring)},
      {.collective = Collective::reduce_scatter,
       .name = "swing",
       .summary = "Blocks exchanged along Swing's short cuts through all 2D ports.",
       .source = "[swing] §3.1.1, §3.2, §4, App. A",
       .needs = {.commutative = true},
       .rounds_formula = "Σ⌈log2 dᵢ⌉; ⌈log2(dᵢ-1)⌉ where dᵢ is odd",
       .rounds = swing_rounds,
       .bytes_formula = "(p-1)/p · M",
       .bytes = other_blocks_once,
       .granule = block_per_rank_and_port,
       .run = as_reduce_scatter(swing)},
      {.collective = Collective::reduce_scatter,
       .name = "trivance",
       .summary = "Sums of blocks to a peer on either side, three times as far in each step, on all 2D ports.",
       .source = "[trivance] §4.1, §4.3, §4.4, §5",
       .needs = {.commutative = true},
       .rounds_formula = "Σ⌈log3 dᵢ⌉",
       .rounds = trivance_rounds,
       .bytes_formula = "(p-1)/p · M",
       .bytes = other_blocks_once,
       .granule = block_per_rank_and_dimension,
       .run = as_reduce_scatter(trivance)},
      bruck_row(Options(bruck_parameters())),
      {.collective = Collective::reduce_scatter,
       .name = "bine_block_by_block",
       .summary = "A Bine butterfly, each block a message of its own.",
       .source = "[bine] §4.3, App. B, App. C",
       .needs = {.commutative = true},
       .rounds_formula = "⌈log2 p⌉; ⌊log2 p⌋ + 2 at odd p",
       .rounds = bine_phase_rounds,
       .bytes_formula = "(p-1)/p · M",
       .bytes = other_blocks_once,
       .granule = block_per_rank,
       .run = as_reduce_scatter(bine_block_by_block)},
      {.collective = Collective::reduce_scatter,
       .name = "bine_permute",
       .summary = "A Bine butterfly, blocks copied into an order in which messages are one run.",
       .source = "[bine] §4.3, App. B, App. C",
       .needs = {.commutative = true},
       .rounds_formula = "log2 p; ⌊log2 p⌋ + 2 at other p",
       .rounds = bine_permute_rounds,
       .bytes_formula = "(p-1)/p · M",
       .bytes = other_blocks_once,
       .granule = block_per_rank,
       .run = as_reduce_scatter(bine_permute)},
      {.collective = Collective::reduce_scatter,
       .name = "bine_send",
       .summary = "A Bine butterfly, runs sent as if blocks had been permuted, each block then sent to its owner.",
       .source = "[bine] §4.3, App. B, App. C",
       .needs = {.commutative = true},
       .rounds_formula = "log2 p, + 1 if p ≥ 4; ⌊log2 p⌋ + 3 at other p, + 2 if one pair folds",
       .rounds = bine_send_rounds,
       .bytes_formula = "M; (p-1)/p · M if p ≤ 3",
       .bytes = bine_send_reduce_scatter_bytes,
       .granule = block_per_rank,
       .run = as_reduce_scatter(bine_send)},
      {.collective = Collective::reduce_scatter,
       .name = "bine_two_transmissions",
       .summary = "A Bine butterfly, distances the other way, so that messages are one run round the circle, cut at the end.",
       .source = "[bine] §4.3, App. B, App. C",
       .needs = {.commutative = true},
       .rounds_formula = "⌈log2 p⌉; ⌊log2 p⌋ + 2 at odd p",
       .rounds = bine_phase_rounds,
       .bytes_formula = "(p-1)/p · M",
       .bytes = other_blocks_once,
       .granule = block_per_rank,
       .run = as_reduce_scatter(bine_two_transmissions)},
      circulant_with(schedule::CirculantSkips()),
      hierarchical_row(),
      in_network_row(Collective::reduce_scatter),
  };
}

}  // namespace heddle::reduce_scatter
