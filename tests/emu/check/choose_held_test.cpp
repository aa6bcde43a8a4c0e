// SPDX-License-Identifier: Apache-2.0
#include "emu/check/checked_run.hpp"
#include "tests/catch.hpp"
#include "tests/drawn.hpp"

namespace heddle {

TEST_CASE("choose_held: everything where it fits") {
  CHECK(choose_held(1000, 8, 8, 4, Bytes(8 * 1000 * 4)) == 1000);
  CHECK(choose_held(1001, 8, 8, 4, Bytes(1 << 20)) == 1001);  // granule does not divide it: still all of it
  CHECK(choose_held(0, 8, 8, 4, Bytes(1 << 20)) == 0);
  CHECK(choose_held(5, 8, 8, 4, Bytes(1)) == 5);  // less than a granule
}

TEST_CASE("choose_held: the largest divisor that fits") {
  // 4 KiB over 8 ranks of 4-byte elements: 128 elements each.
  CHECK(choose_held(1000, 8, 8, 4, Bytes(4096)) == 40);   // 8·125: 8·5 fits, 8·25 does not
  CHECK(choose_held(1024, 8, 8, 4, Bytes(4096)) == 128);  // 8·128: 8·16
  CHECK(choose_held(1024, 8, 8, 4, Bytes(4095)) == 64);
  CHECK(choose_held(1001, 8, 8, 4, Bytes(4096)) == 128);  // no divisor of 1001 is a multiple of 8
  CHECK(choose_held(1024, 8, 8, 4, Bytes(1)) == 8);       // never below the granule
  CHECK(choose_held(1024, 256, 8, 4, Bytes(4096)) == 256);
}

TEST_CASE("choose_held is quick for huge counts") {
  const std::int64_t huge = std::int64_t{1} << 40;
  CHECK(choose_held(huge, 1, 1, 1, Bytes(1'000'000)) == 1 << 19);
  CHECK(choose_held(1'099'511'627'689, 1, 1, 1, Bytes(1'000'000)) == 1);  // 2^40 - 87 is prime
}

TEST_CASE("choose_held keeps its promises") {
  testing::property("a multiple of the granule or all, within the budget or the granule, and no larger divisor fits", [] {
    const std::int64_t granule = drawn::number(1, 40);
    const std::int64_t count =
        drawn::any<bool>() ? granule * drawn::number<std::int64_t>(0, 500) : drawn::number<std::int64_t>(0, 5000);
    const int ranks = drawn::number(1, 20);
    const std::int64_t fits = drawn::number<std::int64_t>(0, 6000);
    const std::int64_t held = choose_held(count, granule, ranks, 4, Bytes(fits * 4 * ranks));

    RC_ASSERT(held <= count);
    RC_ASSERT(held >= std::min(granule, count));
    RC_ASSERT(held == count || held % granule == 0);
    RC_ASSERT(held <= std::max(fits, std::min(granule, count)));
    for (std::int64_t better = held + 1; better <= std::min(fits, count); ++better) {
      RC_ASSERT_FALSE(count % better == 0 && better % granule == 0);
      if (count % granule != 0) RC_ASSERT_FALSE(better % granule == 0 || better == count);
    }
  });
}

}  // namespace heddle
