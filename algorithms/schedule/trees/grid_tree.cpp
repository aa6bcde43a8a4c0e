// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/trees/grid_tree.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/errors.hpp"

namespace heddle::schedule {

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

}  // namespace heddle::schedule
