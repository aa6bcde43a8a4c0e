// SPDX-License-Identifier: Apache-2.0
#include "algorithms/executors/lattice.hpp"

#include <vector>

#include "tests/catch.hpp"

namespace heddle::schedule {

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

}  // namespace heddle::schedule
