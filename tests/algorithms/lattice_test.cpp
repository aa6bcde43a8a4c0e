// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "algorithms/executors/lattice.hpp"
#include "algorithms/registry/formulas.hpp"
#include "tests/catch.hpp"

namespace heddle::plans {

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

TEST_CASE("six members take four positions") {
  const Fold fold(6);
  CHECK(fold.positions() == 4);
  CHECK(fold.position_bits() == 2);
  CHECK(fold.extra_ranks() == 2);
  std::vector<int> partners_and_bystanders;
  for (int position = 0; position < 4; ++position) partners_and_bystanders.push_back(fold.member_at(position));
  CHECK(partners_and_bystanders == std::vector{0, 2, 4, 5});
}

TEST_CASE("the largest power of two remains, in order, and every extra rank has a partner beside it") {
  for (int members = 1; members <= 70; ++members) {
    CAPTURE(members);
    const Fold fold(members);
    REQUIRE(fold.positions() <= members);
    REQUIRE(2 * fold.positions() > members);
    REQUIRE(fold.positions() == 1 << fold.position_bits());
    int next_position = 0;
    int extra_ranks = 0;
    for (int member = 0; member < members; ++member) {
      if (fold.is_extra(member)) {
        ++extra_ranks;
        REQUIRE(fold.other(member) == member - 1);
        REQUIRE(fold.is_partner(member - 1));
        REQUIRE(fold.other(member - 1) == member);
        REQUIRE(fold.position_of(member) == fold.position_of(member - 1));
      } else {
        REQUIRE(fold.position_of(member) == next_position);
        REQUIRE(fold.member_at(next_position) == member);
        ++next_position;
      }
    }
    REQUIRE(next_position == fold.positions());
    REQUIRE(extra_ranks == fold.extra_ranks());
  }
}

}  // namespace heddle::plans
