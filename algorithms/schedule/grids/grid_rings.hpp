// SPDX-License-Identifier: Apache-2.0
// Rings along the dimensions of a grid, one dimension after the other: what bucket, torus_ring and their halves are made of.
//
// A ring reduce-scatter along the first dimension leaves a rank with its coordinate's share of the vector; another along the
// second cuts that share again; after all dimensions a rank holds one complete block. Ring allgathers along the same dimensions
// in reverse give everybody everything. In the allgather of a dimension of d, as in its reduce-scatter, a rank sends (d-1)/d of
// what it then has.
//
// Source: explainer 02 (Lu) §3.1, §3.4-3.5; Swing (De Sensi et al.) §2.3.4.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "algorithms/schedule/grids/lattice.hpp"
#include "algorithms/schedule/grids/ring_pass.hpp"

namespace heddle::schedule {

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

}  // namespace heddle::schedule
