// SPDX-License-Identifier: Apache-2.0
// bine_block_by_block, bine_permute, bine_send, bine_two_transmissions: the reduce-scatters of the same names backwards.
//
// A rank has its own block and doubles what it has in each step: partners swap all that they have, in the order of steps from
// the last to the first (reduce_scatter/bine.cpp). So distances halve here, and the most is sent nearest, but for
// bine_two_transmissions, whose distances double.
//
//   p = 8, rank 0          distances halving                       distances doubling
//   step 2    has 0         gets 3 from rank 3              has 0           gets 1 from rank 1
//   step 1    has 0 3       gets 4 7 from rank 7            has 0 1         gets 6 7 from rank 7
//   step 0    has 0 3 4 7   gets 1 2 5 6 from rank 1        has 6 7 0 1     gets 2 3 4 5 from rank 3
//
// bine_block_by_block     sends each block as a message of its own.
// bine_permute            gathers blocks in the order 0 3 7 4 1 6 2 5, in which all that is sent is one run, and copies them
//                         into rank order in the end.
// bine_send               first each rank sends its block to the one whose place in that order it is to take: what lies where
//                         block b belongs, then, comes from the right rank, and the runs are sent where they lie.
// bine_two_transmissions  sends one run round the circle of blocks; where it passes the end of the vector, two messages.
//
// Other p than powers of two as in the reduce-scatters: even ones as they are or folded, odd ones folded.
//
// Rounds:  log2 p; ⌈log2 p⌉ at even p that do not fold; ⌊log2 p⌋ + 2 with a fold. bine_send: one more from p = 4 on, but
//          where one pair only is folded.
// Bytes:   (p-1)/p · M sent by each rank where nothing folds. Where something does, a partner sends about 2M (of
//          bine_two_transmissions up to 2.4M): what others lack, of its extra rank as well, and all but one block to its extra
//          rank. bine_send: M/p more from p = 4 on.
// Time:    log2 p · α + (p-1)/p · M·β where messages share no links; bine_permute M·γ more for copies, bine_send α + M·β/p.
// Limits:  with a fold, partners send twice as much as without.
// Source:  Bine (De Sensi et al.) §4.3, App. B (comparison), App. C (other p).
#include "algorithms/allgather/allgather.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/bine_formulas.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/bine/bine_schedule.hpp"
#include "algorithms/schedule/blocks/block_exchange.hpp"
#include "algorithms/schedule/blocks/permuted_blocks.hpp"

namespace heddle::allgather {

namespace {

using schedule::BlockExchange;
using schedule::BlockSchedule;

bool has_nothing_to_do(const Communicator& comm, VectorView vector) { return comm.size() == 1 || vector.empty(); }

}  // namespace

void bine_block_by_block(Communicator& comm, VectorView vector, const BlockPartition& blocks) {
  if (has_nothing_to_do(comm, vector)) return;
  const auto plan =
      comm.shared_plan<BlockSchedule>("bine, compact", [&] { return schedule::bine_block_schedule(comm.size()); });
  BlockExchange(comm, *plan, vector, blocks, {}, schedule::Message::block).allgather();
}

void bine_two_transmissions(Communicator& comm, VectorView vector, const BlockPartition& blocks) {
  if (has_nothing_to_do(comm, vector)) return;
  const auto plan =
      comm.shared_plan<BlockSchedule>("bine, halving", [&] { return schedule::bine_halving_schedule(comm.size()); });
  BlockExchange(comm, *plan, vector, blocks, {}, schedule::Message::run).allgather();
}

void bine_permute(Communicator& comm, VectorView vector, const BlockPartition& blocks) {
  if (has_nothing_to_do(comm, vector)) return;
  const auto plan =
      comm.shared_plan<BlockSchedule>("bine, by ways", [&] { return schedule::bine_by_ways_schedule(comm.size()); });

  const schedule::PermutedBlocks permuted(*plan, blocks);
  Buffer scratch(vector.type(), vector.count());
  const VectorView own = blocks.block(vector, comm.rank().value());
  if (!own.empty()) comm.copy(permuted.block(scratch.view(), comm.rank().value()), own);
  BlockExchange(comm, *plan, scratch.view(), permuted.by_position()).allgather();
  permuted.restore(comm, vector, scratch.view());
}

void bine_send(Communicator& comm, VectorView vector, const BlockPartition& blocks) {
  if (has_nothing_to_do(comm, vector)) return;
  const auto plan =
      comm.shared_plan<BlockSchedule>("bine, by ways", [&] { return schedule::bine_by_ways_schedule(comm.size()); });

  const int rank = comm.rank().value();
  const int has = plan->position(rank);
  if (has != rank) comm.sendrecv(Rank(plan->block_at(rank)), blocks.block(vector, rank), Rank(has), blocks.block(vector, has));
  BlockExchange(comm, *plan, vector, blocks).allgather();
}

std::vector<Algorithm> bine_rows() {
  return {
      {.collective = Collective::allgather,
       .name = "bine_block_by_block",
       .summary = "A Bine butterfly, each block a message of its own.",
       .source = "[bine] §4.3, App. B, App. C",
       .needs = {},
       .rounds = formulas::bine_rounds(),
       .bytes = {"(p-1)/p · M; by a host at odd p about 2M", formulas::bine_block_by_block_allgather_bytes},
       .messages_a_round = formulas::message_per_block,
       .granule = formulas::block_per_rank,
       .run = as_allgather(bine_block_by_block)},
      {.collective = Collective::allgather,
       .name = "bine_permute",
       .summary = "A Bine butterfly, messages one run each in an order from which blocks are copied back.",
       .source = "[bine] §4.3, App. B, App. C",
       .needs = {},
       .rounds = formulas::bine_rounds_by_ways(),
       .bytes = {"(p-1)/p · M; by a host at other p than 2^k about 2M", formulas::bine_permute_allgather_bytes},
       .granule = formulas::block_per_rank,
       .run = as_allgather(bine_permute)},
      {.collective = Collective::allgather,
       .name = "bine_send",
       .summary = "A Bine butterfly, each block first sent to where it would be if permuted, then runs.",
       .source = "[bine] §4.3, App. B, App. C",
       .needs = {},
       .rounds = formulas::bine_rounds_with_owners(),
       .bytes = {"M; by a host at other p than 2^k about 2M", formulas::bine_send_allgather_bytes},
       .granule = formulas::block_per_rank,
       .run = as_allgather(bine_send)},
      {.collective = Collective::allgather,
       .name = "bine_two_transmissions",
       .summary = "A Bine butterfly, distances the other way, so that messages are one run round the circle, cut at the end.",
       .source = "[bine] §4.3, App. B, App. C",
       .needs = {},
       .rounds = formulas::bine_rounds(),
       .bytes = {"(p-1)/p · M; by a host at odd p about 2M", formulas::bine_two_transmissions_allgather_bytes},
       .granule = formulas::block_per_rank,
       .run = as_allgather(bine_two_transmissions)}};
}

}  // namespace heddle::allgather
