// SPDX-License-Identifier: Apache-2.0
#include "emu/check/checked_run.hpp"
#include "tests/catch.hpp"
#include "tests/drawn.hpp"

namespace heddle {

TEST_CASE("choose_sampled: everything where it fits") {
  CHECK(choose_sampled(1000, 8, 8, 4, Bytes(8 * 1000 * 4)) == 1000);
  CHECK(choose_sampled(1001, 8, 8, 4, Bytes(1 << 20)) == 1001);  // block_count does not divide it: still all of it
  CHECK(choose_sampled(0, 8, 8, 4, Bytes(1 << 20)) == 0);
  CHECK(choose_sampled(5, 8, 8, 4, Bytes(1)) == 5);  // less than a block_count
}

TEST_CASE("choose_sampled: the largest divisor that fits") {
  // 4 KiB over 8 ranks of 4-byte elements: 128 elements each.
  CHECK(choose_sampled(1000, 8, 8, 4, Bytes(4096)) == 40);   // 8·125: 8·5 fits, 8·25 does not
  CHECK(choose_sampled(1024, 8, 8, 4, Bytes(4096)) == 128);  // 8·128: 8·16
  CHECK(choose_sampled(1024, 8, 8, 4, Bytes(4095)) == 64);
  CHECK(choose_sampled(1001, 8, 8, 4, Bytes(4096)) == 128);  // no divisor of 1001 is a multiple of 8
  CHECK(choose_sampled(1024, 8, 8, 4, Bytes(1)) == 8);       // never below the block_count
  CHECK(choose_sampled(1024, 256, 8, 4, Bytes(4096)) == 256);
}

TEST_CASE("choose_sampled is quick for huge counts") {
  const std::int64_t huge = std::int64_t{1} << 40;
  CHECK(choose_sampled(huge, 1, 1, 1, Bytes(1'000'000)) == 1 << 19);
  CHECK(choose_sampled(1'099'511'627'689, 1, 1, 1, Bytes(1'000'000)) == 1);  // 2^40 - 87 is prime
}

TEST_CASE("choose_sampled keeps its promises") {
  testing::property(
      "a multiple of the block_count or all, within the budget or the block_count, and no larger divisor fits", [] {
        const std::int64_t block_count = drawn::number(1, 40);
        const std::int64_t count =
            drawn::any<bool>() ? block_count * drawn::number<std::int64_t>(0, 500) : drawn::number<std::int64_t>(0, 5000);
        const int ranks = drawn::number(1, 20);
        const std::int64_t fits = drawn::number<std::int64_t>(0, 6000);
        const std::int64_t held = choose_sampled(count, block_count, ranks, 4, Bytes(fits * 4 * ranks));

        RC_ASSERT(held <= count);
        RC_ASSERT(held >= std::min(block_count, count));
        RC_ASSERT(held == count || held % block_count == 0);
        RC_ASSERT(held <= std::max(fits, std::min(block_count, count)));
        for (std::int64_t better = held + 1; better <= std::min(fits, count); ++better) {
          RC_ASSERT_FALSE(count % better == 0 && better % block_count == 0);
          if (count % block_count != 0) RC_ASSERT_FALSE(better % block_count == 0 || better == count);
        }
      });
}

}  // namespace heddle
