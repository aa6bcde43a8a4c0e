// SPDX-License-Identifier: Apache-2.0
// Pods of GPUs on NVLink with rails between them: Collectives Explainer 03, §1.1 and Appendix A.
#include <map>
#include <tuple>
#include <utility>

#include "tests/catch.hpp"
#include "tests/topo/every_walk.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {
namespace {

/// Switches by kind ("nvswitch", "leaf", "spine"), and the cables between a leaf and a spine that have any.
struct Census {
  std::map<std::string, int> switches;
  std::map<std::pair<VertexId, VertexId>, int> leaf_to_spine;
};

Census census(const Topology& topology) {
  Census counted;
  for (VertexId v = topology.endpoints(); v < topology.endpoints() + topology.switches(); ++v) {
    std::string name = topology.vertex_name(v);
    name.erase(0, name.find('.') + 1);
    ++counted.switches[name.substr(0, name.find_first_of("0123456789"))];
  }
  for (LinkId link = 0; link < topology.links(); ++link) {
    const LinkEnds ends = topology.ends(link);
    if (topology.tier(link) == 2 && ends.from < ends.to) ++counted.leaf_to_spine[{ends.from, ends.to}];
  }
  return counted;
}

std::vector<std::string> way(const Topology& topology, VertexId from, VertexId to) {
  const Route route = route_between(topology, from, to, Routing::deterministic());
  std::vector<std::string> names = {topology.vertex_name(from)};
  for (LinkId link : route.links()) names.push_back(topology.vertex_name(topology.ends(link).to));
  return names;
}

}  // namespace

TEST_CASE("the superpod of 32 pods, counted from the built graph") {
  // Collectives Explainer 03, Appendix A: 2,304 GPUs, 32 leaves, 16 spines, 18 cables from each leaf to each spine of its rail.
  const auto superpod = parse_topology("superpod:pods=32");
  CHECK(superpod->spec() == "superpod:pods=32,gpus=72,trays=18");
  CHECK(superpod->endpoints() == 2304);
  const Census counted = census(*superpod);
  CHECK(counted.switches == std::map<std::string, int>{{"nvswitch", 32}, {"leaf", 32}, {"spine", 16}});
  CHECK(counted.leaf_to_spine.size() == 32 * 4);
  for (const auto& [pair, cables] : counted.leaf_to_spine) REQUIRE(cables == 18);
  std::map<VertexId, int> ports;
  for (LinkId link = 0; link < superpod->links(); ++link) {
    if (superpod->tier(link) > 0) ++ports[superpod->ends(link).from];
  }
  for (const auto& [vertex, used] : ports) REQUIRE(used == (vertex < superpod->endpoints() ? 1 : 144));
  CHECK(superpod->properties().degree == 2);
  CHECK(superpod->properties().tiers[2].oversubscription == 1);
}

TEST_CASE("pods share leaves four by four, and one leaf a rail needs no spine") {
  for (const auto& [pods, leaves, spines] : {std::tuple(1, 4, 0), {2, 4, 0}, {4, 4, 0}, {5, 8, 4}, {8, 8, 4}, {9, 12, 8}}) {
    CAPTURE(pods);
    const auto superpod = parse_topology("superpod:gpus=72,trays=18,pods=" + std::to_string(pods));
    const Census counted = census(*superpod);
    CHECK(counted.switches.at("leaf") == leaves);
    CHECK((counted.switches.count("spine") == 0 ? 0 : counted.switches.at("spine")) == spines);
    CHECK(superpod->group_tiers() == (pods > 4 ? 3 : 2));
  }
}

