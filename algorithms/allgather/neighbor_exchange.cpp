// SPDX-License-Identifier: Apache-2.0
// neighbor_exchange: partners take turns between the two neighbours and exchange two blocks at a time, in half of ring's
// rounds.
//
// First the ranks 2q and 2q+1, pair q, exchange their own blocks. Then every rank turns to its other neighbour and they
// exchange the pairs of blocks that they have; then back to the first with what has come, and so on
// (schedule/grids/neighbor_exchange.hpp). Each pair of blocks travels both ways round the ring.
//
// Picture, p = 6: the blocks that a rank has.
//
//               0              1              2              3              4              5
//   start     0              1              2              3              4              5
//   round 0   0 1            0 1            2 3            2 3            4 5            4 5           with 1 0 3 2 5 4
//   round 1   0 1 4 5        0 1 2 3        0 1 2 3        2 3 4 5        2 3 4 5        0 1 4 5       with 5 2 1 4 3 0
//   round 2   all            all            all            all            all            all           with 1 0 3 2 5 4
//
// Odd p: all ranks cannot be busy in pairs, so the last one is a guest. It gives its block to its neighbour, the host, whose
// block is then two, and gets all that it lacks from there at the end.
//
// Rounds:  p/2; for odd p (p-1)/2 + 2.
// Bytes:   (p-1)/p · M sent by each rank. For odd p the host sends all blocks on and p-1 blocks to its guest.
// Time:    p/2 · α + (p-1)/p · M·β on a ring, with one partner at a time; a guest adds 2α + M·β.
// Limits:  the latency grows with p.
// Source:  Chen, Zhang, Zhang, Yuan, Performance evaluation of allgather algorithms on terascale Linux cluster with Fast
//          Ethernet (2005), for even p; the guest is heddle's, where MPI libraries fall back to ring.
#include "algorithms/allgather/allgather.hpp"

#include <cstdint>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/grids/neighbor_exchange.hpp"

namespace heddle::allgather {

namespace {

/// The seats 0 … n-1 with what they contribute: rank's blocks, the last of an odd p with its neighbour's.
class Seats {
 public:
  Seats(VectorView vector, const BlockPartition& blocks, int ranks)
      : vector_(vector), blocks_(blocks), ranks_(ranks), seats_(ranks - ranks % 2) {}

  int count() const { return seats_; }
  VectorView own(int seat) const { return upto(seat, seat + 1); }
  VectorView pair(int pair) const { return upto(2 * pair, 2 * pair + 2); }

 private:
  /// The blocks of seats first … end - 1.
  VectorView upto(int first, int end) const { return blocks_.blocks(vector_, first, (end == seats_ ? ranks_ : end) - first); }

  VectorView vector_;
  const BlockPartition& blocks_;
  int ranks_;
  int seats_;
};

void exchange(Communicator& comm, int seat, const Seats& seats) {
  using schedule::neighbor_exchange_pair_gotten;
  const int n = seats.count();
  const Rank neighbor(schedule::neighbor_exchange_partner(seat, 0, n));
  comm.sendrecv(neighbor, seats.own(seat), neighbor, seats.own(neighbor.value()));
  for (int round = 1; round < schedule::neighbor_exchange_rounds(n); ++round) {
    const Rank partner(schedule::neighbor_exchange_partner(seat, round, n));
    comm.sendrecv(partner, seats.pair(neighbor_exchange_pair_gotten(seat, round - 1, n)), partner,
                  seats.pair(neighbor_exchange_pair_gotten(seat, round, n)));
  }
}

}  // namespace

void neighbor_exchange(Communicator& comm, VectorView vector, const BlockPartition& blocks) {
  const int p = comm.size();
  const int rank = comm.rank().value();
  if (p == 1 || vector.empty()) return;

  const Seats seats(vector, blocks, p);
  if (seats.count() == p) return exchange(comm, rank, seats);

  const int guest = p - 1;
  const int host = p - 2;
  const VectorView of_guest = blocks.block(vector, guest);
  const VectorView of_others = blocks.blocks(vector, 0, guest);
  if (rank == guest) {
    comm.send(Rank(host), of_guest);
    comm.recv(Rank(host), of_others);
    return;
  }
  if (rank == host) comm.recv(Rank(guest), of_guest);
  exchange(comm, rank, seats);
  if (rank == host) comm.send(Rank(guest), of_others);
}

namespace {

int neighbor_exchange_rounds(const Shape& shape) { return shape.ranks / 2 + (shape.ranks % 2 != 0 && shape.ranks > 1 ? 2 : 0); }

/// At odd p the host sends p blocks to other seats, as its own one counts twice (2 at p = 3, where there are no further
/// rounds), and p - 1 to its guest.
std::int64_t neighbor_exchange_bytes(const Shape& shape) {
  const int p = shape.ranks;
  if (p % 2 == 0 || p == 1) return formulas::other_blocks_once()(shape);
  return formulas::times(shape.bytes, p == 3 ? 4 : 2 * std::int64_t{p} - 1, p);
}

}  // namespace

std::vector<Algorithm> neighbor_exchange_rows() {
  return {{.collective = Collective::allgather,
           .name = "neighbor_exchange",
           .summary = "Pairs of blocks exchanged with the two neighbours in turn, in half of ring's rounds.",
           .source = "[chen-2005]",
           .needs = {},
           .rounds = {"p/2; (p-1)/2 + 2 if p is odd", neighbor_exchange_rounds},
           .bytes = {"(p-1)/p · M; (2p-1)/p · M if p is odd (4/3 · M at 3)", neighbor_exchange_bytes},
           .granule = formulas::block_per_rank,
           .run = as_allgather(neighbor_exchange)}};
}

}  // namespace heddle::allgather
