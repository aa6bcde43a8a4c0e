// SPDX-License-Identifier: Apache-2.0
// pairwise: one block to one rank in each round, straight to where it belongs.
//
// In round t = 1 … p-1 rank r sends to rank r+t and receives from rank r-t. In every round each rank sends one message and
// receives one, so on a switch no port is shared.
//
// Picture, p = 4: 01 is the block from rank 0 to rank 1.
//
//             0          1          2          3
//   round 1   01 -> 1    12 -> 2    23 -> 3    30 -> 0
//   round 2   02 -> 2    13 -> 3    20 -> 0    31 -> 1
//   round 3   03 -> 3    10 -> 0    21 -> 1    32 -> 2
//
// Rounds:  p-1.
// Bytes:   (p-1)/p · M sent by each rank with equal blocks. Empty blocks are not sent.
// Time:    (p-1)·α + (p-1)/p · M·β where every two ranks have a path of their own. With blocks of different sizes a round takes
//          as long as its longest.
// Limits:  the latency grows with p, and on a ring or torus the messages of a round share links: t of them on a ring.
// Source:  explainer 01 (Lu) §7.2; NCCL staggers its point-to-point messages in this order.
#include "algorithms/alltoall/alltoall.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"

namespace heddle::alltoall {

void pairwise(Communicator& comm, ConstVectorView outgoing, const BlockPartition& sent, VectorView incoming,
              const BlockPartition& received) {
  const int p = comm.size();
  const int rank = comm.rank().value();
  if (outgoing.empty() && incoming.empty()) return;

  if (sent.size(rank) > 0) comm.copy(received.block(incoming, rank), sent.block(outgoing, rank));
  std::vector<Request> requests;
  for (int round = 1; round < p; ++round) {
    const int dest = (rank + round) % p;
    const int source = (rank + p - round) % p;
    requests.clear();
    if (received.size(source) > 0) requests.push_back(comm.irecv(Rank(source), received.block(incoming, source)));
    if (sent.size(dest) > 0) requests.push_back(comm.isend(Rank(dest), sent.block(outgoing, dest)));
    comm.wait_all(requests);
  }
}

std::vector<Algorithm> pairwise_rows() {
  return {{.collective = Collective::alltoall,
           .name = "pairwise",
           .summary = "One block to one rank in each round, straight to where it belongs.",
           .source = "[explainer-01] §7.2",
           .needs = {},
           .rounds = formulas::round_per_peer(),
           .bytes = formulas::other_blocks_once(),
           .granule = formulas::block_per_rank,
           .run = as_alltoall(pairwise)}};
}

}  // namespace heddle::alltoall
