// SPDX-License-Identifier: Apache-2.0
// sparbit: binomial trees, one per block, the farthest leap first; each block a message of its own.
//
// The distances halve, from the largest power of two below p down to 1. At distance d every rank sends the blocks that it has,
// those of the ranks 2d, 4d, 6d, … before it and its own, to the rank d after it. So most data goes over the shortest distance,
// the other way round than with bruck and recursive doubling. Nothing is turned round or packed: all blocks of a step are sent
// at once, each from and to its place. A block that would arrive a second time, where p is no power of two, is not sent.
//
// Picture, p = 6: the blocks that rank 0 has.
//
//   start                 0
//   step 0, distance 4    0   2              gets block 2 from rank 2
//   step 1, distance 2    0   2   4          gets block 4 from rank 4, which keeps its other one: rank 0 has block 0
//   step 2, distance 1    0 1 2 3 4 5        gets blocks 5, 3 and 1 from rank 5
//
// The schedule is that of pat with full aggregation (schedule/skips/pat_schedule.hpp); there, the blocks of a step share one
// message.
//
// Rounds:  ⌈log2 p⌉, for any p.
// Bytes:   (p-1)/p · M sent by each rank.
// Time:    ⌈log2 p⌉·α + (p-1)/p · M·β where messages posted together overlap their start-up, and no two of a step share a link.
// Limits:  p-1 messages per rank: where each occupies the sender for a while, that time grows with p.
// Source:  Loch and Koslovski, Sparbit: a new logarithmic-cost and data locality-aware MPI Allgather algorithm (2021), which
//          Bine trees (De Sensi et al.) §5 compares with; the exclusion for other p as in Open MPI's implementation.
#include "algorithms/allgather/allgather.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/blocks/block_exchange.hpp"
#include "algorithms/schedule/skips/pat_schedule.hpp"

namespace heddle::allgather {

void sparbit(Communicator& comm, VectorView vector, const BlockPartition& blocks) {
  const int p = comm.size();
  if (p == 1 || vector.empty()) return;

  const auto steps =
      comm.shared_plan<schedule::SkipSchedule>("sparbit", [p] { return schedule::pat_schedule_block_by_block(p); });
  schedule::BlockExchange(comm, *steps, vector, blocks).allgather();
}

std::vector<Algorithm> sparbit_rows() {
  return {{.collective = Collective::allgather,
           .name = "sparbit",
           .summary = "Binomial trees for all blocks, the farthest leap first, each block a message of its own.",
           .source = "[sparbit]",
           .needs = {},
           .rounds = formulas::log2_rounds(),
           .bytes = formulas::other_blocks_once(),
           .messages_a_round = formulas::message_per_block,
           .granule = formulas::block_per_rank,
           .run = as_allgather(sparbit)}};
}

}  // namespace heddle::allgather
