// SPDX-License-Identifier: Apache-2.0
// ring: the second half of the ring allreduce; every block goes once round the ring of ranks.
//
// In each of p-1 rounds every rank passes one block to its right neighbour and gets one from its left: first its own, then
// always the one that it has just got.
//
// Picture, p = 4: who passes which block.
//
//             0        1        2        3
//   round 0   b0 ->    b1 ->    b2 ->    b3 ->
//   round 1   b3 ->    b0 ->    b1 ->    b2 ->
//   round 2   b2 ->    b3 ->    b0 ->    b1 ->
//
// Rounds:  p-1.
// Bytes:   (p-1)/p · M sent by each rank.
// Time:    (p-1)·α + (p-1)/p · M·β on a ring or any fabric where neighbours in rank order do not share links. With blocks of
//          different sizes each round takes as long as the longest block.
// Limits:  the latency grows with p.
// Source:  explainer 01 (Lu) §6, the second phase of §5.1; Swing (De Sensi et al.) §2.3.1.
#include "algorithms/allgather/ring.hpp"

#include "algorithms/schedule/ring_pass.hpp"

namespace heddle::allgather {

void ring(Communicator& comm, VectorView vector, const BlockPartition& blocks) {
  if (comm.size() == 1 || vector.empty()) return;
  schedule::ring_allgather(comm, schedule::ring_of_ranks(comm), {.vector = vector, .partition = blocks});
}

}  // namespace heddle::allgather
