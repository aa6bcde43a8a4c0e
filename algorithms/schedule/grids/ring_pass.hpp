// SPDX-License-Identifier: Apache-2.0
// Passing blocks round a ring of ranks: the two phases that bidirectional ring, bucket and the rings of a torus are made of.
//
// d positions stand in a ring, each with d blocks; block b belongs to position b. In every round each position passes one block
// to the next and gets one from the previous:
//
//   round t = 0 … d-2 (reduce-scatter)        passes block position - (t+1), adds what it gets to block position - (t+2)
//   round t = d-1 … 2d-3 (allgather)          passes block position - (t+1), takes what it gets as block position - (t+2)
//
// all modulo d; blocks without elements stay where they are. After the first d-1 rounds position b holds block b summed over
// the ring. Counter-clockwise, positions are counted the other way. Source: explainer 01 (Lu) §5.1, with the blocks' numbers
// shifted by one so that a position ends up with its own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::schedule {

/// The block that `position` passes on in a round (0 … 2(positions-1) - 1). direction: +1 or -1. Pure.
constexpr int ring_block_passed(int position, int round, int positions, int direction) {
  const int back = (round + 1) % positions;
  return (position + positions - direction * back) % positions;
}

/// The block that it gets: what the previous position passes on.
constexpr int ring_block_gotten(int position, int round, int positions, int direction) {
  return ring_block_passed((position + positions - direction) % positions, round, positions, direction);
}

/// A rank's place in a ring.
struct RingPlace {
  int positions = 1;
  int position = 0;
  int direction = +1;  ///< +1: the next position is position + 1; -1: position - 1
  Rank next;
  Rank previous;
};

/// What passes round the ring: `positions` · `blocks_each` blocks of a vector, blocks_each of them per position.
struct RingBlocks {
  VectorView vector;
  BlockPartition partition;
  std::int64_t first = 0;
  std::int64_t blocks_each = 1;
  /// Block first + i is the one that lies at block_at[first + i]; empty: just there, so that a position's blocks are one run.
  std::span<const int> block_at = {};

  /// Elements of a position's blocks.
  std::int64_t count(int position) const;
  std::int64_t longest(int positions) const;
  /// Where the parts of a position's blocks are noted.
  template <class View>
  struct Room {
    View one;  ///< in place: an allocation for each rank would cost a cache line in each round
    std::vector<View> several;
  };
  /// The position's blocks as few contiguous parts; they stay until the room is used again.
  template <class View>
  std::span<const View> parts(int position, Room<View>& room) const;
};

/// Blocks; positions - 1 rounds. `scratch` holds blocks.longest(). `op` must be commutative.
void ring_reduce_scatter(Communicator& comm, const RingPlace& place, const RingBlocks& blocks, VectorView scratch,
                         const ReduceOp& op);
/// Blocks; positions - 1 rounds. Each position's own block is complete; then all are.
void ring_allgather(Communicator& comm, const RingPlace& place, const RingBlocks& blocks);

}  // namespace heddle::schedule
