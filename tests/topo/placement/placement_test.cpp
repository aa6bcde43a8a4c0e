// SPDX-License-Identifier: Apache-2.0
#include "topo/placement/placement.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <utility>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/drawn.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {
namespace {

/// A file in the working directory for as long as it is needed.
class TemporaryFile {
 public:
  TemporaryFile(std::string path, const std::string& content) : path_(std::move(path)) { std::ofstream(path_) << content; }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

TEST_CASE("linear placement puts rank r on endpoint r") {
  const auto torus = parse_topology("torus:2x4");
  CHECK(linear_placement(3, *torus) == Placement{0, 1, 2});
  CHECK(linear_placement(8, *torus).back() == 7);
  CHECK(parse_placement("linear", 3, *torus) == Placement{0, 1, 2});
}

TEST_CASE("there must be room for the ranks") {
  const auto star = parse_topology("star:4");
  for (const char* text : {"linear", "random", "file:missing"}) {
    CHECK_THROWS_WITH(parse_placement(text, 5, *star), "5 ranks do not fit on star:4, which has 4 endpoints");
    CHECK_THROWS_WITH(parse_placement(text, 0, *star), Catch::Contains("at least 1"));
    CHECK_THROWS_AS(parse_placement(text, -1, *star), InputError);
  }
}

TEST_CASE("a random placement is the same on every machine") {
  const auto ring = parse_topology("ring:8");
  CHECK(random_placement(8, *ring, 1) == Placement{1, 0, 2, 3, 5, 7, 4, 6});
  CHECK(random_placement(8, *ring, 7) == Placement{7, 4, 2, 6, 3, 5, 1, 0});
  CHECK(parse_placement("random", 8, *ring) == random_placement(8, *ring, 1));
  CHECK(parse_placement("random:7", 8, *ring) == random_placement(8, *ring, 7));
  CHECK(parse_placement("fragmented:7", 8, *ring) == fragmented_placement(8, *ring, 7));
  CHECK(parse_placement("random:18446744073709551615", 5, *parse_topology("ring:16")) == Placement{0, 10, 9, 1, 3});
}

TEST_CASE("a random placement puts no two ranks on one endpoint") {
  testing::property("fewer ranks are the beginning of more", [] {
    const auto seed = drawn::any<std::uint64_t>();
    const int endpoints = drawn::number(1, 200);
    const int ranks = drawn::number(1, endpoints + 1);
    const auto ring = parse_topology("ring:" + std::to_string(endpoints));
    Placement all = random_placement(endpoints, *ring, seed);
    const Placement some = random_placement(ranks, *ring, seed);
    RC_ASSERT(some.size() == static_cast<std::size_t>(ranks));
    RC_ASSERT(std::equal(some.begin(), some.end(), all.begin()));
    std::sort(all.begin(), all.end());
    RC_ASSERT(all == linear_placement(endpoints, *ring));
  });
}

TEST_CASE("a random placement favours no endpoint") {
  // 6000 draws of rank 0's place among 6 endpoints: 1000 each, standard deviation √(6000·1/6·5/6) ≈ 29; five of them allowed.
  const auto ring = parse_topology("ring:6");
  std::array<int, 6> times{};
  for (std::uint64_t seed = 0; seed < 6000; ++seed) ++times.at(static_cast<std::size_t>(random_placement(6, *ring, seed)[0]));
  for (int count : times) CHECK(std::abs(count - 1000) < 5 * 29);
}

namespace {

/// 10 endpoints on leaves of 4, 4 and 2; the first two leaves are a pod. Groups are all that it is good for.
class Leaves final : public Topology {
 public:
  std::string shape() const override { return "leaves"; }
  int endpoints() const override { return 10; }
  int switches() const override { return 0; }
  int links() const override { return 0; }
  LinkEnds ends(LinkId) const override { return {}; }
  bool is_direct() const override { return false; }
  void route(VertexId, VertexId, Routing, Route& route) const override { route.clear(); }
  int group_tiers() const override { return 3; }
  int group(VertexId endpoint, int tier) const override { return tier == 0 ? endpoint / 4 : tier == 1 ? endpoint / 8 : 0; }
  TopologyProperties properties() const override { return {}; }
};

}  // namespace

TEST_CASE("a scattered placement goes round the groups, past full ones") {
  const Leaves leaves;
  CHECK(parse_placement("scattered", 10, leaves) == Placement{0, 4, 8, 1, 5, 9, 2, 6, 3, 7});
  CHECK(parse_placement("scattered:0", 5, leaves) == Placement{0, 4, 8, 1, 5});
  CHECK(parse_placement("scattered:1", 10, leaves) == Placement{0, 8, 1, 9, 2, 3, 4, 5, 6, 7});
  CHECK_THROWS_WITH(parse_placement("scattered:2", 5, leaves), "tier 2 of groups: leaves has 2, from 0");
  CHECK_THROWS_WITH(parse_placement("scattered:-1", 5, leaves), "tier -1 of groups: leaves has 2, from 0");
  CHECK_THROWS_WITH(parse_placement("scattered:x", 5, leaves),
                    "placement 'scattered:x': the tier is not a whole number; try scattered:0");
  CHECK_THROWS_WITH(parse_placement("scattered", 11, leaves), Catch::Contains("11 ranks do not fit"));
  CHECK_THROWS_WITH(parse_placement("scattered", 4, *parse_topology("ring:4")),
                    "ring:4 has no groups of endpoints to scatter ranks over");
}

TEST_CASE("a placement by groups puts so many ranks on each innermost group in turn") {
  const Leaves leaves;
  CHECK(parse_placement("groups:3+1+2", 6, leaves) == Placement{0, 1, 2, 4, 8, 9});
  CHECK(parse_placement("groups:0+2", 2, leaves) == Placement{4, 5});
  CHECK(parse_placement("groups:4", 4, *parse_topology("star:8")) == Placement{0, 1, 2, 3});
  CHECK(tiers_of(parse_placement("groups:3+1+2", 6, leaves), leaves).group ==
        std::vector<std::vector<int>>{{0, 0, 0, 1, 2, 2}, {0, 0, 0, 0, 1, 1}, {0, 0, 0, 0, 0, 0}});
  CHECK(ranks_of_placement("groups:13+7+12") == 32);
  CHECK_FALSE(ranks_of_placement("scattered").has_value());
  CHECK_THROWS_WITH(parse_placement("groups:1+1+1+1", 4, leaves), "ranks in 4 groups: leaves has 3 innermost ones");
  CHECK_THROWS_WITH(parse_placement("groups:1+5", 6, leaves), "5 ranks do not fit in group 1 of leaves, which has 4 endpoints");
  CHECK_THROWS_WITH(parse_placement("groups:1+2", 4, leaves), "the groups have 3 ranks together, not 4");
  for (const char* text : {"groups:", "groups:1+", "groups:+1", "groups:1+x", "groups:-1", "groups:1000000000"})
    CHECK_THROWS_WITH(parse_placement(text, 4, leaves), Catch::Contains("is not a number of ranks; try groups:13+7+12"));
}

TEST_CASE("a placement may name each rank's endpoint") {
  const auto torus = parse_topology("torus:2x4");
  CHECK(parse_placement("endpoints:7+0+3", 3, *torus) == Placement{7, 0, 3});
  CHECK(ranks_of_placement("endpoints:7+0+3") == 3);
  CHECK_THROWS_WITH(parse_placement("endpoints:7+8", 2, *torus), "rank 1 on endpoint 8: those of torus:2x4 are 0 to 7");
  CHECK_THROWS_WITH(parse_placement("endpoints:7+7", 2, *torus), "rank 1 on endpoint 7: rank 0 sits there");
  CHECK_THROWS_WITH(parse_placement("endpoints:7", 2, *torus), "1 endpoints for 2 ranks; one for each rank is needed");
  CHECK_THROWS_WITH(parse_placement("endpoints:7+x", 2, *torus),
                    "placement 'endpoints:7+x': 'x' is not an endpoint's number; try endpoints:3+0+1");
  CHECK_THROWS_AS(given_placement({0, -1}, 2, *torus), InputError);
}

TEST_CASE("a placement file has one endpoint per line") {
  const auto torus = parse_topology("torus:2x4");
  const TemporaryFile file("placement_test_good.txt", "# reversed\n7\n 6 \r\n\n5\n   # the rest\n4");
  CHECK(placement_from_file(file.path(), 4, *torus) == Placement{7, 6, 5, 4});
  CHECK(parse_placement("file:" + file.path(), 4, *torus) == Placement{7, 6, 5, 4});
}

TEST_CASE("what is wrong in a placement file is named with file and line") {
  const auto torus = parse_topology("torus:2x4");
  const std::string path = "placement_test_bad.txt";
  const auto refusal = [&](const std::string& content, int ranks) -> std::string {
    const TemporaryFile file(path, content);
    try {
      placement_from_file(path, ranks, *torus);
      return "accepted";
    } catch (const InputError& error) {
      return error.what();
    }
  };
  CHECK(refusal("0\n\n8\n", 2) == path + ":3: '8' is not an endpoint of torus:2x4; they are 0 to 7");
  CHECK(refusal("-1\n", 1) == path + ":1: '-1' is not an endpoint of torus:2x4; they are 0 to 7");
  CHECK(refusal("0\nseven\n", 2) == path + ":2: 'seven' is not an endpoint of torus:2x4; they are 0 to 7");
  CHECK(refusal("0 1\n", 2) == path + ":1: '0 1' is not an endpoint of torus:2x4; they are 0 to 7");
  CHECK(refusal("3\n4\n3\n", 3) == path + ":3: '3' has a rank already, from line 1");
  CHECK(refusal("0\n1\n2\n", 2) == path + ":3: '2' is one endpoint more than the 2 ranks");
  CHECK(refusal("0\n1\n", 3) == path + ": 2 endpoints for 3 ranks; one line per rank is needed");
  CHECK(refusal("", 1) == path + ": 0 endpoints for 1 rank; one line per rank is needed");
}

TEST_CASE("a placement file that cannot be read is named") {
  const auto torus = parse_topology("torus:2x4");
  CHECK_THROWS_WITH(placement_from_file("no/such/file", 1, *torus),
                    "placement file 'no/such/file' cannot be read: No such file or directory");
  CHECK_THROWS_WITH(placement_from_file(".", 1, *torus), "placement file '.' cannot be read: it is a directory");
}

TEST_CASE("an unknown placement is refused with what there is") {
  const auto torus = parse_topology("torus:2x4");
  CHECK_THROWS_WITH(
      parse_placement("lineal", 1, *torus),
      Catch::Contains("'lineal'") && Catch::Contains("linear, random, random:7, fragmented, scattered, groups:13+7+12, "
                                                     "job:leonardo/14075154, endpoints:3+0+1 or file:PATH"));
  for (const char* text : {"random:", "random:-1", "random:x", "random:7 ", "random:18446744073709551616"}) {
    CHECK_THROWS_WITH(parse_placement(text, 1, *torus), Catch::Contains("try random:7"));
  }
  CHECK_THROWS_AS(parse_placement("", 1, *torus), InputError);
  CHECK_THROWS_AS(parse_placement("file:", 1, *torus), InputError);
}

TEST_CASE("ranks that fill the fabric's grid, or a box of it, have a grid of their own") {
  struct Case {
    std::string_view topology;
    Placement endpoints;
    std::vector<int> dims;  ///< empty: none
    bool wraps = false;
  };
  const std::vector<Case> cases{
      {"torus:2x3", {0, 1, 2, 3, 4, 5}, {2, 3}, true},  // all of it
      {"torus:1x4", {0, 1, 2, 3}, {1, 4}, true},        // as the fabric has it
      {"torus:3x4", {4, 5, 6, 7}, {4}, true},           // a row: a ring
      {"torus:3x4", {1, 5, 9}, {3}, true},              // a column
      {"torus:3x4", {4, 5, 6}, {3}, false},             // three of four do not close the ring
      {"torus:3x4", {4, 5}, {2}, true},                 // two need no closing
      {"torus:4x4", {4, 5, 6, 7, 8, 9, 10, 11}, {2, 4}, true},
      {"torus:5x4", {4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {3, 4}, false},
      {"torus:2x3x2", {6, 7, 8, 9, 10, 11}, {3, 2}, true},  // a plane
      {"torus:2x3x2", {0, 1, 6, 7}, {2, 2}, true},          // another
      {"mesh:3x3", {0, 3, 6}, {3}, false},
      {"mesh:3x3", {4}, {1}, false},
      {"torus:3x4", {0, 1, 2, 4}, {}},  // no box
      {"torus:3x4", {0, 5, 10}, {}},    // a diagonal
      {"ring:6", {0, 2, 4}, {}},        // not neighbours
      {"star:4", {0, 1, 2, 3}, {}},
      {"torus:2x2", {}, {}},
  };
  for (const Case& example : cases) {
    const auto topology = parse_topology(example.topology);
    const std::optional<Grid> grid = grid_under(example.endpoints, *topology);
    INFO(example.topology << ", from endpoint " << (example.endpoints.empty() ? -1 : example.endpoints[0]));
    REQUIRE(grid.has_value() == !example.dims.empty());
    if (!grid) continue;
    CHECK(grid->dims() == example.dims);
    CHECK(grid->wraps() == example.wraps);
  }
}

TEST_CASE("ranks have the coordinates of where they sit in their box") {
  const auto torus = parse_topology("torus:3x4");
  const std::optional<Grid> row = grid_under({6, 4, 7, 5}, *torus);
  REQUIRE(row);
  CHECK(row->coordinates(Rank(0)) == std::vector{2});
  CHECK(row->neighbor(Rank(0), 0, 0) == Rank(1));
  const std::optional<Grid> corner = grid_under({11, 10, 7, 6}, *torus);
  REQUIRE(corner);
  CHECK(corner->dims() == std::vector{2, 2});
  CHECK(corner->coordinates(Rank(0)) == std::vector{1, 1});
  CHECK(corner->coordinates(Rank(2)) == std::vector{0, 1});
}

TEST_CASE("a fragmented placement is in order, in runs, over at most twice as many endpoints as ranks") {
  testing::property("any size, any seed", [] {
    const int endpoints = drawn::number(1, 400);
    const int ranks = drawn::number(1, endpoints + 1);
    const auto seed = drawn::any<std::uint64_t>();
    const auto star = parse_topology("star:" + std::to_string(endpoints));
    const Placement placement = fragmented_placement(ranks, *star, seed);
    RC_ASSERT(placement.size() == static_cast<std::size_t>(ranks));
    RC_ASSERT(placement.front() >= 0);
    RC_ASSERT(placement.back() < endpoints);
    RC_ASSERT(std::adjacent_find(placement.begin(), placement.end(), std::greater_equal<>()) == placement.end());
    RC_ASSERT(placement.back() - placement.front() + 1 <= 2 * ranks);
    RC_ASSERT(placement == fragmented_placement(ranks, *star, seed));
  });
  const auto star = parse_topology("star:1000");
  CHECK(fragmented_placement(200, *star, 1) != fragmented_placement(200, *star, 2));
  CHECK(fragmented_placement(1000, *star, 5) == linear_placement(1000, *star));
  CHECK_THROWS_AS(fragmented_placement(1001, *star, 1), InputError);
}

}  // namespace heddle
