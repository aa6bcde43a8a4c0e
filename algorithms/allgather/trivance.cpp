// SPDX-License-Identifier: Apache-2.0
// trivance: everyone's blocks to one peer on either side at once, a third as far in each step.
//
// The second phase of allreduce's trivance_bandwidth, the time-reverse of the reduce-scatter: the first step goes furthest with
// one block, and in each step a rank passes on all that has come so far to either side, so that it has three times as much.
//
// Picture, p = 9 on a ring: what rank 0 has and gets.
//
//   step 0   has 0                 gets     3 from rank 3,     6 from rank 6      distance 3
//   step 1   has 0     3     6     gets 1 4 7 from rank 1, 2 5 8 from rank 8      distance 1
//   done     has 0 1 2 3 4 5 6 7 8
//
// Sizes that are no power of three: the distances are those of trivance_bandwidth, the furthest first, and nothing comes twice.
// On a grid each block is cut into D pieces, and D collectives run at once, each on one piece of every block.
//
// Rounds:  Σ⌈log3 dᵢ⌉ for every size.
// Bytes:   (p-1)/p · M sent by each rank where blocks are equal.
// Time:    log3 p · α + ⅓·log3 p · M·β on a ring of 3^s.
// Limits:  messages are made of many runs: of blocks in rank order every third comes.
// Source:  Trivance (Jürß, Addanki, Schmid) §4.1, §4.4, §5.
#include "algorithms/allgather/allgather.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/rows/pattern_rounds.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/windows/lattice_skip_exchange.hpp"
#include "algorithms/schedule/windows/trivance_pattern.hpp"

namespace heddle::allgather {

void trivance(Communicator& comm, VectorView vector, const BlockPartition& blocks) {
  if (comm.size() == 1 || vector.empty()) return;
  schedule::allgather_by_skips(comm, schedule::trivance_pattern(), vector, blocks);
}

std::vector<Algorithm> trivance_rows() {
  return {{.collective = Collective::allgather,
           .name = "trivance",
           .summary = "Blocks to a peer on either side, a third as far in each step, on all 2D ports.",
           .source = "[trivance] §4.1, §4.3, §4.4, §5",
           .needs = {},
           .rounds = formulas::trivance_rounds(),
           .bytes = formulas::other_blocks_once(),
           .messages_a_round = formulas::message_per_port,
           .granule = formulas::block_per_rank_and_dimension,
           .run = as_allgather(trivance),
           .tasks_share_credits = true}};
}

}  // namespace heddle::allgather