TEST_CASE("messages of a superpod take NVLink inside a pod, the rail of their destination outside") {
  // 3 pods of 3 trays with a GPU on each of 2 rails; a leaf has room for the 3 NICs of 2 pods: 2 leaves and a spine a rail.
  const auto superpod = parse_topology("superpod:pods=3,gpus=6,trays=3,ports=12");
  using Names = std::vector<std::string>;
  CHECK(way(*superpod, 0, 5) == Names{"0", "nvswitch0", "5"});
  CHECK(way(*superpod, 2, 10) == Names{"2", "rail0.leaf0", "10"});
  CHECK(way(*superpod, 2, 14) == Names{"2", "rail0.leaf0", "rail0.spine0", "rail0.leaf1", "14"});
  // GPU 2 is in tray 1 on rail 0: its sibling on rail 1 is GPU 3.
  CHECK(way(*superpod, 2, 11) == Names{"2", "nvswitch0", "3", "rail1.leaf0", "11"});
  CHECK(way(*superpod, 2, 17) == Names{"2", "nvswitch0", "3", "rail1.leaf0", "rail1.spine0", "rail1.leaf1", "17"});
  CHECK(superpod->tier(route_between(*superpod, 2, 11).links()[1]) == 0);
  CHECK(superpod->tier(route_between(*superpod, 2, 11).links()[2]) == 1);
}

TEST_CASE("oversubscription leaves a leaf fewer ports up") {
  // Two racks of 16 nodes of 8 GPUs: on each of 8 rails a leaf a rack, 16 ports of it down and 8 up.
  const auto racks = parse_topology("superpod:pods=32,gpus=8,trays=1,ports=24,oversubscription=2");
  CHECK(racks->spec() == "superpod:pods=32,gpus=8,trays=1,ports=24,oversubscription=2");
  const Census counted = census(*racks);
  CHECK(counted.switches == std::map<std::string, int>{{"nvswitch", 32}, {"leaf", 16}, {"spine", 8}});
  for (const auto& [pair, cables] : counted.leaf_to_spine) REQUIRE(cables == 8);
  CHECK(racks->properties().tiers[2].oversubscription == 2);
  CHECK(racks->properties().tiers[2].cables == 128);
  CHECK(racks->properties().bisection == 64);  // 8 links up from each of the 8 leaves of a rack
  CHECK(parse_topology("superpod:pods=4,gpus=4,trays=2,ports=6,oversubscription=1")->spec() ==
        "superpod:pods=4,gpus=4,trays=2,ports=6");
  CHECK_THAT(refusal("superpod:pods=4,gpus=8,trays=1,ports=24,oversubscription=4"),
             Catch::Contains("ports=24 cannot be 4 parts down and one up: the number divides by 5"));
  CHECK_THAT(refusal("superpod:pods=4,gpus=8,trays=1,oversubscription=0"), Catch::Contains("oversubscription"));
}

TEST_CASE("rails have no cable in common") {
  const auto superpod = parse_topology("superpod:pods=5,gpus=6,trays=3,ports=12");
  for (LinkId link = 0; link < superpod->links(); ++link) {
    if (superpod->tier(link) == 0) continue;
    const LinkEnds ends = superpod->ends(link);
    const auto rail = [&](VertexId v) {
      return v < superpod->endpoints() ? std::to_string(v % 2) : superpod->vertex_name(v).substr(4, 1);
    };
    CAPTURE(superpod->link_name(link));
    REQUIRE(rail(ends.from) == rail(ends.to));
  }
}

TEST_CASE("pod-local: all NICs of a pod go to one leaf") {
  const auto superpod = parse_topology("superpod:pods=4,gpus=72,trays=18,layout=pod-local");
  const Census counted = census(*superpod);
  CHECK(counted.switches == std::map<std::string, int>{{"nvswitch", 4}, {"leaf", 4}, {"spine", 2}});
  for (const auto& [pair, cables] : counted.leaf_to_spine) REQUIRE(cables == 36);
  CHECK(way(*superpod, 1, 75) == std::vector<std::string>{"1", "leaf0", "spine0", "leaf1", "75"});
  CHECK(superpod->group_tiers() == 2);
}

