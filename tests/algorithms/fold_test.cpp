// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/butterflies/fold.hpp"

#include <vector>

#include "tests/catch.hpp"

namespace heddle::schedule {

TEST_CASE("six members sit on four seats") {
  const Fold fold(6);
  CHECK(fold.seats() == 4);
  CHECK(fold.seat_bits() == 2);
  CHECK(fold.guests() == 2);
  std::vector<int> hosts_and_bystanders;
  for (int seat = 0; seat < 4; ++seat) hosts_and_bystanders.push_back(fold.member_at(seat));
  CHECK(hosts_and_bystanders == std::vector{0, 2, 4, 5});
}

TEST_CASE("the largest power of two remains, in order, and every guest has a host beside it") {
  for (int members = 1; members <= 70; ++members) {
    CAPTURE(members);
    const Fold fold(members);
    REQUIRE(fold.seats() <= members);
    REQUIRE(2 * fold.seats() > members);
    REQUIRE(fold.seats() == 1 << fold.seat_bits());
    int next_seat = 0;
    int guests = 0;
    for (int member = 0; member < members; ++member) {
      if (fold.is_guest(member)) {
        ++guests;
        REQUIRE(fold.partner(member) == member - 1);
        REQUIRE(fold.is_host(member - 1));
        REQUIRE(fold.partner(member - 1) == member);
        REQUIRE(fold.seat_of(member) == fold.seat_of(member - 1));
      } else {
        REQUIRE(fold.seat_of(member) == next_seat);
        REQUIRE(fold.member_at(next_seat) == member);
        ++next_seat;
      }
    }
    REQUIRE(next_seat == fold.seats());
    REQUIRE(guests == fold.guests());
  }
}

}  // namespace heddle::schedule
