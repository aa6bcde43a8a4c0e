// SPDX-License-Identifier: Apache-2.0
// Passing blocks round a ring of ranks: the two phases that bidirectional ring, bucket and the rings of a torus are made of.
//
// d seats stand in a ring, each with d blocks; block b belongs to seat b. In every round each seat passes one block to the next
// and gets one from the previous:
//
//   round t = 0 … d-2 (reduce-scatter)        passes block seat - (t+1), adds what it gets to block seat - (t+2)
//   round t = d-1 … 2d-3 (allgather)          passes block seat - (t+1), takes what it gets as block seat - (t+2)
//
// all modulo d; blocks without elements stay where they are. After the first d-1 rounds seat b holds block b summed over the
// ring. Counter-clockwise, seats are counted the other way. Source: explainer 01 (Lu) §5.1, with the blocks' numbers shifted by
// one so that a seat ends up with its own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::schedule {

/// The block that `seat` passes on in a round (0 … 2(seats-1) - 1). direction: +1 or -1. Pure.
constexpr int ring_block_passed(int seat, int round, int seats, int direction) {
  const int back = (round + 1) % seats;
  return (seat + seats - direction * back) % seats;
}

/// The block that it gets: what the previous seat passes on.
constexpr int ring_block_gotten(int seat, int round, int seats, int direction) {
  return ring_block_passed((seat + seats - direction) % seats, round, seats, direction);
}

/// A rank's place in a ring.
struct RingPlace {
  int seats = 1;
  int seat = 0;
  int direction = +1;  ///< +1: the next seat is seat + 1; -1: seat - 1
  Rank next;
  Rank previous;
};

/// What passes round the ring: `seats` · `blocks_each` blocks of a vector, blocks_each of them per seat.
struct RingBlocks {
  VectorView vector;
  BlockPartition partition;
  std::int64_t first = 0;
  std::int64_t blocks_each = 1;
  /// Block first + i is the one that lies at block_at[first + i]; empty: just there, so that a seat's blocks are one run.
  std::span<const int> block_at = {};

  /// Elements of a seat's blocks.
  std::int64_t count(int seat) const;
  std::int64_t longest(int seats) const;
  /// Where the parts of a seat's blocks are noted.
  template <class View>
  struct Room {
    View one;  ///< in place: an allocation for each rank would cost a cache line in each round
    std::vector<View> several;
  };
  /// The seat's blocks as few contiguous parts; they stay until the room is used again.
  template <class View>
  std::span<const View> parts(int seat, Room<View>& room) const;
};

/// Blocks; seats - 1 rounds. `scratch` holds blocks.longest(). `op` must be commutative.
void ring_reduce_scatter(Communicator& comm, const RingPlace& place, const RingBlocks& blocks, VectorView scratch,
                         const ReduceOp& op);
/// Blocks; seats - 1 rounds. Each seat's own block is complete; then all are.
void ring_allgather(Communicator& comm, const RingPlace& place, const RingBlocks& blocks);

}  // namespace heddle::schedule
