// SPDX-License-Identifier: Apache-2.0
// torus_ring: ring reduce-scatters along the dimensions of a grid, one after the other, then ring allgathers back.
//
// A reduce-scatter along the first dimension leaves a rank with its coordinate's share of the vector, summed over its ring;
// another along the second cuts that share again and sums over the plane; after the last dimension a rank holds one complete
// block. Allgathers along the same dimensions in reverse give everybody everything. A flat ring takes 2(p-1) rounds for the
// same bytes.
//
// Picture: a 2x2x2 grid; what the rank at (1,0,1) holds after each phase, and with whom it exchanged half of what it held.
//
//   start   [0 1 2 3 4 5 6 7]                      last phase  [0 1 2 3 4 5 6 7]
//   x               [4 5 6 7]    with (0,0,1)      x, back             [4 5 6 7]
//   y               [4 5]        with (1,1,1)      y, back             [4 5]
//   z                 [5]        with (1,0,0)      z, back               [5]
//
// It is one of the 2D buckets of `bucket`, with the whole vector: one port is busy at a time. Dimensions of size 1 do not
// count; without a grid there is one dimension of p, and this is `ring`.
//
// Rounds:  2·Σ(dᵢ-1).
// Bytes:   2(p-1)/p · M sent by each rank.
// Time:    2·Σ(dᵢ-1)·α + 2(p-1)/p · M·β: all messages go to neighbours, and no link carries two at once.
// Limits:  one of 2D ports. Sums start at different ranks: the op must be commutative. On a mesh the ring closes over the whole
//          line, in the direction that the other messages leave free: one message per round travels d-1 hops.
// Source:  explainer 02 (Lu) §3.1, §3.4; mesh: §4.2.
#include "algorithms/allreduce/allreduce.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/grids/grid_rings.hpp"

namespace heddle::allreduce {

void torus_ring(Communicator& comm, VectorView inout, const ReduceOp& op) {
  require_commutative("torus_ring", op);
  if (comm.size() == 1 || inout.empty()) return;

  const schedule::Lattice lattice(comm.grid(), comm.size());
  schedule::GridRings rings(comm, schedule::grid_rings(lattice, comm.rank(), 0, +1), inout);
  rings.reduce_scatter(op);
  rings.allgather();
}

std::vector<Algorithm> torus_ring_rows() {
  return {{.collective = Collective::allreduce,
           .name = "torus_ring",
           .summary = "Rings along one dimension of the grid after the other through one port: least bytes to neighbours only.",
           .source = "[explainer-02] §3.1, §3.4, §4.2",
           .needs = {.commutative = true},
           .rounds = formulas::two_ring_rounds(),
           .bytes = formulas::all_blocks_twice(),
           .granule = formulas::block_per_rank,
           .run = as_allreduce(torus_ring)}};
}

}  // namespace heddle::allreduce
