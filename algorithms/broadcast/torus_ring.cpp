// SPDX-License-Identifier: Apache-2.0
// torus_ring: the vector goes along a line of the first dimension, from everyone there along the second, and so on, in
// segments.
//
// The root begins along its line of the first dimension; whoever has a segment passes it on along that line and begins with it
// along the lines of all later dimensions. With direction=bi both ways from where it begins, to halfway round (on a mesh to the
// ends); with direction=uni one way round. The phases of the dimensions overlap: segments follow each other through all of them
// as through one tree (schedule/trees/grid_tree.hpp, schedule/trees/tree_pipeline.hpp).
//
// Picture: a 3x3 torus, root 0, both ways; who hears in which round of the first segment.
//
//   0 - -      0 - -      0 1 1         columns (dimension 0) in round 0: 0->3, 0->6
//   - - -      1 - -      1 2 2         rows (dimension 1) of 0 in round 0: 0->1, 0->2, of 3 and 6 in round 1
//   - - -      1 - -      1 2 2
//
// Options: direction, bi or uni. segments; by default P* = √((L-1)·M·β/α).
// Rounds:  L + P - 1. bi: L = Σ⌊dᵢ/2⌋, on a mesh Σ max(rᵢ, dᵢ-1-rᵢ), rᵢ the root's coordinates. uni: L = Σ(dᵢ-1).
// Bytes:   M for each link over which the root begins: uni D·M; bi 2D·M, M less for a dimension of 2 and an end of a mesh.
// Time:    (L + P - 1)·(α + M·β/P), each link of a rank being a port: about L·α + M·β for long vectors.
// Limits:  where a rank's links share one port, its bytes count instead of M. On a mesh uni goes back along the whole line
//          once, in the direction that the other messages leave free. Without a grid there is one dimension of p.
// Source:  explainer 02 (Lu) §3.2, §4.2; segments: 01 App. C.
#include "algorithms/broadcast/broadcast.hpp"

#include <fmt/format.h>

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/grid_tree_row.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/trees/tree_pipeline.hpp"

namespace heddle::broadcast {

void torus_ring(Communicator& comm, VectorView vector, Rank root, schedule::LineWays ways, schedule::Segments segments) {
  if (comm.size() == 1 || vector.empty()) return;
  const auto tree = comm.shared_plan<schedule::Tree>(
      fmt::format("torus_ring {}, root {}", ways == schedule::LineWays::both ? "bi" : "uni", root.value()), [&] {
        const bool wraps = !comm.grid() || comm.grid()->wraps();
        return schedule::grid_tree(schedule::Lattice(comm.grid(), comm.size()), wraps, root, ways);
      });
  schedule::pipelined_broadcast(comm, *tree, vector, segments.wanted(tree->height(), vector, comm));
}

namespace {

Algorithm torus_ring_row(const GridTreePipeline& pipeline) {
  const bool both = pipeline.ways == schedule::LineWays::both;
  return {
      .collective = Collective::broadcast,
      .name = "torus_ring",
      .summary = "Segments follow each other along the lines of one dimension of the grid after the other, to neighbours only.",
      .source = "[explainer-02] §3.2, §4.2",
      .needs = {},
      .rounds = pipeline.rounds(),
      .bytes = {both ? "M for each link of the root" : "M for each dimension",
                [=](const Shape& shape) { return pipeline.ports(shape) * shape.bytes; }},
      .granule = pipeline.granule(),
      .run = as_broadcast([=](Communicator& comm, VectorView vector, Rank root) {
        torus_ring(comm, vector, root, pipeline.ways, pipeline.segments);
      })};
}

}  // namespace

std::vector<Algorithm> torus_ring_rows() { return {grid_tree_row(torus_ring_row)}; }

}  // namespace heddle::broadcast
