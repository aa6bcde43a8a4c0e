// SPDX-License-Identifier: Apache-2.0
// ring: the first half of the ring allreduce; sums of blocks grow on their way round the ring of ranks.
//
// In each of p-1 rounds every rank passes one block to its right neighbour and adds the one that it gets from its left to its
// own contribution. The sum of block b starts at rank b+1, collects one contribution per round and ends, complete, at rank b.
//
// Picture, p = 4: who passes which block; the sum of block 3 starts at rank 0 and ends at rank 3.
//
//             0        1        2        3
//   round 0   b3 ->    b0 ->    b1 ->    b2 ->
//   round 1   b2 ->    b3 ->    b0 ->    b1 ->
//   round 2   b1 ->    b2 ->    b3 ->    b0 ->
//
// Rounds:  p-1.
// Bytes:   (p-1)/p · M sent by each rank, the least there is: each block but its own once.
// Time:    (p-1)·α + (p-1)/p · M·β on a ring or any fabric where neighbours in rank order do not share links. With blocks of
//          different sizes each round takes as long as the longest block.
// Limits:  the latency grows with p. Each block's sum starts at another rank, so the op must be commutative.
// Source:  explainer 01 (Lu) §6, the first phase of §5.1; Swing (De Sensi et al.) §2.3.1.
#include "algorithms/reduce_scatter/reduce_scatter.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"

namespace heddle::reduce_scatter {

void ring(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op) {
  require_commutative("ring", op);
  const int p = comm.size();
  if (p == 1 || inout.empty()) return;

  const int rank = comm.rank().value();
  const Rank right((rank + 1) % p);
  const Rank left((rank + p - 1) % p);
  const auto block = [=](int b) { return blocks.block(inout, (b + 2 * p) % p); };
  Buffer scratch(inout.type(), blocks.longest());
  comm.exchange(p - 1, {.op = &op, .scratch = scratch.view()}, [=](int round) {
    return Round{right, block(rank - round - 1), left, block(rank - round - 2)};
  });
}

std::vector<Algorithm> ring_rows() {
  return {{.collective = Collective::reduce_scatter,
           .name = "ring",
           .summary = "Sums of blocks grow on their way round the ring of ranks.",
           .source = "[explainer-01] §6; [swing] §2.3.1",
           .needs = {.commutative = true},
           .rounds = formulas::round_per_peer(),
           .bytes = formulas::other_blocks_once(),
           .granule = formulas::block_per_rank,
           .run = as_reduce_scatter(ring),
           .uniform = true}};
}

}  // namespace heddle::reduce_scatter
