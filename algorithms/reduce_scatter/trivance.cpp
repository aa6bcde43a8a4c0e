// SPDX-License-Identifier: Apache-2.0
// trivance: sums of blocks to one peer on either side at once, three times as far in each step.
//
// The first phase of allreduce's trivance_bandwidth, whose file says which blocks go when; here they lie in rank order and
// may have any sizes. A message is gathered from where its blocks lie.
//
// Picture, p = 9 on a ring: what rank 0 holds and sends.
//
//   step 0   holds 0 1 2 3 4 5 6 7 8   sends 1 4 7 to rank 1, 2 5 8 to rank 8      distance 1
//   step 1   holds 0     3     6       sends     3 to rank 3,     6 to rank 6      distance 3
//   done     holds 0
//
// On a grid each block is cut into D pieces, and D collectives run at once, each on one piece of every block, each starting in
// another dimension.
//
// Rounds:  Σ⌈log3 dᵢ⌉ for every size.
// Bytes:   (p-1)/p · M sent by each rank where blocks are equal; else all blocks but its own.
// Time:    log3 p · α + ⅓·log3 p · M·β on a ring of 3^s.
// Limits:  the op must be commutative. Messages are made of many runs: of blocks in rank order every third goes.
// Source:  Trivance (Jürß, Addanki, Schmid) §4.1, §4.4, §5.
#include "algorithms/reduce_scatter/reduce_scatter.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/rows/pattern_rounds.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/windows/lattice_skip_exchange.hpp"
#include "algorithms/schedule/windows/trivance_pattern.hpp"

namespace heddle::reduce_scatter {

void trivance(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op) {
  require_commutative("trivance", op);
  if (comm.size() == 1 || inout.empty()) return;
  schedule::reduce_scatter_by_skips(comm, schedule::trivance_pattern(), inout, blocks, op);
}

std::vector<Algorithm> trivance_rows() {
  return {{.collective = Collective::reduce_scatter,
           .name = "trivance",
           .summary = "Sums of blocks to a peer on either side, three times as far in each step, on all 2D ports.",
           .source = "[trivance] §4.1, §4.3, §4.4, §5",
           .needs = {.commutative = true},
           .rounds = formulas::trivance_rounds(),
           .bytes = formulas::other_blocks_once(),
           .messages_a_round = formulas::message_per_port,
           .granule = formulas::block_per_rank_and_dimension,
           .run = as_reduce_scatter(trivance),
           .tasks_share_credits = true}};
}

}  // namespace heddle::reduce_scatter
