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

#include <cstdint>
#include <vector>

#include "algorithms/executors/trees.hpp"
#include "algorithms/registry/entry.hpp"
#include "algorithms/registry/formulas.hpp"
#include "heddle/registry.hpp"

namespace heddle::alltoall {

namespace {

void linear(Communicator& comm, ConstVectorView outgoing, const BlockPartition& sent, VectorView incoming,
            const BlockPartition& received) {
  const int p = comm.size();
  const int rank = comm.rank().value();
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

}  // namespace

std::vector<Algorithm> linear_entries() {
  return {entry({.name = "linear",
                 .summary = "All sends and receives at once.",
                 .source = "[explainer-01] §7.2, without rounds",
                 .rounds = formulas::one_round(),
                 .bytes = formulas::other_blocks_once(),
                 .messages_a_round = formulas::message_per_peer,
                 .block_count = formulas::block_per_rank,
                 .other_names = {{"direct"}}},
                linear)};
}

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

namespace {

void pairwise(Communicator& comm, ConstVectorView outgoing, const BlockPartition& sent, VectorView incoming,
              const BlockPartition& received) {
  const int p = comm.size();
  const int rank = comm.rank().value();
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

}  // namespace

std::vector<Algorithm> pairwise_entries() {
  return {entry({.name = "pairwise",
                 .summary = "One block to one rank in each round, straight to where it belongs.",
                 .source = "[explainer-01] §7.2",
                 .rounds = formulas::round_per_peer(),
                 .bytes = formulas::other_blocks_once(),
                 .block_count = formulas::block_per_rank},
                pairwise)};
}

}  // namespace heddle::alltoall

namespace heddle::allgather {

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

namespace {

void pairwise(Communicator& comm, VectorView vector, const BlockPartition& blocks) {
  const int p = comm.size();
  const int rank = comm.rank().value();
  for (int round = 1; round < p; ++round) {
    const int dest = (rank + round) % p;
    const int source = (rank + p - round) % p;
    comm.sendrecv(Rank(dest), blocks.block(vector, rank), Rank(source), blocks.block(vector, source));
  }
}

}  // namespace

std::vector<Algorithm> pairwise_entries() {
  return {entry({.name = "pairwise",
                 .summary = "Every rank sends its own block to all others itself, to another one in each round.",
                 .source = "[explainer-01] §7.2",
                 .rounds = formulas::round_per_peer(),
                 .bytes = formulas::other_blocks_once(),
                 .block_count = formulas::block_per_rank,
                 .other_names = {{"direct"}}},
                pairwise)};
}

}  // namespace heddle::allgather

namespace heddle::reduce_scatter {

// pairwise: every contribution goes straight to the owner of its block, which combines them in rank order.
//
// In round t = 1 … p-1 rank r sends its contribution to block r+t to rank r+t and gets rank r-t's contribution to its own
// block. Contributions come in falling rank order, from r-1 down to 0, then from p-1 down to r+1. The owner puts those from
// below to the left of its own as they come. Those from above belong on the right, the last one innermost, so they are summed
// apart and joined at the end.
//
// Picture, p = 4: what the owners have after each round; 31 is what rank 3 contributes to block 1.
//
//             0                 1                 2                 3
//   start     00                11                22                33
//   round 1   00         30     01 11             12 22             23 33
//   round 2   00      20 30     01 11      31     02 12 22          13 23 33
//   round 3   00   10 20 30     01 11   21 31     02 12 22    32    03 13 23 33
//   joined    00 10 20 30       01 11 21 31       02 12 22 32       03 13 23 33
//
// Rounds:  p-1.
// Bytes:   (p-1)/p · M sent by each rank.
// Time:    (p-1)·α + (p-1)/p · M·β where every two ranks have a path of their own.
// Limits:  the latency grows with p, and on a ring or torus messages go far: bytes times links are p/4 times those of ring.
// Source:  explainer 01 (Lu) §7.2 has the exchange as an all-to-all; as a reduce-scatter it is in Thakur, Rabenseifner and
//          Gropp, Optimization of Collective Communication Operations in MPICH (2005).

namespace {

void pairwise(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op) {
  const int p = comm.size();
  const int rank = comm.rank().value();
  const VectorView own = blocks.block(inout, rank);
  Buffer scratch(inout.type(), 2 * own.count());
  const VectorView incoming = scratch.view().slice(0, own.count());
  const VectorView from_above = scratch.view().slice(own.count(), own.count());
  for (int round = 1; round < p; ++round) {
    const int dest = (rank + round) % p;
    const int source = (rank + p - round) % p;
    const bool is_first_from_above = source == p - 1;
    comm.sendrecv(Rank(dest), blocks.block(inout, dest), Rank(source), is_first_from_above ? from_above : incoming);
    if (!is_first_from_above) comm.reduce_into(source < rank ? own : from_above, incoming, op, Side::left);
  }
  if (rank < p - 1) comm.reduce_into(own, from_above, op, Side::right);
}

}  // namespace

std::vector<Algorithm> pairwise_entries() {
  return {entry({.name = "pairwise",
                 .summary = "Every contribution goes straight to its block's owner, one in each round; keeps rank order.",
                 .source = "[explainer-01] §7.2; [thakur-2005]",
                 .rounds = formulas::round_per_peer(),
                 .bytes = formulas::other_blocks_once(),
                 .block_count = formulas::block_per_rank,
                 .other_names = {{"direct"}}},
                pairwise)};
}

}  // namespace heddle::reduce_scatter

namespace heddle::gather {

// linear: everyone sends its block straight to the root, at once.
//
// Picture, p = 4, root 0:  1->0 2->0 3->0, one block each.
//
// Rounds:  1.
// Bytes:   M/p, sent by everyone but the root.
// Time:    α + (p-1)/p · M·β: the messages share the root's link.
// Limits:  the root handles p-1 messages. Nothing is relayed, so on a torus the links round the root carry all of it.
// Source:  Bine trees (De Sensi et al.) §5.3.2 compares with linear algorithms; MPICH and Open MPI have it.

namespace {

std::int64_t one_block(const Shape& shape) { return shape.ranks > 1 ? formulas::times(shape.bytes, 1, shape.ranks) : 0; }

}  // namespace

std::vector<Algorithm> linear_entries() {
  return {tree_entry({.name = "linear",
                      .summary = "Everyone sends its block straight to the root, at once.",
                      .source = "[bine] §5.3.2, as a baseline",
                      .rounds = formulas::one_round(),
                      .bytes = {"M/p", one_block},
                      .other_names = {{"direct"}}},
                     plans::star_tree)};
}

}  // namespace heddle::gather

namespace heddle::scatter {

// linear: the root sends every rank its block straight, all at once.
//
// Picture, p = 4, root 0:  0->1 0->2 0->3, one block each.
//
// Rounds:  1.
// Bytes:   (p-1)/p · M, sent by the root.
// Time:    α + (p-1)/p · M·β: the messages share the root's link.
// Limits:  the root handles p-1 messages. Nothing is relayed, so on a torus the links round the root carry all of it.
// Source:  Bine trees (De Sensi et al.) §5.3.2 compares with linear algorithms; MPICH and Open MPI have it.

std::vector<Algorithm> linear_entries() {
  return {tree_entry({.name = "linear",
                      .summary = "The root sends every rank its block straight, all at once.",
                      .source = "[bine] §5.3.2, as a baseline",
                      .rounds = formulas::one_round(),
                      .other_names = {{"direct"}}},
                     plans::star_tree)};
}

}  // namespace heddle::scatter
