// SPDX-License-Identifier: Apache-2.0
// torus_ring: ring allgathers along the dimensions of a grid, the last dimension first.
//
// Along the last dimension a rank passes its own block on and then what it gets, until it has the blocks of its ring; along the
// one before it passes on all these as one; after the first dimension it has everything. It is the reduce-scatter of the same
// name backwards.
//
// Picture: a 3x2 grid; the blocks that the rank at (1,0), number 2, has.
//
//   start         2
//   columns       2 3          1 round with rank 3; one block
//   rows      0 1 2 3 4 5      2 rounds among ranks 0, 2, 4; two blocks passed on in each
//
// Ranks need not count row-major: a message then has several pieces. Blocks may have any sizes. Without a grid there is one
// dimension of p.
//
// Rounds:  Σ(dᵢ-1).
// Bytes:   (p-1)/p · M sent by each rank where blocks are equal; else, in each
//          dimension, all that its ring has but the next one's share.
// Time:    Σ(dᵢ-1)·α + (p-1)/p · M·β, to neighbours only.
// Limits:  one of 2D ports. On a mesh the ring closes over the whole line, in the direction that the other messages leave free.
//          With unequal blocks the longest share of each round counts.
// Source:  explainer 02 (Lu) §3.5.
#include "algorithms/allgather/allgather.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/grids/grid_rings.hpp"

namespace heddle::allgather {

void torus_ring(Communicator& comm, VectorView vector, const BlockPartition& blocks) {
  if (comm.size() == 1 || vector.empty()) return;
  schedule::GridRings(comm, schedule::Lattice(comm.grid(), comm.size()), vector, blocks).allgather();
}

std::vector<Algorithm> torus_ring_rows() {
  return {{.collective = Collective::allgather,
           .name = "torus_ring",
           .summary = "Rings along one dimension of the grid after the other: to neighbours only, through one port.",
           .source = "[explainer-02] §3.5",
           .needs = {},
           .rounds = formulas::ring_rounds(),
           .bytes = formulas::other_blocks_once(),
           .granule = formulas::block_per_rank,
           .run = as_allgather(torus_ring)}};
}

}  // namespace heddle::allgather
