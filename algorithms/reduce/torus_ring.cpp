// SPDX-License-Identifier: Apache-2.0
// torus_ring: sums grow along the lines of the last dimension, then along those of the one before, until they meet at the root,
// in segments: the broadcast backwards (broadcast/torus_ring.cpp).
//
// In each line the farthest rank sends its vector to the next, who adds its own and passes the sum on. With direction=bi sums
// come from both sides to the coordinate of the root, from halfway round (on a mesh from the ends); with direction=uni one way
// round. There they are part of a line of the dimension before. The phases of the dimensions overlap: segments follow each
// other through all of them as through one tree (schedule/trees/grid_tree.hpp, schedule/trees/tree_pipeline.hpp).
//
// Picture: a 3x3 torus, root 0, both ways; who sends to whom in which round of the first segment.
//
//   round 0   1->0 2->0   4->3 5->3   7->6 8->6        rows (dimension 1)
//   round 1               3->0        6->0             columns (dimension 0): sums of three
//
// Options: direction, bi or uni. segments; by default P* = √((L-1)·M·β/α).
// Rounds:  L + P - 1. bi: L = Σ⌊dᵢ/2⌋, on a mesh Σ max(rᵢ, dᵢ-1-rᵢ), rᵢ the root's coordinates. uni: L = Σ(dᵢ-1).
// Bytes:   M, sent by everyone but the root.
// Time:    (L + P - 1)·(α + M·β/P), each link of a rank being a port: about L·α + M·β for long vectors.
// Limits:  the op must be commutative: a line that passes its end adds its first ranks last. Where a rank's links share one
//          port, what it receives counts instead of M: D·M, both ways 2D·M. Without a grid there is one dimension of p.
// Source:  explainer 02 (Lu) §3.3, §4.2; segments: 01 App. C.
#include "algorithms/reduce/reduce.hpp"

#include <fmt/format.h>

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/rows/grid_tree_row.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/trees/tree_pipeline.hpp"

namespace heddle::reduce {

void torus_ring(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root, schedule::LineWays ways,
                schedule::Segments segments) {
  require_commutative("torus_ring", op);
  if (comm.size() == 1 || inout.empty()) return;
  const auto tree = comm.shared_plan<schedule::Tree>(
      fmt::format("torus_ring {}, root {}", ways == schedule::LineWays::both ? "bi" : "uni", root.value()), [&] {
        const bool wraps = !comm.grid() || comm.grid()->wraps();
        return schedule::grid_tree(schedule::Lattice(comm.grid(), comm.size()), wraps, root, ways);
      });
  schedule::pipelined_reduce(comm, *tree, inout, op, segments.wanted(tree->height(), inout, comm));
}

namespace {

Algorithm torus_ring_row(const GridTreePipeline& pipeline) {
  return {.collective = Collective::reduce,
          .name = "torus_ring",
          .summary = "Sums grow in segments along the lines of one dimension of the grid after the other, to neighbours only.",
          .source = "[explainer-02] §3.3, §4.2",
          .needs = {.commutative = true},
          .rounds = pipeline.rounds(),
          .bytes = formulas::vector_once(),
          .granule = pipeline.granule(),
          .run = as_reduce([=](Communicator& comm, VectorView inout, const ReduceOp& op, Rank root) {
            torus_ring(comm, inout, op, root, pipeline.ways, pipeline.segments);
          })};
}

}  // namespace

std::vector<Algorithm> torus_ring_rows() { return {grid_tree_row(torus_ring_row)}; }

}  // namespace heddle::reduce
