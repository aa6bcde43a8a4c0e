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
#include "algorithms/allgather/allgather.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"

namespace heddle::allgather {

void ring(Communicator& comm, VectorView vector, const BlockPartition& blocks) {
  const int p = comm.size();
  if (p == 1 || vector.empty()) return;

  const int rank = comm.rank().value();
  const Rank right((rank + 1) % p);
  const Rank left((rank + p - 1) % p);
  const auto block = [=](int b) { return blocks.block(vector, (b + p) % p); };
  comm.exchange(p - 1, [=](int round) { return Round{right, block(rank - round), left, block(rank - round - 1)}; });
}

std::vector<Algorithm> ring_rows() {
  return {{.collective = Collective::allgather,
           .name = "ring",
           .summary = "Every block goes once round the ring of ranks.",
           .source = "[explainer-01] §6; [swing] §2.3.1",
           .needs = {},
           .rounds = formulas::round_per_peer(),
           .bytes = formulas::other_blocks_once(),
           .granule = formulas::block_per_rank,
           .run = as_allgather(ring),
           .uniform = true}};
}

}  // namespace heddle::allgather
