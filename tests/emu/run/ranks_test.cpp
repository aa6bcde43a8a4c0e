// SPDX-License-Identifier: Apache-2.0
#include "emu/run/ranks.hpp"

#include "tests/catch.hpp"

namespace heddle::emu {

using namespace literals;

TEST_CASE("ranks: what a rank does itself, it does one thing after the other") {
  Ranks ranks(2);
  const Ranks::Begin first = ranks.occupy(0, {10_ns, 8_ns}, 5_ns);
  CHECK(first.time == 10_ns);
  CHECK(first.contention_free == 8_ns);
  CHECK(ranks.free_from(0, 12_ns) == 15_ns);
  CHECK(ranks.free_from(0, 20_ns) == 20_ns);
  CHECK(ranks.free_from(1, 12_ns) == 12_ns);
  const Ranks::Begin second = ranks.occupy(0, {11_ns, 20_ns}, 1_ns);
  CHECK(second.time == 15_ns);
  CHECK(second.contention_free == 20_ns);
}

TEST_CASE("ranks: all make the second call once each does") {
  Ranks ranks(2);
  CHECK(ranks.nobody_makes_second_call());
  ranks.begin_second_call(1);
  CHECK(ranks.in_second_call(1));
  CHECK_FALSE(ranks.in_second_call(0));
  CHECK_FALSE(ranks.nobody_makes_second_call());
  CHECK_FALSE(ranks.all_make_second_call());
  ranks.begin_second_call(0);
  CHECK(ranks.all_make_second_call());
}

}  // namespace heddle::emu
