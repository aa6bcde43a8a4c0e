// SPDX-License-Identifier: Apache-2.0
// Dragonfly and dragonfly+: how they are wired, which ways they take, what they refuse.
#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "tests/catch.hpp"
#include "tests/drawn.hpp"
#include "tests/topo/topology_examples.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {
namespace {

constexpr int kGlobal = 2;

int global_links(const Topology& topology, const Route& route, const Route::Path& path) {
  const auto first = route.links().begin() + path.first;
  return static_cast<int>(std::count_if(
      first, first + path.count, [&](LinkId entry) { return topology.tier(links_of(topology, entry).front()) == kGlobal; }));
}

/// Links on the shortest walks from an endpoint to each vertex that take at most one global link, by searching pairs of a
/// vertex and whether that link is behind.
std::vector<int> distances_over_one_global_link(const Topology& topology, VertexId from) {
  const auto vertices = static_cast<std::size_t>(topology.endpoints() + topology.switches());
  constexpr int kFar = std::numeric_limits<int>::max() - 1;
  std::vector<int> distance(2 * vertices, kFar);
  distance[static_cast<std::size_t>(from)] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (LinkId link = 0; link < topology.links(); ++link) {
      const LinkEnds ends = topology.ends(link);
      const bool global = topology.tier(link) == kGlobal;
      for (std::size_t behind = 0; behind < 2; ++behind) {
        if (global && behind == 1) continue;
        int& there = distance[static_cast<std::size_t>(ends.to) + vertices * (global ? 1 : behind)];
        const int way = distance[static_cast<std::size_t>(ends.from) + vertices * behind] + 1;
        changed = changed || way < there;
        there = std::min(there, way);
      }
    }
  }
  std::vector<int> shortest;
  for (std::size_t v = 0; v < vertices; ++v) shortest.push_back(std::min(distance[v], distance[v + vertices]));
  return shortest;
}

}  // namespace

TEST_CASE("every two groups are joined by their cables, spread evenly over the switches") {
  testing::property("dragonfly and dragonfly+", [] {
    const std::string spec = drawn::any<bool>() ? dragonfly_plus_specs() : dragonfly_specs();
    const auto topology = parse_topology(spec);
    std::map<VertexId, int> group_of;  // of a switch that endpoints or other switches of the group lead to
    for (int pass = 0; pass < 2; ++pass) {
      for (LinkId link = 0; link < topology->links(); ++link) {
        const LinkEnds ends = topology->ends(link);
        if (topology->tier(link) == 0 && ends.from < topology->endpoints()) group_of[ends.to] = topology->group(ends.from, 1);
        if (topology->tier(link) == 1 && group_of.count(ends.from) == 1) group_of[ends.to] = group_of[ends.from];
      }
    }
    std::map<std::pair<int, int>, int> between;
    std::map<VertexId, int> ports;
    for (LinkId link = 0; link < topology->links(); ++link) {
      if (topology->tier(link) != kGlobal) continue;
      const LinkEnds ends = topology->ends(link);
      ++between[{group_of.at(ends.from), group_of.at(ends.to)}];
      ++ports[ends.from];
    }
    std::set<int> groups;
    for (VertexId endpoint = 0; endpoint < topology->endpoints(); ++endpoint) groups.insert(topology->group(endpoint, 1));
    RC_ASSERT(between.size() == groups.size() * (groups.size() - 1));
    std::set<int> cables;
    for (const auto& [pair, count] : between) {
      RC_ASSERT(pair.first != pair.second);
      cables.insert(count);
    }
    RC_ASSERT(cables.size() == (groups.size() > 1 ? 1U : 0U));
    const auto fewer = [](const auto& a, const auto& b) { return a.second < b.second; };
    const auto [least, most] = std::minmax_element(ports.begin(), ports.end(), fewer);
    if (!ports.empty()) RC_ASSERT(most->second - least->second <= 1);
  });
}

TEST_CASE("a dragonfly's routes take one global link between groups and are the shortest of those that do") {
  testing::property("any dragonfly", [] {
    const auto topology = parse_topology(dragonfly_specs());
    const VertexId from = number_in(0, topology->endpoints() - 1);
    const std::vector<int> distance = distances_over_one_global_link(*topology, from);
    for (VertexId to = 0; to < topology->endpoints(); ++to) {
      for (Routing routing : {Routing::split(), Routing::deterministic(), Routing::ecmp(3)}) {
        const Route route = route_between(*topology, from, to, routing);
        const bool apart = topology->group(from, 1) != topology->group(to, 1);
        for (const Route::Path& path : route.paths()) {
          RC_ASSERT(path.count == distance[static_cast<std::size_t>(to)]);
          RC_ASSERT(global_links(*topology, route, path) == (apart ? 1 : 0));
        }
      }
    }
  });
}

TEST_CASE("a dragonfly+ message between groups takes endpoint, leaf, spine, spine, leaf, endpoint") {
  const auto topology = parse_topology("dragonfly+:groups=3,leaves=2,spines=2,hosts=2");
  const auto names = [&](const std::vector<VertexId>& way) {
    std::string text;
    for (VertexId vertex : way) text += (text.empty() ? "" : " ") + topology->vertex_name(vertex);
    return text;
  };
  const auto one_way = [&](VertexId from, VertexId to) {
    return names(ways(*topology, from, to, Routing::deterministic())[0]);
  };
  CHECK(one_way(0, 1) == "0 l0.0 1");
  CHECK(one_way(0, 3) == "0 l0.0 s0.0 l0.1 3");
  CHECK(one_way(0, 11) == "0 l0.0 s0.0 s2.0 l2.1 11");
  // Split, the two spines act as one: up, across and down are trunks of two links.
  const Route split = route_between(*topology, 0, 11);
  REQUIRE(split.paths().size() == 1);
  REQUIRE(split.links().size() == 5);
  for (std::size_t i = 1; i < 4; ++i) CHECK(links_of(*topology, split.links()[i]).size() == 2);
  // A hash spreads flows over both.
  std::set<std::vector<VertexId>> chosen;
  for (VertexId to = 4; to < 12; ++to) chosen.insert({ways(*topology, 0, to, Routing::ecmp(1))[0][2]});
  CHECK(chosen.size() == 2);
}

