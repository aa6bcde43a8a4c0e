// SPDX-License-Identifier: Apache-2.0
#include "heddle/grid.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/drawn.hpp"

namespace heddle {

namespace {

/// One to four dimensions of 1 to 5, with ranks row-major or shuffled.
Grid draw_grid() {
  std::vector<int> dims(drawn::evenly<std::size_t>(1, 5));
  for (int& size : dims) size = drawn::evenly(1, 6);
  const bool wraps = drawn::any<bool>();
  if (drawn::any<bool>()) return Grid(dims, wraps);
  std::vector<int> node_of_rank(static_cast<std::size_t>(std::accumulate(dims.begin(), dims.end(), 1, std::multiplies<>())));
  std::iota(node_of_rank.begin(), node_of_rank.end(), 0);
  std::shuffle(node_of_rank.begin(), node_of_rank.end(), std::mt19937(drawn::any<std::uint32_t>()));
  return Grid(dims, wraps, node_of_rank);
}

}  // namespace

TEST_CASE("ranks fill a grid row by row") {
  // 0 1 2
  // 3 4 5
  const Grid grid({2, 3}, true);
  CHECK(grid.dims() == std::vector<int>{2, 3});
  CHECK(grid.dimensions() == 2);
  CHECK(grid.size() == 6);
  CHECK(grid.wraps());
  CHECK_FALSE(Grid({2, 3}, false).wraps());
  CHECK(grid.coordinates(Rank(0)) == std::vector<int>{0, 0});
  CHECK(grid.coordinates(Rank(5)) == std::vector<int>{1, 2});
  CHECK(grid.coordinate(Rank(4), 0) == 1);
  CHECK(grid.coordinate(Rank(4), 1) == 1);
  CHECK(grid.rank_at({1, 0}) == Rank(3));
  CHECK(grid.neighbor(Rank(4), 0, 0) == Rank(1));
  CHECK(grid.neighbor(Rank(4), 1, 2) == Rank(5));
  CHECK(grid.neighbor(Rank(4), 1, 1) == Rank(4));
}

TEST_CASE("ranks sit where the table puts them") {
  // Nodes 0 1 2 / 3 4 5 hold ranks 1 3 5 / 0 2 4.
  const Grid grid({2, 3}, false, {3, 0, 4, 1, 5, 2});
  CHECK(grid.coordinates(Rank(0)) == std::vector<int>{1, 0});
  CHECK(grid.coordinates(Rank(5)) == std::vector<int>{0, 2});
  CHECK(grid.rank_at({1, 2}) == Rank(4));
  CHECK(grid.neighbor(Rank(0), 0, 0) == Rank(1));
  CHECK(grid.neighbor(Rank(0), 1, 2) == Rank(4));
}

TEST_CASE("coordinates and ranks name the same places") {
  testing::property("rank_at undoes coordinates, for every rank", [] {
    const Grid grid = draw_grid();
    for (int r = 0; r < grid.size(); ++r) {
      const std::vector<int> at = grid.coordinates(Rank(r));
      for (int d = 0; d < grid.dimensions(); ++d) RC_ASSERT(grid.coordinate(Rank(r), d) == at[static_cast<std::size_t>(d)]);
      RC_ASSERT(grid.rank_at(at) == Rank(r));
    }
  });
  testing::property("a neighbor differs in its one coordinate, and the way back leads back", [] {
    const Grid grid = draw_grid();
    const Rank from(drawn::number(0, grid.size()));
    const int d = drawn::number(0, grid.dimensions());
    const int to = drawn::number(0, grid.dims()[static_cast<std::size_t>(d)]);
    std::vector<int> expected = grid.coordinates(from);
    expected[static_cast<std::size_t>(d)] = to;
    const Rank neighbor = grid.neighbor(from, d, to);
    RC_ASSERT(grid.coordinates(neighbor) == expected);
    RC_ASSERT(grid.neighbor(neighbor, d, grid.coordinate(from, d)) == from);
  });
}

TEST_CASE("a grid that cannot be is refused") {
  CHECK_THROWS_AS(Grid({}, true), InputError);
  CHECK_THROWS_WITH(Grid({}, true), Catch::Contains("without dimensions"));
  CHECK_THROWS_WITH(Grid({4, 0}, true), "grid 4x0: each dimension must be at least 1");
  CHECK_THROWS_WITH(Grid({-2}, true), Catch::Contains("at least 1"));
  CHECK_THROWS_WITH(Grid({65'536, 65'536}, true), Catch::Contains("grid 65536x65536: more than 2147483647 nodes"));
  CHECK(Grid({std::numeric_limits<int>::max()}, false).size() == std::numeric_limits<int>::max());
}

TEST_CASE("a table that is no permutation is refused") {
  CHECK_THROWS_AS(Grid({2, 2}, true, {0, 1, 2}), InputError);
  CHECK_THROWS_WITH(Grid({2, 2}, true, {0, 1, 2}), "a grid of 4 nodes needs as many ranks in its placement, not 3");
  CHECK_THROWS_WITH(Grid({2, 2}, true, {0, 1, 1, 3}), "placement puts ranks 1 and 2 both on node 1");
  CHECK_THROWS_WITH(Grid({2, 2}, true, {0, 1, 2, 4}), "placement puts rank 3 on node 4 of a grid whose nodes are 0 to 3");
  CHECK_THROWS_WITH(Grid({2, 2}, true, {-1, 1, 2, 3}), Catch::Contains("node -1"));
}

TEST_CASE("a place that is not on the grid is refused") {
  const Grid grid({2, 3}, true);
  CHECK_THROWS_AS(grid.coordinates(Rank(6)), UsageError);
  CHECK_THROWS_WITH(grid.coordinates(Rank(6)), "rank 6 is not on a grid of 6 nodes");
  CHECK_THROWS_WITH(grid.coordinates(kAnySource), Catch::Contains("rank -1"));
  CHECK_THROWS_WITH(grid.coordinate(Rank(0), 2), "a grid of 2x3 has no dimension 2");
  CHECK_THROWS_WITH(grid.coordinate(Rank(0), -1), Catch::Contains("no dimension -1"));
  CHECK_THROWS_WITH(grid.rank_at({1}), "(1) is no place on a grid of 2x3");
  CHECK_THROWS_WITH(grid.rank_at({1, 3}), "coordinate 3 is outside dimension 1 of a grid of 2x3");
  CHECK_THROWS_WITH(grid.neighbor(Rank(0), 1, -1), Catch::Contains("coordinate -1"));
}

}  // namespace heddle
