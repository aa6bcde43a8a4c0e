// SPDX-License-Identifier: Apache-2.0
#include "algorithms/families/grid_rings.hpp"

#include <array>
#include <set>
#include <utility>

#include "tests/catch.hpp"

namespace heddle::plans {

namespace {

using TorusEdge = std::pair<int, int>;  // of the torus as a multigraph: the node below or left of it, and which dimension

/// The edge of the r x c torus between two nodes, which are neighbours; else -1.
TorusEdge edge_between(Node2d a, Node2d b, int rows, int columns) {
  const auto node = [columns](Node2d n) { return n.row * columns + n.column; };
  if (a.row == b.row && (a.column + 1) % columns == b.column) return {node(a), 1};
  if (a.row == b.row && (b.column + 1) % columns == a.column) return {node(b), 1};
  if (a.column == b.column && (a.row + 1) % rows == b.row) return {node(a), 0};
  if (a.column == b.column && (b.row + 1) % rows == a.row) return {node(b), 0};
  return {-1, -1};
}

}  // namespace

TEST_CASE("the condition for two Hamiltonian cycles") {
  CHECK(has_hamiltonian_cycles(3, 3));
  CHECK(has_hamiltonian_cycles(4, 4));
  CHECK(has_hamiltonian_cycles(64, 64));
  CHECK(has_hamiltonian_cycles(64, 16));
  CHECK_FALSE(has_hamiltonian_cycles(6, 3));  // gcd(6, 2) = 2
  CHECK_FALSE(has_hamiltonian_cycles(5, 3));
  CHECK(dimension_of_rows({4, 4}) == 0);
  CHECK(dimension_of_rows({4, 8}) == 1);
  CHECK_FALSE(dimension_of_rows({3, 6}));
  CHECK_FALSE(dimension_of_rows({4, 4, 4}));
  CHECK_FALSE(dimension_of_rows({7}));
}

TEST_CASE("the picture of hamiltonian.hpp: two cycles of a 3x3 torus") {
  const auto ranks = [](int cycle) {
    std::vector<int> order;
    for (const Node2d& node : hamiltonian_cycle(3, 3, cycle)) order.push_back(3 * node.row + node.column);
    return order;
  };
  CHECK(ranks(0) == std::vector{0, 1, 2, 5, 3, 4, 7, 8, 6});
  CHECK(ranks(1) == std::vector{0, 3, 6, 7, 1, 4, 5, 8, 2});
}

TEST_CASE("both cycles visit every node once, by edges of the torus, and share none; elsewhere the condition fails") {
  for (int rows = 2; rows <= 40; ++rows) {
    for (int columns = 2; columns <= rows; ++columns) {
      if (!has_hamiltonian_cycles(rows, columns)) continue;
      CAPTURE(rows, columns);
      std::set<TorusEdge> edges;
      for (const int cycle : {0, 1}) {
        const std::vector<Node2d> nodes = hamiltonian_cycle(rows, columns, cycle);
        std::set<int> visited;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
          visited.insert(nodes[i].row * columns + nodes[i].column);
          TorusEdge edge = edge_between(nodes[i], nodes[(i + 1) % nodes.size()], rows, columns);
          // Of a dimension of 2, either of the two edges may be meant.
          if (edges.count(edge) != 0 && edge.second == 1 && columns == 2) edge.first ^= 1;
          if (edges.count(edge) != 0 && edge.second == 0 && rows == 2) edge.first = (edge.first + columns) % (2 * columns);
          REQUIRE(edge.first >= 0);
          REQUIRE(edges.insert(edge).second);
        }
        REQUIRE(visited.size() == static_cast<std::size_t>(rows * columns));
      }
      REQUIRE(edges.size() == static_cast<std::size_t>(2 * rows * columns));
    }
  }
}

}  // namespace heddle::plans
