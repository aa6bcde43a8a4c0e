// SPDX-License-Identifier: Apache-2.0
#include "algorithms/families/grid_trees.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "heddle/errors.hpp"
#include "heddle/registry.hpp"
#include "tests/algorithms/witness.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/every_row.hpp"

namespace heddle::plans {

namespace {

Tree tree_of(const Grid& grid, int root, LineWays ways) {
  return grid_tree(Lattice(&grid, grid.size()), grid.wraps(), Rank(root), ways);
}

std::vector<int> children(const Tree& tree, int rank) {
  std::vector<int> all(tree.children(rank).begin(), tree.children(rank).end());
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

TEST_CASE("the explainer's 3x3 torus: two rounds both ways, four one way round") {
  // Explainer 02 (Lu) §3.2, bidirectional variant: a hands V to both neighbours along the
  // first dimension, then all three along the second.
  const Grid grid({3, 3}, true);
  const Tree both = tree_of(grid, 0, LineWays::both);
  CHECK(both.height() == 2);
  CHECK(children(both, 0) == std::vector{1, 2, 3, 6});
  CHECK(children(both, 3) == std::vector{4, 5});
  CHECK(children(both, 1).empty());
  CHECK(tree_of(grid, 0, LineWays::one).height() == 4);
}

TEST_CASE("the explainer's 2x2x2 torus: three rounds, the root sends in each of its dimensions") {
  const Grid grid({2, 2, 2}, true);
  for (const LineWays ways : {LineWays::one, LineWays::both}) {
    const Tree tree = tree_of(grid, 0, ways);
    CHECK(tree.height() == 3);
    CHECK(children(tree, 0) == std::vector{1, 2, 4});
    CHECK(children(tree, 4) == std::vector{5, 6});
    CHECK(children(tree, 6) == std::vector{7});
  }
}

TEST_CASE("everyone hears by a neighbour, over as many links as it is away") {
  for (const bool wraps : {true, false}) {
    for (const std::vector<int>& dims :
         std::vector<std::vector<int>>{{1}, {2}, {7}, {8}, {2, 3}, {4, 5}, {1, 6, 1}, {3, 2, 4}, {2, 2, 2, 2}}) {
      const Grid grid(dims, wraps);
      for (int root = 0; root < grid.size(); ++root) {
        for (const LineWays ways : {LineWays::one, LineWays::both}) {
          const Tree tree = tree_of(grid, root, ways);
          for (int rank = 0; rank < grid.size(); ++rank) {
            int away = 0;
            for (int i = 0; i < grid.dimensions(); ++i) {
              const int d = dims[static_cast<std::size_t>(i)];
              const int up = (grid.coordinate(Rank(rank), i) - grid.coordinate(Rank(root), i) + d) % d;
              const int straight = std::abs(grid.coordinate(Rank(rank), i) - grid.coordinate(Rank(root), i));
              away += ways == LineWays::one ? up : wraps ? std::min(up, d - up) : straight;
            }
            CAPTURE(dims, wraps, root, rank);
            REQUIRE(tree.depth(rank) == away);
          }
        }
      }
    }
  }
}

TEST_CASE("torus_ring on meshes: rounds and bytes of the formulas for every root") {
  for (const Collective collective : {Collective::broadcast, Collective::reduce}) {
    for (const std::string name : {"torus_ring", "torus_ring:direction=uni", "torus_ring:segments=3"}) {
      const Algorithm algorithm = find_algorithm(collective, name);
      for (const std::string& dims :
           testing::sample<std::vector<std::string>>({"5", "4x3"}, {"1", "2", "5", "2x3", "1x4", "4x3", "2x2x3"})) {
        Experiment what = testing::call_of(algorithm, {{.fabric = {.topology = "mesh:" + dims}}, {}, {}}, 6);
        const int ranks = what.shape().ranks;
        for (what.root = 0; what.root < ranks; ++what.root) {
          INFO(what.text());
          const Setup setup = set_up(what);
          const testing::Witnessed witnessed = testing::witness_one_call(setup, algorithm);
          REQUIRE_THAT(witnessed.failure, Catch::Equals(""));
          REQUIRE(witnessed.rounds == algorithm.rounds(setup.shape()));
          REQUIRE(witnessed.bytes == algorithm.bytes(setup.shape()));
        }
      }
    }
  }
}

TEST_CASE("a direction is uni or bi") {
  CHECK(find_algorithm(Collective::broadcast, "torus_ring:direction=bi").name == "torus_ring");
  CHECK_THROWS_WITH(find_algorithm(Collective::broadcast, "torus_ring:direction=up"),
                    Catch::Equals("option direction=up: uni or bi is needed"));
  CHECK_THROWS_AS(find_algorithm(Collective::reduce, "torus_ring:segments=0"), InputError);
}

}  // namespace heddle::plans
