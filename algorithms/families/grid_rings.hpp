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

#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "algorithms/executors/lattice.hpp"
#include "heddle/collective.hpp"
#include "heddle/communicator.hpp"

namespace heddle::plans {

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
  struct Pool {
    View one;  ///< in place: an allocation for each rank would cost a cache line in each round
    std::vector<View> several;
  };
  /// The position's blocks as few contiguous parts; they stay until the pool is used again.
  template <class View>
  std::span<const View> parts(int position, Pool<View>& pool) const;
};

/// Blocks; positions - 1 rounds. `scratch` holds blocks.longest(). `op` must be commutative.
void ring_reduce_scatter(Communicator& comm, const RingPlace& place, const RingBlocks& blocks, VectorView scratch,
                         const ReduceOp& op);
/// Blocks; positions - 1 rounds. Each position's own block is complete; then all are.
void ring_allgather(Communicator& comm, const RingPlace& place, const RingBlocks& blocks);

// Rings along the dimensions of a grid, one dimension after the other: what bucket, torus_ring and their halves are made of.
//
// A ring reduce-scatter along the first dimension leaves a rank with its coordinate's share of the vector; another along the
// second cuts that share again; after all dimensions a rank holds one complete block. Ring allgathers along the same dimensions
// in reverse give everybody everything. In the allgather of a dimension of d, as in its reduce-scatter, a rank sends (d-1)/d of
// what it then has.
//
// Source: explainer 02 (Lu) §3.1, §3.4-3.5; Swing (De Sensi et al.) §2.3.4.

/// A rank's place in the ring along each dimension, from `first_dimension` on. direction: +1 or -1 in all of them. Pure.
std::vector<RingPlace> grid_rings(const Lattice& lattice, Rank rank, int first_dimension, int direction);

/// The reduce-scatter and the allgather of one rank. Refers to the communicator.
class GridRings {
 public:
  /// The vector in p even blocks, which lie as suits: an allreduce.
  GridRings(Communicator& comm, std::vector<RingPlace> rings, VectorView vector);
  /// Blocks of any sizes, block b that of rank b. The rings are those of `lattice` from dimension 0 on.
  GridRings(Communicator& comm, const Lattice& lattice, VectorView vector, BlockPartition blocks);

  /// Blocks; Σ(dᵢ-1) rounds. Then this rank's own block is complete. `op` must be commutative.
  void reduce_scatter(const ReduceOp& op);
  /// Blocks; Σ(dᵢ-1) rounds. From everyone's own block to the whole vector.
  void allgather();

  int dimensions() const { return static_cast<int>(rings_.size()); }
  /// The part of either along the dimension-th of the rings, dᵢ-1 rounds: for those who do something else in between.
  void reduce_scatter_along(int dimension, const ReduceOp& op);
  void allgather_along(int dimension);

 private:
  const RingPlace& ring(int dimension) const { return rings_[static_cast<std::size_t>(dimension)]; }
  /// What passes round that ring: a position's share of what the rings before it have left.
  RingBlocks share_along(int dimension) const;

  Communicator& comm_;
  std::vector<RingPlace> rings_;
  std::shared_ptr<const std::vector<int>> ranks_in_order_;  ///< null where blocks lie as suits
  RingBlocks whole_;
};

// Two Hamiltonian cycles of a two-dimensional torus that share no edge. Pure.
//
// On r x c nodes with r a multiple of c, count t = c·a + b, 0 ≤ a < r, 0 ≤ b < c. The cycles visit, modulo r and c,
//
//   first    row a             column b - a       c-1 steps along a row, one to the next row
//   second   row a(c-1) + b    column a           c-1 steps along a column, one to the next column
//
// Picture: 3x3, numbered in the order of each cycle; the first takes two edges of each row, the second the third one.
//
//   0 1 2      0 4 8
//   4 5 3      1 5 6
//   8 6 7      2 3 7
//
// The second visits every node if and only if c-1 and r have no common factor. The first leaves out, in row y, the edge behind
// column -1-y, and the second takes just these; likewise for columns. So together they take every edge once (a dimension of 2
// has two edges between the same two nodes here, which may be one cable).
//
// Source: the condition is that of Swing (De Sensi et al.) §2.3.1; the cycles are Bae and Bose's Gray codes. Other tori have
// two such cycles too (Kotzig), by other constructions.

/// r = k·c and gcd(r, c-1) = 1.
constexpr bool has_hamiltonian_cycles(int rows, int columns) {
  return columns >= 1 && rows % columns == 0 && std::gcd(rows, columns - 1) == 1;
}

struct Node2d {
  int row;
  int column;
  friend bool operator==(const Node2d&, const Node2d&) = default;
};

/// The nodes of the first (0) or second (1) cycle in order. Needs has_hamiltonian_cycles.
std::vector<Node2d> hamiltonian_cycle(int rows, int columns, int cycle);

/// Which of two dimensions has the rows, 0 or 1; nothing where the condition holds for neither, or for other than two.
std::optional<int> dimension_of_rows(const std::vector<int>& sizes);

}  // namespace heddle::plans
