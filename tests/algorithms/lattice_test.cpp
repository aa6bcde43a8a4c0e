// SPDX-License-Identifier: Apache-2.0
#include "algorithms/executors/lattice.hpp"
#include "algorithms/registry/formulas.hpp"

#include "tests/catch.hpp"

namespace heddle::schedule {

TEST_CASE("only dimensions that lead anywhere count") {
  CHECK(long_dimensions({1, 4, 1, 3}, 12) == std::vector{4, 3});
  CHECK(long_dimensions({1, 1}, 1).empty());
  CHECK(long_dimensions({}, 5) == std::vector{5});
  CHECK(long_dimensions({}, 1).empty());
}

TEST_CASE("without a grid a rank's coordinate is its number") {
  const Lattice line(nullptr, 5);
  REQUIRE(line.dimensions() == 1);
  CHECK(line.size(0) == 5);
  CHECK(line.coordinate(Rank(3), 0) == 3);
  CHECK(line.neighbor(Rank(3), 0, 1) == Rank(1));
}

TEST_CASE("a lattice numbers long dimensions only, wherever ranks are placed") {
  // Ranks 0, 1, 2, … are on nodes 5, 4, 3, … of a 2x1x3 grid: rank 1 on node 4 = (1, 0, 1).
  const Grid grid({2, 1, 3}, true, {5, 4, 3, 2, 1, 0});
  const Lattice lattice(&grid, 6);
  REQUIRE(lattice.sizes() == std::vector{2, 3});
  CHECK(lattice.coordinate(Rank(1), 0) == 1);
  CHECK(lattice.coordinate(Rank(1), 1) == 1);
  CHECK(lattice.neighbor(Rank(1), 0, 0) == Rank(4));  // node (0, 0, 1) = 1
  CHECK(lattice.neighbor(Rank(1), 1, 2) == Rank(0));  // node (1, 0, 2) = 5
}

}  // namespace heddle::schedule
