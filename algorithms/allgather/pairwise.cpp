// SPDX-License-Identifier: Apache-2.0
// pairwise: every rank sends its own block to all others itself, to another one in each round.
//
// In round t = 1 … p-1 rank r sends its block to rank r+t and gets that of rank r-t. Nothing is passed on: the pairwise
// reduce-scatter backwards.
//
// Picture, p = 4: whom everyone sends its block to.
//
//             0        1        2        3
//   round 1   -> 1     -> 2     -> 3     -> 0
//   round 2   -> 2     -> 3     -> 0     -> 1
//   round 3   -> 3     -> 0     -> 1     -> 2
//
// Rounds:  p-1.
// Bytes:   (p-1) times the rank's own block: (p-1)/p · M with equal blocks.
// Time:    (p-1)·α + (p-1)/p · M·β where every two ranks have a path of their own.
// Limits:  the latency grows with p, and on a ring or torus messages go far: bytes times links are p/4 times those of ring.
// Source:  explainer 01 (Lu) §7.2, whose all-to-all sends the same block to everyone here.
#include "algorithms/allgather/allgather.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"

namespace heddle::allgather {

void pairwise(Communicator& comm, VectorView vector, const BlockPartition& blocks) {
  const int p = comm.size();
  const int rank = comm.rank().value();
  if (vector.empty()) return;
  for (int round = 1; round < p; ++round) {
    const int dest = (rank + round) % p;
    const int source = (rank + p - round) % p;
    comm.sendrecv(Rank(dest), blocks.block(vector, rank), Rank(source), blocks.block(vector, source));
  }
}

std::vector<Algorithm> pairwise_rows() {
  return {{.collective = Collective::allgather,
           .name = "pairwise",
           .summary = "Every rank sends its own block to all others itself, to another one in each round.",
           .source = "[explainer-01] §7.2",
           .needs = {},
           .rounds = formulas::round_per_peer(),
           .bytes = formulas::other_blocks_once(),
           .granule = formulas::block_per_rank,
           .run = as_allgather(pairwise),
           .other_names = {{"direct"}}}};
}

}  // namespace heddle::allgather
