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

RingBlocks GridRings::share_along(int dimension) const {
  RingBlocks share = whole_;
  for (int d = 0; d < dimension; ++d) {
    share.blocks_each /= ring(d).positions;
    share.first += ring(d).position * share.blocks_each;
  }
  share.blocks_each /= ring(dimension).positions;
  return share;
}

void GridRings::reduce_scatter_along(int dimension, const ReduceOp& op) {
  const RingBlocks share = share_along(dimension);
  Buffer scratch(share.vector.type(), share.longest(ring(dimension).positions));
  ring_reduce_scatter(comm_, ring(dimension), share, scratch.view(), op);
}

void GridRings::allgather_along(int dimension) { ring_allgather(comm_, ring(dimension), share_along(dimension)); }

void GridRings::reduce_scatter(const ReduceOp& op) {
  for (int d = 0; d < dimensions(); ++d) reduce_scatter_along(d, op);
}

void GridRings::allgather() {
  for (int d = dimensions() - 1; d >= 0; --d) allgather_along(d);
}

}  // namespace heddle::schedule
