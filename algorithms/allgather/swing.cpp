// SPDX-License-Identifier: Apache-2.0
// swing: the second half of the bandwidth-optimal Swing allreduce, log2 p steps along its short cuts, on all ports.
//
// The steps of the reduce-scatter backwards: partners at distance …, 11, 5, 3, 1, 1 to alternating sides
// (schedule/butterflies/swing_pattern.hpp), the farthest first, each sending what it would have received there.
//
// Picture, p = 8 on a ring: the blocks that rank 0 has and what it gets.
//
//   start    has 0
//   step 0   has 0     3             gets       3 from rank 3
//   step 1   has 0     3 4     7     gets     4 7 from rank 7
//   step 2   has 0 1 2 3 4 5 6 7     gets 1 2 5 6 from rank 1
//
// The rounds as the paper writes them: allreduce/swing_bandwidth.cpp.
//
// Blocks lie in rank order, so a message is gathered from several runs of the vector and scattered into several. On a grid the
// steps take turns over the dimensions, and every block is cut into 2D pieces, one for each port: D plain collectives, each
// starting in another dimension, and D mirrored ones. Without a grid: one dimension of p, two pieces. Sizes that are no power
// of two: as in the allreduce (allreduce/swing_bandwidth.cpp).
//
// Rounds:  log2 p; in general Σ⌈log2 eᵢ⌉, eᵢ the size of a dimension or one less where that is odd.
// Bytes:   (p-1)/p · M sent by each rank, for every p.
// Time:    log2 p · α + Ξ·(p-1)/p · M·β/(2D) on a square torus, Ξ at most 1.19 for D = 2, 1.03 for D = 3; on a ring the step at
//          distance δ has δ flows on a link.
// Limits:  unequal dimensions leave ports idle at the beginning.
// Source:  Swing (De Sensi et al.) §3.1.1, §3.2 and Fig. 3, §4, App. A.2; Ξ: Table 2.
#include "algorithms/allgather/allgather.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/rows/pattern_rounds.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/butterflies/swing_ports.hpp"

namespace heddle::allgather {

void swing(Communicator& comm, VectorView vector, const BlockPartition& blocks) {
  if (comm.size() == 1 || vector.empty()) return;
  schedule::on_swing_ports(comm, vector, blocks, [](schedule::BlockExchange& exchange) { exchange.allgather(); });
}

std::vector<Algorithm> swing_rows() {
  return {{.collective = Collective::allgather,
           .name = "swing",
           .summary = "Blocks exchanged along Swing's short cuts through all 2D ports.",
           .source = "[swing] §3.1.1, §3.2, §4, App. A",
           .needs = {},
           .rounds = formulas::swing_rounds(),
           .bytes = formulas::other_blocks_once(),
           .messages_a_round = formulas::message_per_port,
           .granule = formulas::block_per_rank_and_port,
           .run = as_allgather(swing),
           .tasks_share_credits = true}};
}

}  // namespace heddle::allgather
