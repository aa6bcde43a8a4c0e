// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/grids/grid_rings.hpp"

#include <utility>

namespace heddle::schedule {

std::vector<RingPlace> grid_rings(const Lattice& lattice, Rank rank, int first_dimension, int direction) {
  std::vector<RingPlace> rings;
  for (int i = 0; i < lattice.dimensions(); ++i) {
    const int dimension = (first_dimension + i) % lattice.dimensions();
    const int positions = lattice.size(dimension);
    const int position = lattice.coordinate(rank, dimension);
    rings.push_back({.positions = positions,
                     .position = position,
                     .direction = direction,
                     .next = lattice.neighbor(rank, dimension, (position + positions + direction) % positions),
                     .previous = lattice.neighbor(rank, dimension, (position + positions - direction) % positions)});
  }
  return rings;
}

GridRings::GridRings(Communicator& comm, std::vector<RingPlace> rings, VectorView vector)
    : comm_(comm),
      rings_(std::move(rings)),
      whole_{.vector = vector, .partition = BlockPartition(vector.count(), comm.size()), .blocks_each = comm.size()} {}

GridRings::GridRings(Communicator& comm, const Lattice& lattice, VectorView vector, BlockPartition blocks)
    : comm_(comm),
      rings_(grid_rings(lattice, comm.rank(), 0, +1)),
      ranks_in_order_(
          comm.shared_plan<std::vector<int>>("ranks in the order of the grid", [&] { return lattice.ranks_in_order(); })),
      whole_{.vector = vector, .partition = std::move(blocks), .blocks_each = comm.size(), .block_at = *ranks_in_order_} {}

void GridRings::reduce_scatter(const ReduceOp& op) {
  RingBlocks share = whole_;
  for (const RingPlace& ring : rings_) {
    share.blocks_each /= ring.positions;
    Buffer scratch(share.vector.type(), share.longest(ring.positions));
    ring_reduce_scatter(comm_, ring, share, scratch.view(), op);
    share.first += ring.position * share.blocks_each;
  }
}

void GridRings::allgather() {
  RingBlocks share = whole_;
  for (const RingPlace& ring : rings_) {
    share.blocks_each /= ring.positions;
    share.first += ring.position * share.blocks_each;
  }
  for (auto ring = rings_.rbegin(); ring != rings_.rend(); ++ring) {
    share.first -= ring->position * share.blocks_each;
    ring_allgather(comm_, *ring, share);
    share.blocks_each *= ring->positions;
  }
}

}  // namespace heddle::schedule
