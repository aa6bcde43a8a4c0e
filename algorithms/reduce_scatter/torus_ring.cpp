// SPDX-License-Identifier: Apache-2.0
// torus_ring: ring reduce-scatters along the dimensions of a grid, one after the other.
//
// Along the first dimension a rank passes on, round by round, the sums of all blocks whose owners have one coordinate there,
// and keeps those whose owners have its own; along the second it does the same with what is left. After the last dimension that
// is its own block, complete.
//
// Picture: a 3x2 grid; the blocks whose sums the rank at (1,0), number 2, holds.
//
//   start     0 1 2 3 4 5
//   rows          2 3          2 rounds among ranks 0, 2, 4; two blocks passed on in each
//   columns       2            1 round with rank 3; one block
//
// Ranks need not count row-major: a message then has several pieces. Blocks may have any sizes. Without a grid there is one
// dimension of p.
//
// Rounds:  Σ(dᵢ-1).
// Bytes:   (p-1)/p · M sent by each rank where blocks are equal; else all blocks but its own.
// Time:    Σ(dᵢ-1)·α + (p-1)/p · M·β, to neighbours only.
// Limits:  one of 2D ports. Sums start at different ranks: the op must be commutative. On a mesh the ring closes over the whole
//          line, in the direction that the other messages leave free. With unequal blocks the longest share of each round
//          counts.
// Source:  explainer 02 (Lu) §3.5.
#include "algorithms/reduce_scatter/reduce_scatter.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/grids/grid_rings.hpp"

namespace heddle::reduce_scatter {

void torus_ring(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op) {
  require_commutative("torus_ring", op);
  if (comm.size() == 1 || inout.empty()) return;
  schedule::GridRings(comm, schedule::Lattice(comm.grid(), comm.size()), inout, blocks).reduce_scatter(op);
}

std::vector<Algorithm> torus_ring_rows() {
  return {{.collective = Collective::reduce_scatter,
           .name = "torus_ring",
           .summary = "Rings along one dimension of the grid after the other: to neighbours only, through one port.",
           .source = "[explainer-02] §3.5",
           .needs = {.commutative = true},
           .rounds = formulas::ring_rounds(),
           .bytes = formulas::other_blocks_once(),
           .granule = formulas::block_per_rank,
           .run = as_reduce_scatter(torus_ring)}};
}

}  // namespace heddle::reduce_scatter