TEST_CASE("when everyone sends to everyone, global links carry the same") {
  // Between two groups of n endpoints go n² messages each way over the cables that join them. With one cable, or spread by
  // spines that are all alike, each carries n²/cables.
  struct Case {
    std::string_view spec;
    double load;
  };
  const Case example =
      GENERATE(Case{"dragonfly:groups=9,routers=4,hosts=2", 8 * 8}, Case{"dragonfly:groups=5,routers=4,hosts=3", 12 * 12},
               Case{"dragonfly+:groups=4,leaves=3,spines=2,hosts=2", 6 * 6 / 2.0},
               Case{"dragonfly+:groups=3,leaves=3,spines=2,hosts=2,cables=3", 6 * 6 / 3.0});
  CAPTURE(example.spec);
  const auto topology = parse_topology(example.spec);
  const std::vector<double> load = all_to_all_loads(*topology);
  for (LinkId link = 0; link < topology->links(); ++link) {
    if (topology->tier(link) == kGlobal) CHECK(load[static_cast<std::size_t>(link)] == Approx(example.load));
  }
}

TEST_CASE("the networks of LUMI and Leonardo in numbers") {
  // Leonardo, as assumed here: 23 groups of 180 nodes, each a two-level fat tree of 18 leaves and 18 spines; a spine has a
  // cable to each of the 22 other groups.
  const auto leonardo = parse_topology("dragonfly+:groups=23,leaves=18,spines=18,hosts=10")->properties();
  CHECK(leonardo.endpoints == 23 * 180);
  CHECK(leonardo.switches == 23 * 36);
  CHECK(leonardo.tiers[1].cables == 23 * 18 * 18);
  CHECK(leonardo.tiers[2].cables == 23 * 22 / 2 * 18);
  CHECK(leonardo.diameter == 5);
  // LUMI: 24 groups of 124 nodes.
  const auto lumi = parse_topology("dragonfly:groups=24,routers=31,hosts=4")->properties();
  CHECK(lumi.endpoints == 24 * 124);
  CHECK(lumi.tiers[1].cables == 24 * 31 * 30 / 2);
  CHECK(lumi.tiers[2].cables == 24 * 23 / 2);
  CHECK(lumi.bisection == 12 * 12);
}

TEST_CASE("groups, cables and global ports follow from each other") {
  // a·h + 1 groups at most, h = 2 (Kim et al., §3.1).
  CHECK(parse_topology("dragonfly:routers=4,hosts=2,global=2")->spec() == "dragonfly:groups=9,routers=4,hosts=2");
  CHECK(parse_topology("dragonfly:groups=9,routers=4,hosts=2,global=2")->spec() == "dragonfly:groups=9,routers=4,hosts=2");
  CHECK(parse_topology("dragonfly:groups=5,routers=4,hosts=2,global=2")->spec() ==
        "dragonfly:groups=5,routers=4,hosts=2,cables=2");
  CHECK(parse_topology("dragonfly:routers=4,hosts=2,global=3,cables=2")->spec() ==
        "dragonfly:groups=7,routers=4,hosts=2,cables=2");
  CHECK(parse_topology("dragonfly+:leaves=18,spines=18,hosts=10,global=22")->spec() ==
        "dragonfly+:groups=23,leaves=18,spines=18,hosts=10");
}

TEST_CASE("what does not fit is refused with the arithmetic that fails") {
  CHECK(refusal("dragonfly:groups=10,routers=4,hosts=2,global=2") ==
        "topology 'dragonfly:groups=10,routers=4,hosts=2,global=2': 4 routers with global=2 have 4·2 = 8 ports for 9 other "
        "groups; "
        "at most 8 + 1 groups fit; try dragonfly:groups=9,routers=4,hosts=2");
  CHECK_THAT(
      refusal("dragonfly:groups=9,routers=4,hosts=2,global=2,cables=2"),
      Catch::Contains("cables=2 to each of 8 other groups are 2·8 = 16 ends, but 4 routers with global=2 have 4·2 = 8 ports"));
  CHECK_THAT(refusal("dragonfly+:groups=4,leaves=2,spines=2,hosts=1,global=1"),
             Catch::Contains("2 spines with global=1 have 2·1 = 2 ports for 3 other groups"));
  CHECK_THAT(refusal("dragonfly:groups=9,hosts=2"), Catch::Contains("'routers=' is missing"));
  CHECK_THAT(refusal("dragonfly:routers=4,hosts=2"), Catch::Contains("'groups=' is missing"));
  CHECK_THAT(refusal("dragonfly:groups=9,routers=4,hosts=2,spines=2"), Catch::Contains("unknown field 'spines'"));
  CHECK_THAT(refusal("dragonfly:groups=9,routers=4,hosts=9000000000000000000"),
             Catch::Contains("hosts=9000000000000000000 is more"));
  CHECK_THAT(refusal("dragonfly:groups=2000,routers=300,hosts=2"), Catch::Contains("links, at most 134217728 are possible"));
  CHECK_THAT(refusal("dragonfly+:groups=200000000,leaves=2000,spines=200,hosts=2"), Catch::Contains("endpoints"));
}

}  // namespace heddle
