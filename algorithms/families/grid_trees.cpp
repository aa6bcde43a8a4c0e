// SPDX-License-Identifier: Apache-2.0
// Trees along the lines of a grid, for broadcasts and reduces in segments.
#include "algorithms/families/grid_trees.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "algorithms/executors/pipeline.hpp"
#include "algorithms/registry/entry.hpp"
#include "algorithms/registry/formulas.hpp"
#include "heddle/errors.hpp"
#include "heddle/registry.hpp"

namespace heddle::plans {

LineWays parse_line_ways(std::string_view text) {
  if (text == "uni") return LineWays::one;
  if (text == "bi") return LineWays::both;
  throw InputError(fmt::format("option direction={}: uni or bi is needed", text));
}

LineReach line_reach(int from, int size, bool wraps, LineWays ways) {
  if (ways == LineWays::one) return {size - 1, 0};
  if (wraps) return {size / 2, (size - 1) / 2};
  return {size - 1 - from, from};
}

Tree grid_tree(const Lattice& lattice, bool wraps, Rank root, LineWays ways) {
  const auto edge_of = [&](int rank) {
    Tree::Edge edge{rank, -1};
    for (int i = 0; i < lattice.dimensions(); ++i) {
      const int size = lattice.size(i);
      const int from = lattice.coordinate(root, i);
      const int to = lattice.coordinate(Rank(rank), i);
      if (to == from) continue;
      const int above = (to - from + size) % size;
      const bool is_above = above <= line_reach(from, size, wraps, ways).up;
      edge.step += is_above ? above : size - above;
      // The last dimension in which it is not the root's coordinate is the one by which it hears.
      edge.parent = lattice.neighbor(Rank(rank), i, (to + size + (is_above ? -1 : +1)) % size).value();
    }
    return edge;
  };
  return {lattice.ranks(), root.value(), edge_of};
}

}  // namespace heddle::plans

namespace heddle {

// Rows of the pipelined trees over the lines of a grid, and what their formulas count with.

namespace {

plans::LineWays ways_of(const Options& options) { return plans::parse_line_ways(options.text("direction")); }

/// Of each long dimension, from the root's coordinate in it; ranks count row-major.
std::vector<plans::LineReach> reaches(const Shape& shape, plans::LineWays ways) {
  const std::vector<int> sizes = formulas::long_dimensions(shape);
  std::vector<plans::LineReach> all;
  int rest = shape.root;
  for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
    all.push_back(plans::line_reach(rest % *size, *size, shape.wraps, ways));
    rest /= *size;
  }
  return all;
}

/// L is the links to the farthest rank.
Pipeline grid_pipeline(plans::Segments segments, plans::LineWays ways) {
  const bool both = ways == plans::LineWays::both;
  return {segments,
          both ? "Σ⌊dᵢ/2⌋ + P - 1, P segments; on a mesh Σ max(rᵢ, dᵢ-1-rᵢ), r the root" : "Σ(dᵢ-1) + P - 1, P segments",
          [ways](const Shape& shape) {
            int steps = 0;
            for (const plans::LineReach& reach : reaches(shape, ways)) steps += std::max(reach.up, reach.down);
            return steps;
          }};
}

/// Over which the root sends in a broadcast, and nobody sends over more.
int root_links(const Shape& shape, plans::LineWays ways) {
  int links = 0;
  for (const plans::LineReach& reach : reaches(shape, ways)) links += (reach.up > 0 ? 1 : 0) + (reach.down > 0 ? 1 : 0);
  return links;
}

std::vector<Parameter> grid_tree_parameters() {
  return {{.name = "direction",
           .default_value = "bi",
           .meaning = "along each line of the grid: bi, both ways from where it begins; uni, one way round",
           .examples = {"uni"},
           .candidates = candidates_anywhere({"uni"})},
          grid_pipeline({}, plans::LineWays::both).parameter()};
}

std::shared_ptr<const plans::Tree> shared_grid_tree(Communicator& comm, Rank root, plans::LineWays ways) {
  return comm.shared_plan<plans::Tree>(
      fmt::format("torus_ring {}, root {}", ways == plans::LineWays::both ? "bi" : "uni", root.value()), [&] {
        const bool wraps = !comm.grid() || comm.grid()->wraps();
        return plans::grid_tree(plans::Lattice(comm.grid(), comm.size()), wraps, root, ways);
      });
}

}  // namespace

}  // namespace heddle

