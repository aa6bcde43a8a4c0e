// SPDX-License-Identifier: Apache-2.0
// swing_bandwidth: a reduce-scatter, then an allgather, both in log2 p steps along Swing's short cuts, on all ports.
//
// The vector is cut into p blocks. In step s a rank exchanges with its partner at distance δ(s) = |ρ(s)| = 1, 1, 3, 5, 11, …
// to alternating sides: it sends the sums of all blocks that the partner, or those whom the partner will reach later, are to
// have, half of what it holds, and adds what it gets to the half that it keeps. After the last step it holds its own block,
// complete. The allgather takes the same steps backwards.
//
// The rounds as the paper writes them, on a ring and by one port: paper::swing_round in
// schedule/butterflies/swing_schedule.hpp. Beside it is what runs, swing_block_schedule; tests hold that both send the same.
//
//   ρ(s)          = Σ_{i=0..s} (-2)^i = 1, -1, 3, -5, 11, …
//   π(r, s)       = r + ρ(s) for even r, r - ρ(s) for odd r, modulo p                              eq. 2
//   reached(r, s) = the π(r, k), and reached(π(r, k), k + 1), for all steps k ≥ s                  Listing 1
//   step s:         r sends q = π(r, s) the blocks {q} ∪ reached(q, s + 1), less reached(r, s + 1) App. A.2
//
// Picture, p = 8 on a ring: the blocks that rank 0 holds and what it sends.
//
//   step 0   holds 0 1 2 3 4 5 6 7   sends 1 2 5 6 to rank 1
//   step 1   holds 0     3 4     7   sends     4 7 to rank 7
//   step 2   holds 0     3           sends       3 to rank 3
//   done     holds 0
//
// A rank's blocks are not side by side in rank order, so they are laid out in another, in which they are; an allreduce
// need not care (schedule/blocks/block_schedule.hpp, which also derives the block sets from the partners).
//
// On a grid the steps take turns over the dimensions, and the vector is cut into 2D slices, each with a collective of its own:
// D plain ones, each starting in another dimension, and D mirrored ones that swing to the other side. In each step every port
// carries one slice, until the shorter dimensions have no steps left. Without a grid: one dimension of p, two slices.
//
// Even sizes that are no power of two: some blocks could reach a rank in two steps; they are sent in the later one only.
// Odd sizes: the last coordinate exchanges directly with the others, one block each way, a share of them in each step; the
// others swing as if it were not there.
//
// Rounds:  2·log2 p; in general 2·Σ⌈log2 eᵢ⌉, eᵢ the size of a dimension or one less where that is odd.
// Bytes:   2(p-1)/p · M sent by each rank, for every p: each block but its own once per phase.
// Time:    2·log2 p · α + Ξ·2(p-1)/p · M·β/(2D) on a square torus, Ξ at most 1.19 for D = 2, 1.03 for D = 3; on a ring step s
//          has δ(s) flows on a link.
// Limits:  the op must be commutative. Unequal dimensions leave ports idle at the end. Where sizes are no power of two,
//          messages are gathered from several pieces of the vector.
// Source:  Swing (De Sensi et al.) §3.1.1, §3.2 and Fig. 3, §4, App. A.2; Ξ: Table 2.
#include "algorithms/allreduce/allreduce.hpp"

#include <string>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/rows/pattern_rounds.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/blocks/block_exchange.hpp"
#include "algorithms/schedule/blocks/ports.hpp"
#include "algorithms/schedule/butterflies/swing_schedule.hpp"

namespace heddle::allreduce {

void swing_bandwidth(Communicator& comm, VectorView inout, const ReduceOp& op) {
  require_commutative("swing_bandwidth", op);
  if (comm.size() == 1 || inout.empty()) return;

  const schedule::Lattice lattice(comm.grid(), comm.size());
  const int ports = 2 * lattice.dimensions();
  schedule::on_ports(comm, ports, inout, [&](int port, Communicator& task, VectorView slice) {
    const auto blocks = task.shared_plan<schedule::BlockSchedule>("swing_bandwidth, port " + std::to_string(port), [&] {
      return schedule::swing_block_schedule(lattice, schedule::swing_port(port, lattice.dimensions()));
    });
    schedule::BlockExchange exchange(task, *blocks, slice);
    exchange.reduce_scatter(op);
    exchange.allgather();
  });
}

std::vector<Algorithm> swing_bandwidth_rows() {
  return {{.collective = Collective::allreduce,
           .name = "swing_bandwidth",
           .summary = "Reduce-scatter and allgather along Swing's short cuts through all 2D ports: least bytes in few rounds.",
           .source = "[swing] §3.1.1, §3.2, §4, App. A",
           .needs = {.commutative = true},
           .rounds = formulas::two_swing_rounds(),
           .bytes = formulas::all_blocks_twice(),
           .messages_a_round = formulas::message_per_port,
           .granule = formulas::block_per_rank_and_port,
           .run = as_allreduce(swing_bandwidth),
           .tasks_share_credits = true}};
}

}  // namespace heddle::allreduce
