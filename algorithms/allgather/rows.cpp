// SPDX-License-Identifier: Apache-2.0
#include "algorithms/rows.hpp"

#include <algorithm>

#include "algorithms/allgather/bine.hpp"
#include "algorithms/allgather/bruck.hpp"
#include "algorithms/allgather/circulant.hpp"
#include "algorithms/allgather/hierarchical.hpp"
#include "algorithms/allgather/neighbor_exchange.hpp"
#include "algorithms/allgather/pairwise.hpp"
#include "algorithms/allgather/pat.hpp"
#include "algorithms/allgather/recursive_doubling.hpp"
#include "algorithms/allgather/ring.hpp"
#include "algorithms/allgather/sparbit.hpp"
#include "algorithms/allgather/swing.hpp"
#include "algorithms/allgather/torus_ring.hpp"
#include "algorithms/allgather/trivance.hpp"
#include "algorithms/bine_formulas.hpp"
#include "algorithms/circulant_row.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/in_network_row.hpp"
#include "algorithms/pat_options.hpp"
#include "algorithms/pattern_rounds.hpp"
#include "algorithms/schedule/fold.hpp"
#include "algorithms/schedule/pat_schedule.hpp"
#include "algorithms/signatures.hpp"

namespace heddle::allgather {

namespace {

using namespace formulas;  // NOLINT(google-build-using-namespace): this file is made of them
using schedule::Fold;

int dissemination_rounds(const Shape& shape) { return ceil_log2(shape.ranks); }

int recursive_doubling_rounds(const Shape& shape) { return floor_log2(shape.ranks) + (Fold(shape.ranks).guests() > 0 ? 2 : 0); }
/// Of the host on the first seat: what its 2^j seats have, for all j, then all but its guest's block.
std::int64_t recursive_doubling_bytes(const Shape& shape) {
  const Fold fold(shape.ranks);
  std::int64_t blocks = fold.guests() > 0 ? shape.ranks - 1 : 0;
  for (int seats = 1; seats < fold.seats(); seats *= 2) blocks += seats + std::min(seats, fold.guests());
  return times(shape.bytes, blocks, shape.ranks);
}

int neighbor_exchange_rounds(const Shape& shape) { return shape.ranks / 2 + (shape.ranks % 2 != 0 && shape.ranks > 1 ? 2 : 0); }
/// At odd p the host sends p blocks to other seats, as its own one counts twice (2 at p = 3, where there are no further
/// rounds), and p - 1 to its guest.
std::int64_t neighbor_exchange_bytes(const Shape& shape) {
  const int p = shape.ranks;
  if (p % 2 == 0 || p == 1) return other_blocks_once(shape);
  return times(shape.bytes, p == 3 ? 4 : 2 * std::int64_t{p} - 1, p);
}

Algorithm pat_row(const Options& options) {
  const int aggregation = pat_aggregation(options);
  return {.collective = Collective::allgather,
          .name = "pat",
          .summary = "NCCL's parallel aggregated trees: a binomial tree for each block, the farthest leap first.",
          .source = "[explainer-01] App. A; [pat]",
          .needs = {},
          .rounds_formula = "⌈log2 p⌉; of up to 2^a blocks min(a + 2^(⌈log2 p⌉-a) - 1, p-1)",
          .rounds = [aggregation](const Shape& shape) { return schedule::pat_rounds(shape.ranks, aggregation); },
          .bytes_formula = "(p-1)/p · M",
          .bytes = other_blocks_once,
          .granule = block_per_rank,
          .run = as_allgather([aggregation](Communicator& comm, VectorView vector, const BlockPartition& blocks) {
            pat(comm, vector, blocks, aggregation);
          }),
          .parameters = {pat_aggregation_parameter()},
          .configured = pat_row};
}

Algorithm circulant_with(const schedule::CirculantSkips& skips) {
  return circulant_row(
      skips, {.collective = Collective::allgather,
              .summary = "The circulant reduce-scatter backwards, on skips that double up to p; any p in fewest rounds.",
              .source = "[traeff] §2.2, Algorithm 2",
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
       .name = "ring",
       .summary = "Every block goes once round the ring of ranks.",
       .source = "[explainer-01] §6; [swing] §2.3.1",
       .needs = {},
       .rounds_formula = "p-1",
       .rounds = round_per_peer,
       .bytes_formula = "(p-1)/p · M",
       .bytes = other_blocks_once,
       .granule = block_per_rank,
       .run = as_allgather(ring),
       .uniform = true},
      {.collective = Collective::allgather,
       .name = "pairwise",
       .summary = "Every rank sends its own block to all others itself, to another one in each round.",
       .source = "[explainer-01] §7.2",
       .needs = {},
       .rounds_formula = "p-1",
       .rounds = round_per_peer,
       .bytes_formula = "(p-1)/p · M",
       .bytes = other_blocks_once,
       .granule = block_per_rank,
       .run = as_allgather(pairwise)},
      {.collective = Collective::allgather,
       .name = "recursive_doubling",
       .summary = "Partners at distance 1, 2, 4, … swap all that they have: recursive_halving backwards.",
       .source = "[explainer-01] App. B.4",
       .needs = {},
       .rounds_formula = "⌊log2 p⌋, + 2 if p is no power of two",
       .rounds = recursive_doubling_rounds,
       .bytes_formula = "(p-1)/p · M; else (p-1 + Σ(2^j + min(2^j, p-p')))/p · M, j < log2 p'; p' = 2^⌊log2 p⌋",
       .bytes = recursive_doubling_bytes,
       .granule = block_per_rank,
       .run = as_allgather(recursive_doubling)},
      pat_row(Options(std::vector{pat_aggregation_parameter()})),
      {.collective = Collective::allgather,
       .name = "torus_ring",
       .summary = "Rings along one dimension of the grid after the other: to neighbours only, through one port.",
       .source = "[explainer-02] §3.5",
       .needs = {},
       .rounds_formula = "Σ(dᵢ-1)",
       .rounds = ring_rounds,
       .bytes_formula = "(p-1)/p · M",
       .bytes = other_blocks_once,
       .granule = block_per_rank,
       .run = as_allgather(torus_ring)},
      {.collective = Collective::allgather,
       .name = "swing",
       .summary = "Blocks exchanged along Swing's short cuts through all 2D ports.",
       .source = "[swing] §3.1.1, §3.2, §4, App. A",
       .needs = {},
       .rounds_formula = "Σ⌈log2 dᵢ⌉; ⌈log2(dᵢ-1)⌉ where dᵢ is odd",
       .rounds = swing_rounds,
       .bytes_formula = "(p-1)/p · M",
       .bytes = other_blocks_once,
       .granule = block_per_rank_and_port,
       .run = as_allgather(swing)},
      {.collective = Collective::allgather,
       .name = "trivance",
       .summary = "Blocks to a peer on either side, a third as far in each step, on all 2D ports.",
       .source = "[trivance] §4.1, §4.3, §4.4, §5",
       .needs = {},
       .rounds_formula = "Σ⌈log3 dᵢ⌉",
       .rounds = trivance_rounds,
       .bytes_formula = "(p-1)/p · M",
       .bytes = other_blocks_once,
       .granule = block_per_rank_and_dimension,
       .run = as_allgather(trivance)},
      {.collective = Collective::allgather,
       .name = "bine_block_by_block",
       .summary = "A Bine butterfly, each block a message of its own.",
       .source = "[bine] §4.3, App. B, App. C",
       .needs = {},
       .rounds_formula = "⌈log2 p⌉; ⌊log2 p⌋ + 2 at odd p",
       .rounds = bine_phase_rounds,
       .bytes_formula = "(p-1)/p · M; by a host at odd p about 2M",
       .bytes = bine_block_by_block_allgather_bytes,
       .granule = block_per_rank,
       .run = as_allgather(bine_block_by_block)},
      {.collective = Collective::allgather,
       .name = "bine_permute",
       .summary = "A Bine butterfly, messages one run each in an order from which blocks are copied back.",
       .source = "[bine] §4.3, App. B, App. C",
       .needs = {},
       .rounds_formula = "log2 p; ⌊log2 p⌋ + 2 at other p",
       .rounds = bine_permute_rounds,
       .bytes_formula = "(p-1)/p · M; by a host at other p than 2^k about 2M",
       .bytes = bine_permute_allgather_bytes,
       .granule = block_per_rank,
       .run = as_allgather(bine_permute)},
      {.collective = Collective::allgather,
       .name = "bine_send",
       .summary = "A Bine butterfly, each block first sent to where it would be if permuted, then runs.",
       .source = "[bine] §4.3, App. B, App. C",
       .needs = {},
       .rounds_formula = "log2 p, + 1 if p ≥ 4; ⌊log2 p⌋ + 3 at other p, + 2 if one pair folds",
       .rounds = bine_send_rounds,
       .bytes_formula = "M; by a host at other p than 2^k about 2M",
       .bytes = bine_send_allgather_bytes,
       .granule = block_per_rank,
       .run = as_allgather(bine_send)},
      {.collective = Collective::allgather,
       .name = "bine_two_transmissions",
       .summary = "A Bine butterfly, distances the other way, so that messages are one run round the circle, cut at the end.",
       .source = "[bine] §4.3, App. B, App. C",
       .needs = {},
       .rounds_formula = "⌈log2 p⌉; ⌊log2 p⌋ + 2 at odd p",
       .rounds = bine_phase_rounds,
       .bytes_formula = "(p-1)/p · M; by a host at odd p about 2M",
       .bytes = bine_two_transmissions_allgather_bytes,
       .granule = block_per_rank,
       .run = as_allgather(bine_two_transmissions)},
      circulant_with(schedule::CirculantSkips()),
      {.collective = Collective::allgather,
       .name = "bruck",
       .summary = "Dissemination: all that a rank has, to the ranks 1, 2, 4, … before it; as few rounds for any p.",
       .source = "[bruck-1997]; [traeff] §2.1",
       .needs = {},
       .rounds_formula = "⌈log2 p⌉",
       .rounds = dissemination_rounds,
       .bytes_formula = "(p-1)/p · M",
       .bytes = other_blocks_once,
       .granule = block_per_rank,
       .run = as_allgather(bruck)},
      {.collective = Collective::allgather,
       .name = "neighbor_exchange",
       .summary = "Pairs of blocks exchanged with the two neighbours in turn, in half of ring's rounds.",
       .source = "[chen-2005]",
       .needs = {},
       .rounds_formula = "p/2; (p-1)/2 + 2 if p is odd",
       .rounds = neighbor_exchange_rounds,
       .bytes_formula = "(p-1)/p · M; (2p-1)/p · M if p is odd (4/3 · M at 3)",
       .bytes = neighbor_exchange_bytes,
       .granule = block_per_rank,
       .run = as_allgather(neighbor_exchange)},
      {.collective = Collective::allgather,
       .name = "sparbit",
       .summary = "Binomial trees for all blocks, the farthest leap first, each block a message of its own.",
       .source = "[sparbit]",
       .needs = {},
       .rounds_formula = "⌈log2 p⌉",
       .rounds = dissemination_rounds,
       .bytes_formula = "(p-1)/p · M",
       .bytes = other_blocks_once,
       .granule = block_per_rank,
       .run = as_allgather(sparbit)},
      hierarchical_row(),
      in_network_row(Collective::allgather),
  };
}

}  // namespace heddle::allgather