namespace heddle::broadcast {

// torus_ring: the vector goes along a line of the first dimension, from everyone there along the second, and so on, in
// segments.
//
// The root begins along its line of the first dimension; whoever has a segment passes it on along that line and begins with it
// along the lines of all later dimensions. With direction=bi both ways from where it begins, to halfway round (on a mesh to the
// ends); with direction=uni one way round. The phases of the dimensions overlap: segments follow each other through all of them
// as through one tree (families/grid_trees.hpp, executors/pipeline.hpp).
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

namespace {

void torus_ring(Communicator& comm, VectorView vector, Rank root, plans::LineWays ways, plans::Segments segments) {
  const auto tree = shared_grid_tree(comm, root, ways);
  plans::pipelined_broadcast(comm, std::span(tree.get(), 1), vector, segments);
}

Algorithm torus_ring_entry(const Options& options) {
  const plans::LineWays ways = ways_of(options);
  const plans::Segments segments(options);
  const Pipeline pipeline = grid_pipeline(segments, ways);
  const bool both = ways == plans::LineWays::both;
  return entry(
      {.name = "torus_ring",
       .summary =
           "Segments follow each other along the lines of one dimension of the grid after the other, to neighbours only.",
       .source = "[explainer-02] §3.2, §4.2",
       .rounds = pipeline.rounds(),
       .bytes = {both ? "M for each link of the root" : "M for each dimension",
                 [ways](const Shape& shape) { return root_links(shape, ways) * shape.bytes; }},
       .block_count = pipeline.block_count()},
      with(torus_ring, ways, segments));
}

}  // namespace

std::vector<Algorithm> torus_ring_entries() { return {configurable(grid_tree_parameters(), torus_ring_entry)}; }

}  // namespace heddle::broadcast

namespace heddle::reduce {

// torus_ring: sums grow along the lines of the last dimension, then along those of the one before, until they meet at the root,
// in segments: the broadcast backwards.
//
// In each line the farthest rank sends its vector to the next, who adds its own and passes the sum on. With direction=bi sums
// come from both sides to the coordinate of the root, from halfway round (on a mesh from the ends); with direction=uni one way
// round. There they are part of a line of the dimension before. The phases of the dimensions overlap: segments follow each
// other through all of them as through one tree (families/grid_trees.hpp, executors/pipeline.hpp).
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

namespace {

void torus_ring(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root, plans::LineWays ways,
                plans::Segments segments) {
  const auto tree = shared_grid_tree(comm, root, ways);
  plans::pipelined_reduce(comm, std::span(tree.get(), 1), inout, op, segments);
}

Algorithm torus_ring_entry(const Options& options) {
  const plans::LineWays ways = ways_of(options);
  const plans::Segments segments(options);
  const Pipeline pipeline = grid_pipeline(segments, ways);
  return entry(
      {.name = "torus_ring",
       .summary = "Sums grow in segments along the lines of one dimension of the grid after the other, to neighbours only.",
       .source = "[explainer-02] §3.3, §4.2",
       .needs = {.commutative = true},
       .rounds = pipeline.rounds(),
       .bytes = formulas::vector_once(),
       .block_count = pipeline.block_count()},
      with(torus_ring, ways, segments));
}

}  // namespace

std::vector<Algorithm> torus_ring_entries() { return {configurable(grid_tree_parameters(), torus_ring_entry)}; }

}  // namespace heddle::reduce
