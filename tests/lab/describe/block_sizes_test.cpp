// SPDX-License-Identifier: Apache-2.0
#include "lab/describe/uneven_data.hpp"

#include <algorithm>
#include <numeric>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"

namespace heddle {

TEST_CASE("blocks: even ones are not listed, listed ones are read") {
  CHECK(parse_blocks("even", 10, 4).empty());
  CHECK(parse_blocks("3,1,0,4", 8, 4) == BlockSizes{3, 1, 0, 4});
  CHECK(parse_blocks("8", 8, 1) == BlockSizes{8});
  CHECK(listed_count("3,1,0,4") == 8);
  CHECK_FALSE(listed_count("even").has_value());
  CHECK_FALSE(listed_count("random:7").has_value());
}

TEST_CASE("blocks: random sizes add up, differ by seed, and are the same on every machine") {
  for (const int ranks : {1, 2, 7, 100}) {
    for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, std::int64_t{1000}, std::int64_t{1} << 60}) {
      for (const std::uint64_t seed : {1, 2, 3}) {
        const BlockSizes sizes = random_blocks(count, ranks, seed);
        CHECK(sizes.size() == static_cast<std::size_t>(ranks));
        CHECK(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}) == count);
        CHECK(*std::min_element(sizes.begin(), sizes.end()) >= 0);
      }
    }
  }
  CHECK(parse_blocks("random", 1000, 8) == parse_blocks("random:1", 1000, 8));
  CHECK(parse_blocks("random:1", 1000, 8) != parse_blocks("random:2", 1000, 8));
  CHECK(random_blocks(1000, 8, 1) == BlockSizes{58, 59, 177, 0, 117, 412, 177, 0});
}

TEST_CASE("blocks: what is no list, or not of these ranks and elements") {
  CHECK_THROWS_WITH(parse_blocks("3,,4", 7, 2), Catch::StartsWith("'3,,4': not sizes of blocks; even, random,"));
  CHECK_THROWS_WITH(parse_blocks("3,-1", 2, 2), Catch::StartsWith("'3,-1': not sizes of blocks"));
  CHECK_THROWS_WITH(parse_blocks("odd", 2, 2), Catch::StartsWith("'odd': not sizes of blocks"));
  CHECK_THROWS_WITH(parse_blocks("random:x", 2, 2), Catch::StartsWith("'x': not a seed"));
  CHECK_THROWS_WITH(parse_blocks("1,1", 2, 3), "'1,1': 2 sizes for 3 ranks; one for each is needed");
  CHECK_THROWS_WITH(parse_blocks("1,1", 3, 2), "'1,1': 2 elements in all, but --size is 3; leave --size out");
  CHECK_THROWS_AS(listed_count("9223372036854775807,1"), InputError);
}

}  // namespace heddle
