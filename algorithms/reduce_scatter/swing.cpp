// SPDX-License-Identifier: Apache-2.0
// swing: the first half of the bandwidth-optimal Swing allreduce, log2 p steps along its short cuts, on all ports.
//
// In step s a rank exchanges with its partner at distance δ(s) = 1, 1, 3, 5, 11, … to alternating sides
// (schedule/butterflies/swing_pattern.hpp): it sends the sums of all blocks that the partner, or those whom the partner will
// reach later, are to have, half of what it holds, and adds what it gets to the half that it keeps.
//
// Picture, p = 8 on a ring: the blocks that rank 0 holds and what it sends.
//
//   step 0   holds 0 1 2 3 4 5 6 7   sends 1 2 5 6 to rank 1
//   step 1   holds 0     3 4     7   sends     4 7 to rank 7
//   step 2   holds 0     3           sends       3 to rank 3
//   done     holds 0
//
// The rounds as the paper writes them: allreduce/swing_bandwidth.cpp.
//
// Every rank ends with its own block, so the blocks lie in rank order and a message is gathered from several runs of the
// vector; the allreduce lays them out so that it is one. On a grid the steps take turns over the dimensions, and every block is
// cut into 2D pieces, one for each port: D plain collectives, each starting in another dimension, and D mirrored ones. Without
// a grid: one dimension of p, two pieces. Sizes that are no power of two: as in the allreduce (allreduce/swing_bandwidth.cpp).
//
// Rounds:  log2 p; in general Σ⌈log2 eᵢ⌉, eᵢ the size of a dimension or one less where that is odd.
// Bytes:   (p-1)/p · M sent by each rank, for every p.
// Time:    log2 p · α + Ξ·(p-1)/p · M·β/(2D) on a square torus, Ξ at most 1.19 for D = 2, 1.03 for D = 3; on a ring step s has
//          δ(s) flows on a link.
// Limits:  the op must be commutative. Unequal dimensions leave ports idle at the end.
// Source:  Swing (De Sensi et al.) §3.1.1, §3.2 and Fig. 3, §4, App. A.2; Ξ: Table 2.
#include "algorithms/reduce_scatter/reduce_scatter.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/rows/pattern_rounds.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/butterflies/swing_ports.hpp"

namespace heddle::reduce_scatter {

void swing(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op) {
  require_commutative("swing", op);
  if (comm.size() == 1 || inout.empty()) return;
  schedule::on_swing_ports(comm, inout, blocks, [&op](schedule::BlockExchange& exchange) { exchange.reduce_scatter(op); });
}

std::vector<Algorithm> swing_rows() {
  return {{.collective = Collective::reduce_scatter,
           .name = "swing",
           .summary = "Blocks exchanged along Swing's short cuts through all 2D ports.",
           .source = "[swing] §3.1.1, §3.2, §4, App. A",
           .needs = {.commutative = true},
           .rounds = formulas::swing_rounds(),
           .bytes = formulas::other_blocks_once(),
           .messages_a_round = formulas::message_per_port,
           .granule = formulas::block_per_rank_and_port,
           .run = as_reduce_scatter(swing),
           .tasks_share_credits = true}};
}

}  // namespace heddle::reduce_scatter