TEST_CASE("a superpod that does not come out even is refused with the arithmetic") {
  CHECK(refusal("superpod:pods=2,gpus=72,trays=17") ==
        "topology 'superpod:pods=2,gpus=72,trays=17': gpus=72 over trays=17 is 4.24 per tray, not a whole number; try "
        "superpod:pods=2,gpus=72,trays=18");
  CHECK_THAT(refusal("superpod:pods=2,gpus=70"), Catch::Contains("gpus=70 over trays of 4 is 17.5 trays"));
  CHECK_THAT(refusal("superpod:pods=2,gpus=72,trays=18,ports=32"),
             Catch::Contains("18 NICs of a pod do not fit a leaf with ports=32, 16 of them down"));
  CHECK_THAT(refusal("superpod:pods=2,gpus=80,layout=pod-local"), Catch::Contains("80 NICs of a pod do not fit"));
  CHECK_THAT(refusal("superpod:pods=2,ports=143"), Catch::Contains("the number is even"));
  CHECK_THAT(refusal("superpod:pods=600"), Catch::Contains("150 leaves are more than a spine of ports=144 can join"));
  CHECK_THAT(refusal("superpod:pods=2,layout=pods"), Catch::Contains("neither rails nor pod-local"));
  CHECK_THAT(refusal("superpod:pods=9000000000000000000"), Catch::Contains("too large"));
  CHECK(parse_topology("superpod:pods=2,gpus=8")->spec() == "superpod:pods=2,gpus=8,trays=2");
  CHECK(parse_topology("superpod:trays=3")->spec() == "superpod:pods=1,gpus=12,trays=3");
}

TEST_CASE("when every GPU sends to every other of its rail, the links of a tier carry the same") {
  const auto superpod = parse_topology("superpod:pods=4,gpus=6,trays=3,ports=12");
  std::vector<double> load(static_cast<std::size_t>(superpod->links()));
  for (VertexId from = 0; from < superpod->endpoints(); ++from) {
    for (VertexId to = from % 2; to < superpod->endpoints(); to += 2) {
      const Route route = route_between(*superpod, from, to);
      for (LinkId entry : route.links()) {
        const std::vector<LinkId> links = links_of(*superpod, entry);
        for (LinkId link : links) load[static_cast<std::size_t>(link)] += 1.0 / static_cast<double>(links.size());
      }
    }
  }
  std::map<int, double> of_tier;
  for (LinkId link = 0; link < superpod->links(); ++link) {
    const double expected = of_tier.emplace(superpod->tier(link), load[static_cast<std::size_t>(link)]).first->second;
    REQUIRE(load[static_cast<std::size_t>(link)] == Approx(expected));
  }
  CHECK(of_tier[0] == 2);          // the two siblings
  CHECK(of_tier[1] == 9);          // the NICs of three other pods
  CHECK(of_tier[2] == Approx(6));  // 36 messages, 6 NICs to the 6 of the other leaf, over 6 cables
}

TEST_CASE("a message to another rail is passed on by a GPU that has a rank") {
  // Pods of two trays of two GPUs: 0 to 3 and 4 to 7. GPU 0 is on rail 0, GPU 5 on rail 1.
  const auto superpod = parse_topology("superpod:pods=2,gpus=4,trays=2");
  using Way = std::vector<std::string>;
  const auto way_with = [&](const std::vector<VertexId>& gpus) { return way(*superpod->with_ranks_on(gpus), 0, 5); };
  const Way by_own_tray = {"0", "nvswitch0", "1", "rail1.leaf0", "5"};
  CHECK(way(*superpod, 0, 5) == by_own_tray);
  CHECK(way_with({0, 1, 5}) == by_own_tray);
  CHECK(way_with({0, 3, 4, 5}) == Way{"0", "nvswitch0", "3", "rail1.leaf0", "5"});
  CHECK(way_with({0, 2, 4, 5}) == Way{"0", "rail0.leaf0", "4", "nvswitch1", "5"});
  CHECK(way_with({0, 2, 5, 6}) == Way{"0", "rail0.leaf0", "6", "nvswitch1", "5"});
  CHECK(way_with({0, 5}) == by_own_tray);  // nobody else there
  // On one rail, or where all GPUs have a rank, nothing changes.
  CHECK(superpod->with_ranks_on(std::vector<VertexId>{0, 1, 2, 3, 4, 5, 6, 7}) == nullptr);
  CHECK(parse_topology("superpod:pods=2,gpus=4,trays=2,layout=pod-local")->with_ranks_on(std::vector<VertexId>{0, 5}) ==
        nullptr);
}

}  // namespace heddle
