// SPDX-License-Identifier: Apache-2.0
// bruck: sums of blocks to k ranks ahead at once, k + 1 times as far in each step.
//
// The first phase of allreduce's bruck_bandwidth: a block's distance from its owner, written in base k + 1, says in which step
// it goes how far. Here blocks lie in rank order and may have any sizes.
//
// Picture, p = 8, one port: what rank 0 holds and sends.
//
//   step 0   holds 0 1 2 3 4 5 6 7   sends 1 3 5 7 to rank 1
//   step 1   holds 0   2   4   6     sends   2   6 to rank 2
//   step 2   holds 0       4         sends       4 to rank 4
//   done     holds 0
//
// On a grid each block is cut into D pieces, and D collectives run at once, each on one piece of every block, each starting in
// another dimension.
//
// Rounds:  Σ⌈log_{k+1} dᵢ⌉ for every size.
// Bytes:   (p-1)/p · M sent by each rank where blocks are equal; else all blocks but its own.
// Time:    Σ⌈log_{k+1} dᵢ⌉ · α + (p-1)/p · M·β/k where k messages at once share no link.
// Limits:  the op must be commutative. Messages are made of many runs.
// Source:  Trivance (Jürß et al.) §2.4; the algorithm is Bruck et al.'s.
#include "algorithms/reduce_scatter/reduce_scatter.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/bruck_options.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/rows/pattern_rounds.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/windows/bruck_pattern.hpp"
#include "algorithms/schedule/windows/lattice_skip_exchange.hpp"

namespace heddle::reduce_scatter {

void bruck(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op, int ports) {
  require_commutative("bruck", op);
  if (comm.size() == 1 || inout.empty()) return;
  schedule::reduce_scatter_by_skips(comm, schedule::bruck_pattern(ports), inout, blocks, op);
}

namespace {

Algorithm bruck_row(const Options& options) {
  const int ports = bruck_ports(options);
  return {.collective = Collective::reduce_scatter,
          .name = "bruck",
          .summary = "Sums of blocks to several ranks ahead at once, by the digits of a block's distance.",
          .source = "[trivance] §2.4, App. B; [bruck-1997]",
          .needs = {.commutative = true},
          .rounds = formulas::bruck_rounds(ports),
          .bytes = formulas::other_blocks_once(),
          .messages_a_round = formulas::message_per_port,
          .granule = formulas::block_per_rank_and_dimension,
          .run = as_reduce_scatter([ports](Communicator& comm, VectorView inout, const BlockPartition& blocks,
                                           const ReduceOp& op) { bruck(comm, inout, blocks, op, ports); }),
          .tasks_share_credits = true,
          .parameters = bruck_parameters(),
          .configured = bruck_row};
}

}  // namespace

std::vector<Algorithm> bruck_rows() { return {bruck_row(Options(bruck_parameters()))}; }

}  // namespace heddle::reduce_scatter
