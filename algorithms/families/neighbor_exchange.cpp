// SPDX-License-Identifier: Apache-2.0
// neighbor_exchange: partners take turns between the two neighbours and exchange two blocks at a time, in half of ring's
// rounds.
//
// First the ranks 2q and 2q+1, pair q, exchange their own blocks. Then every rank turns to its other neighbour and they
// exchange the pairs of blocks that they have; then back to the first with what has come, and so on
// (families/neighbor_exchange.hpp). Each pair of blocks travels both ways round the ring.
//
// Picture, p = 6: the blocks that a rank has.
//
//               0              1              2              3              4              5
//   start     0              1              2              3              4              5
//   round 0   0 1            0 1            2 3            2 3            4 5            4 5           with 1 0 3 2 5 4
//   round 1   0 1 4 5        0 1 2 3        0 1 2 3        2 3 4 5        2 3 4 5        0 1 4 5       with 5 2 1 4 3 0
//   round 2   all            all            all            all            all            all           with 1 0 3 2 5 4
//
// Odd p: all ranks cannot be busy in pairs, so the last one is an extra rank. It gives its block to its neighbour, the partner,
// whose block is then two, and gets all that it lacks from there at the end.
//
// Rounds:  p/2; for odd p (p-1)/2 + 2.
// Bytes:   (p-1)/p · M sent by each rank. For odd p the partner sends all blocks on and p-1 blocks to its extra rank.
// Time:    p/2 · α + (p-1)/p · M·β on a ring, with one partner at a time; an extra rank adds 2α + M·β.
// Limits:  the latency grows with p.
// Source:  Chen, Zhang, Zhang, Yuan, Performance evaluation of allgather algorithms on terascale Linux cluster with Fast
//          Ethernet (2005), for even p; the extra rank is heddle's, where MPI libraries fall back to ring.
#include "algorithms/families/neighbor_exchange.hpp"

#include <cstdint>
#include <vector>

#include "algorithms/registry/entry.hpp"
#include "algorithms/registry/formulas.hpp"
#include "heddle/registry.hpp"

namespace heddle::allgather {

namespace {

/// The positions 0 … n-1 with what they contribute: rank's blocks, the last of an odd p with its neighbour's.
class Positions {
 public:
  Positions(VectorView vector, const BlockPartition& blocks, int ranks)
      : vector_(vector), blocks_(blocks), ranks_(ranks), positions_(ranks - ranks % 2) {}

  int count() const { return positions_; }
  VectorView own(int position) const { return upto(position, position + 1); }
  VectorView pair(int pair) const { return upto(2 * pair, 2 * pair + 2); }

 private:
  /// The blocks of positions first … end - 1.
  VectorView upto(int first, int end) const {
    return blocks_.blocks(vector_, first, (end == positions_ ? ranks_ : end) - first);
  }

  VectorView vector_;
  const BlockPartition& blocks_;
  int ranks_;
  int positions_;
};

void exchange(Communicator& comm, int position, const Positions& positions) {
  using plans::neighbor_exchange_pair_gotten;
  const int n = positions.count();
  const Rank neighbor(plans::neighbor_exchange_partner(position, 0, n));
  comm.sendrecv(neighbor, positions.own(position), neighbor, positions.own(neighbor.value()));
  for (int round = 1; round < plans::neighbor_exchange_rounds(n); ++round) {
    const Rank partner(plans::neighbor_exchange_partner(position, round, n));
    comm.sendrecv(partner, positions.pair(neighbor_exchange_pair_gotten(position, round - 1, n)), partner,
                  positions.pair(neighbor_exchange_pair_gotten(position, round, n)));
  }
}

void neighbor_exchange(Communicator& comm, VectorView vector, const BlockPartition& blocks) {
  const int p = comm.size();
  const int rank = comm.rank().value();
  const Positions positions(vector, blocks, p);
  if (positions.count() == p) return exchange(comm, rank, positions);

  const int extra = p - 1;
  const int partner = p - 2;
  const VectorView of_extra = blocks.block(vector, extra);
  const VectorView of_others = blocks.blocks(vector, 0, extra);
  if (rank == extra) {
    comm.send(Rank(partner), of_extra);
    comm.recv(Rank(partner), of_others);
    return;
  }
  if (rank == partner) comm.recv(Rank(extra), of_extra);
  exchange(comm, rank, positions);
  if (rank == partner) comm.send(Rank(extra), of_others);
}

int neighbor_exchange_rounds(const Shape& shape) { return shape.ranks / 2 + (shape.ranks % 2 != 0 && shape.ranks > 1 ? 2 : 0); }

/// At odd p the partner sends p blocks to other positions, as its own one counts twice (2 at p = 3, where there are no further
/// rounds), and p - 1 to its extra rank.
std::int64_t neighbor_exchange_bytes(const Shape& shape) {
  const int p = shape.ranks;
  if (p % 2 == 0 || p == 1) return formulas::other_blocks_once()(shape);
  return formulas::times(shape.bytes, p == 3 ? 4 : 2 * std::int64_t{p} - 1, p);
}

}  // namespace

std::vector<Algorithm> neighbor_exchange_entries() {
  return {entry({.name = "neighbor_exchange",
                 .summary = "Pairs of blocks exchanged with the two neighbours in turn, in half of ring's rounds.",
                 .source = "[chen-2005]",
                 .rounds = {"p/2; (p-1)/2 + 2 if p is odd", neighbor_exchange_rounds},
                 .bytes = {"(p-1)/p · M; (2p-1)/p · M if p is odd (4/3 · M at 3)", neighbor_exchange_bytes},
                 .block_count = formulas::block_per_rank},
                neighbor_exchange)};
}

}  // namespace heddle::allgather
