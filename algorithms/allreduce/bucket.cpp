// SPDX-License-Identifier: Apache-2.0
// bucket: rings along the dimensions of a grid, one dimension after the other, on all 2D ports at once.
//
// One bucket: a ring reduce-scatter along the first dimension leaves a rank with its coordinate's share of the vector; another
// along the second cuts that share again; after D dimensions a rank holds one complete block. Ring allgathers along the same
// dimensions in reverse give everybody everything. All messages go to neighbours, and what is sent shrinks by the size of a
// dimension with each dimension.
//
// A grid of D dimensions has 2D ports, so the vector is cut into 2D slices and each runs a bucket of its own: slice i starts in
// dimension i and goes up, slice D + i starts there and goes down. In each round each port carries one slice's message.
//
// Picture: a 4x4 grid, slice 0; the share of the vector that the rank at (row 2, column 1) holds after each dimension.
//
//   start   [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15]
//   rows                     [8 9 10 11]               3 rounds among the ranks of column 1, 4 blocks each
//   columns                     [9]                    3 rounds among the ranks of row 2, 1 block each
//
// Unequal dimensions: a slice is better off in step with the others, which then share no links (Swing §5.2). Nothing here waits
// for that. Only messages order the slices of different ranks, so slices that start in a short dimension run ahead into
// links that others still use.
//
// Dimensions of size 1 have no links and count neither in D nor in the order.
//
// Rounds:  2·Σ(dᵢ-1) over the dimensions.
// Bytes:   2(p-1)/p · M sent by each rank, evenly over its ports.
// Time:    2·Σ(dᵢ-1)·α + 2(p-1)/p · M·β/(2D) on a square torus.
// Limits:  needs a grid; rounds grow with the sizes' sum. Sums start at different ranks: the op must be commutative. On a mesh
//          the ring closes over the whole line.
// Source:  Swing (De Sensi et al.) §2.3.4 and §5.2.
#include "algorithms/allreduce/allreduce.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/blocks/ports.hpp"
#include "algorithms/schedule/grids/grid_rings.hpp"

namespace heddle::allreduce {

void bucket(Communicator& comm, VectorView inout, const ReduceOp& op) {
  require_commutative("bucket", op);
  require_grid("bucket", comm);
  if (comm.size() == 1 || inout.empty()) return;

  const schedule::Lattice lattice(comm.grid(), comm.size());
  const int dimensions = lattice.dimensions();
  schedule::on_ports(comm, 2 * dimensions, inout, [&](int port, Communicator& task, VectorView slice) {
    const int direction = port < dimensions ? +1 : -1;
    schedule::GridRings rings(task, schedule::grid_rings(lattice, task.rank(), port % dimensions, direction), slice);
    rings.reduce_scatter(op);
    rings.allgather();
  });
}

std::vector<Algorithm> bucket_rows() {
  return {{.collective = Collective::allreduce,
           .name = "bucket",
           .summary = "Rings along one dimension of the grid after the other, on all 2D ports: least bytes to neighbours only.",
           .source = "[swing] §2.3.4, §5.2",
           .needs = {.commutative = true, .grid = true},
           .rounds = formulas::two_ring_rounds(),
           .bytes = formulas::all_blocks_twice(),
           .granule = formulas::block_per_rank_and_port,
           .run = as_allreduce(bucket),
           .tasks_share_credits = true}};
}

}  // namespace heddle::allreduce
