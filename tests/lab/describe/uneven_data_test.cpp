// SPDX-License-Identifier: Apache-2.0
// --skew: which ranks are hot, and what a run says of it.
#include "lab/describe/uneven_data.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"

namespace heddle {

using test::run_heddle;
using Json = nlohmann::json;
using Weights = std::vector<std::int64_t>;

TEST_CASE("skew: the first ranks are hot, or some that are drawn") {
  CHECK(parse_skew("hotspot=2,factor=5", 5) == Weights{5, 5, 1, 1, 1});
  CHECK(parse_skew("factor=3,hotspot=1", 2) == Weights{3, 1});
  const Weights drawn = parse_skew("hotspot=2,factor=5,seed=7", 64);
  CHECK(std::count(drawn.begin(), drawn.end(), 5) == 2);
  CHECK(std::count(drawn.begin(), drawn.end(), 1) == 62);
  CHECK(parse_skew("hotspot=2,factor=5,seed=7", 64) == drawn);
  CHECK(parse_skew("hotspot=2,factor=5,seed=8", 64) != drawn);
}

TEST_CASE("skew that there is not") {
  const auto refusal = [](const std::string& skew, const std::string& more = "") {
    return run_heddle("run alltoall --algo linear --topo star:8 --size 64000 --skew " + skew + more).err;
  };
  CHECK(refusal("hotspot=2") == "heddle: --skew 'hotspot=2': factor is missing; try hotspot=2,factor=5\n");
  CHECK(refusal("factor=2") == "heddle: --skew 'factor=2': hotspot is missing; try hotspot=2,factor=5\n");
  CHECK(refusal("hotspot=9,factor=2") == "heddle: --skew '9': not a whole number from 1 to 8\n");
  CHECK(refusal("hotspot=2,factor=0") == "heddle: --skew '0': not a whole number from 1 to 1000000\n");
  CHECK_THAT(refusal("hotspot=2,fact=2"), Catch::StartsWith("heddle: --skew 'hotspot=2,fact=2': it has hotspot, factor and"));
  CHECK_THAT(refusal("hotspot=2,hotspot=2"),
             Catch::StartsWith("heddle: --skew 'hotspot=2,hotspot=2': it has hotspot, factor and"));
  CHECK(refusal("hotspot=2,factor=2", " --in-place") ==
        "heddle: --skew and --in-place: what a rank receives is not as long as what it sends\n");
  CHECK(refusal("hotspot=2,factor=2", " --blocks random") == "heddle: --skew and --blocks: one or the other\n");
  CHECK(refusal("hotspot=1,factor=2", " --groups 0-1;2-4") ==
        "heddle: --skew hotspot=1,factor=2: it needs groups of as many ranks each\n");
  CHECK(run_heddle("run allreduce --topo star:8 --size 64000 --skew hotspot=2,factor=5").err ==
        "heddle: --skew hotspot=2,factor=5: allreduce has no destinations; alltoall has\n");
}

TEST_CASE("a skewed run: the worked example of docs/model.md") {
  const std::string run =
      "run alltoall --topo star:8 --bw 1GB/s --latency 0 --alpha 1us --size 64000 --skew hotspot=2,factor=5";
  const auto result = run_heddle(run + " --algo linear");
  CHECK(result.status == 0);
  CHECK_THAT(result.out, Catch::Contains(" 141.000 ") &&
                             Catch::Contains("\n#   hottest link: s0->0, 140000 B, 2.5 times the mean of 16\n") &&
                             Catch::Contains(" x i32, out of place; skew hotspot=2,factor=5; "));
  CHECK_THAT(run_heddle(run).out, Catch::Contains("\n# left out: bruck: it needs blocks of equal size\n"));
  const Json json = Json::parse(run_heddle(run + " --algo linear --json -").out);
  CHECK(json["context"]["skew"] == "hotspot=2,factor=5");
  CHECK(json["runs"][0]["links"][0]["bytes"] == 140'000);
  // 7·5/16 bytes per byte of M through the busiest port, at 140/141 of its bandwidth.
  CHECK(json["runs"][0]["busbw_Bps"].get<double>() == Approx(1e9 * 140 / 141));
  // Whole units of four bytes: 16 elements.
  CHECK(Json::parse(run_heddle("run alltoall --algo linear --topo star:8 --size 100 --skew hotspot=2,factor=5 --json -")
                        .out)["runs"][0]["count"] == 16);
}

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
