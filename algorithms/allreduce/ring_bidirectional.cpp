// SPDX-License-Identifier: Apache-2.0
// ring_bidirectional: two rings at once, each on half of the vector, one to the right and one to the left.
//
// A rank has two neighbours and a cable is full duplex, yet `ring` uses one direction of it. So the vector is cut in two; the
// first half goes round as in `ring`, the second the same way backwards. Each half is half as long: the bandwidth term halves.
//
// Picture, p = 4, round 0; a: blocks of the first half, b: of the second.
//
//        a3 ->   a0 ->   a1 ->   a2 ->
//      0       1       2       3
//     <- b1   <- b2   <- b3   <- b0
//
// Rounds:  2(p-1), the two rings at the same time.
// Bytes:   2(p-1)/p · M sent by each rank, half of it each way.
// Time:    2(p-1)·α + (p-1)/p · M·β on a ring.
// Limits:  as `ring`. Two ranks are each other's left and right neighbour: where they share one cable, nothing is gained.
// Source:  Swing (De Sensi et al.) §2.3.1 (one ring per port); explainer 01 (Lu) §5.1 (the ring).
#include "algorithms/allreduce/allreduce.hpp"

#include <cstdint>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/blocks/ports.hpp"
#include "algorithms/schedule/grids/ring_pass.hpp"

namespace heddle::allreduce {

void ring_bidirectional(Communicator& comm, VectorView inout, const ReduceOp& op) {
  require_commutative("ring_bidirectional", op);
  const int p = comm.size();
  const int rank = comm.rank().value();
  if (p == 1 || inout.empty()) return;

  const Rank right((rank + 1) % p);
  const Rank left((rank + p - 1) % p);
  schedule::on_ports(comm, 2, inout, [&](int port, Communicator& task, VectorView half) {
    const bool rightwards = port == 0;
    const schedule::RingPlace place{.positions = p,
                                    .position = rank,
                                    .direction = rightwards ? +1 : -1,
                                    .next = rightwards ? right : left,
                                    .previous = rightwards ? left : right};
    const schedule::RingBlocks blocks{.vector = half, .partition = BlockPartition(half.count(), p)};
    Buffer scratch(half.type(), blocks.partition.size(0));
    schedule::ring_reduce_scatter(task, place, blocks, scratch.view(), op);
    schedule::ring_allgather(task, place, blocks);
  });
}

std::vector<Algorithm> ring_bidirectional_rows() {
  return {{.collective = Collective::allreduce,
           .name = "ring_bidirectional",
           .summary = "Two rings at once in opposite directions, each on half of the vector.",
           .source = "[swing] §2.3.1; [explainer-01] §5.1",
           .needs = {.commutative = true},
           .rounds = formulas::two_rounds_per_peer(),
           .bytes = formulas::all_blocks_twice(),
           .messages_a_round = formulas::message_per_port,
           .granule = [](const Shape& shape) { return 2 * std::int64_t{shape.ranks}; },
           .run = as_allreduce(ring_bidirectional)}};
}

}  // namespace heddle::allreduce
