// SPDX-License-Identifier: Apache-2.0
// linear: everything at once. Every rank posts all of its receives and all of its sends, then waits for all of them.
//
// Nobody orders anything: the fabric shares its links among p(p-1) messages as it can. Each rank starts with the rank after it,
// so that not all begin with the same one where messages are taken one by one.
//
// Picture, p = 4: whom everyone sends to, in the order of posting.
//
//             0          1          2          3
//   at once   1 2 3      2 3 0      3 0 1      0 1 2
//
// Rounds:  1.
// Bytes:   (p-1)/p · M sent by each rank with equal blocks: each block but its own once. Empty blocks are not sent.
// Time:    α + (p-1)/p · M·β where ranks share nothing but their own ports; on a torus with sides of d about d/8 · M·β, what
//          each link must carry.
// Limits:  p-1 messages in flight per rank: buffers, and on real fabrics congestion.
// Source:  the plain form of explainer 01 (Lu) §7.2, without its rounds.
#include "algorithms/alltoall/alltoall.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"

namespace heddle::alltoall {

void linear(Communicator& comm, ConstVectorView outgoing, const BlockPartition& sent, VectorView incoming,
            const BlockPartition& received) {
  const int p = comm.size();
  const int rank = comm.rank().value();
  if (outgoing.empty() && incoming.empty()) return;

  std::vector<Request> requests;
  requests.reserve(2 * static_cast<std::size_t>(p - 1));
  for (int way = 1; way < p; ++way) {
    const int source = (rank + p - way) % p;
    if (received.size(source) > 0) requests.push_back(comm.irecv(Rank(source), received.block(incoming, source)));
  }
  for (int way = 1; way < p; ++way) {
    const int dest = (rank + way) % p;
    if (sent.size(dest) > 0) requests.push_back(comm.isend(Rank(dest), sent.block(outgoing, dest)));
  }
  if (sent.size(rank) > 0) comm.copy(received.block(incoming, rank), sent.block(outgoing, rank));
  comm.wait_all(requests);
}

std::vector<Algorithm> linear_rows() {
  return {{.collective = Collective::alltoall,
           .name = "linear",
           .summary = "All sends and receives at once.",
           .source = "[explainer-01] §7.2, without rounds",
           .needs = {},
           .rounds = formulas::one_round(),
           .bytes = formulas::other_blocks_once(),
           .messages_a_round = formulas::message_per_peer,
           .granule = formulas::block_per_rank,
           .run = as_alltoall(linear),
           .other_names = {{"direct"}}}};
}

}  // namespace heddle::alltoall
