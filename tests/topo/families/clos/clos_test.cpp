// SPDX-License-Identifier: Apache-2.0
// Leaf-spine, three tiers and the fat-tree: counted from the built graph, and the arithmetic of their specs.
#include <algorithm>
#include <map>
#include <set>

#include "tests/catch.hpp"
#include "tests/topo/every_walk.hpp"
#include "tests/topo/topology_examples.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

namespace {

std::string canonical(std::string_view spec) { return parse_topology(spec)->spec(); }

std::vector<std::string> names_of(const Topology& topology, const Route& route) {
  std::vector<std::string> names;
  for (LinkId link : route.links()) names.push_back(topology.link_name(link));
  return names;
}

/// How many cables each vertex has at its end.
std::vector<int> ports(const Topology& topology) {
  std::vector<int> ports(static_cast<std::size_t>(topology.endpoints() + topology.switches()));
  for (LinkId link = 0; link < topology.links(); ++link) ++ports[static_cast<std::size_t>(topology.ends(link).from)];
  return ports;
}

}  // namespace

TEST_CASE("the leaf-spine of the explainer, counted") {
  // Collectives Explainer 03, §1: N = 16, L = 4, S = 2: 8 leaf-spine cables, s = 4/2 = 2, 2 links in a leaf, 4 across.
  const auto clos = parse_topology("clos:hosts=4,leaves=4,spines=2");
  const TopologyProperties facts = clos->properties();
  CHECK(facts.switches == 6);
  CHECK(facts.cables == 16 + 8);
  CHECK(facts.diameter == 4);
  CHECK(facts.bisection == 4);  // 16/2 hosts over s
  REQUIRE(facts.tiers.size() == 2);
  CHECK(facts.tiers[1].cables == 8);
  CHECK(facts.tiers[1].oversubscription == 2);
  CHECK_FALSE(clos->is_direct());

  CHECK(names_of(*clos, route_between(*clos, 4, 7)) == std::vector<std::string>{"4->leaf1", "leaf1->7"});
  CHECK(route_between(*clos, 0, 15).links().size() == 4);
  CHECK(names_of(*clos, route_between(*clos, 0, 15, Routing::deterministic())) ==
        std::vector<std::string>{"0->leaf0", "leaf0->spine0", "spine0->leaf3", "leaf3->15"});
  CHECK(clos->group_tiers() == 2);
  CHECK(clos->group(11, 0) == 2);
}

TEST_CASE("what a Clos spec leaves out is derived") {
  const std::string sixteen = "clos:hosts=4,leaves=4,spines=2";
  CHECK(canonical("clos:hosts=4,leaves=4,oversubscription=2") == sixteen);
  CHECK(canonical("clos:leaves=4,spines=2,oversubscription=2") == sixteen);
  CHECK(canonical("clos:spines=2,oversubscription=2,leaves=4,hosts=4,cables=1") == sixteen);
  CHECK(canonical("clos:hosts=16,leaves=8,spines=4,cables=2,oversubscription=2") == "clos:hosts=16,leaves=8,spines=4,cables=2");
  CHECK(canonical("clos:hosts=8,leaves=2,spines=2,oversubscription=1") == "clos:hosts=8,leaves=2,spines=2,cables=4");
  CHECK(canonical("clos:hosts=4,leaves=4") == "clos:hosts=4,leaves=4,spines=4");
  CHECK(canonical("clos:leaves=4,spines=4,oversubscription=1.5") == "clos:hosts=6,leaves=4,spines=4");
  // 2 pods of 4 leaves of 4 hosts and 4 spines, 4 cables up from a spine.
  CHECK(canonical("clos:hosts=4,leaves=4,pods=2") == "clos:hosts=4,leaves=4,spines=4,pods=2,cores=4");
  CHECK(canonical("clos:hosts=4,leaves=4,pods=2,core_oversubscription=2") == "clos:hosts=4,leaves=4,spines=4,pods=2,cores=2");
  CHECK(canonical("clos:hosts=4,leaves=4,pods=2,cores=2,core_oversubscription=1") ==
        "clos:hosts=4,leaves=4,spines=4,pods=2,cores=2,core_cables=2");
  CHECK(canonical("clos:hosts=4,leaves=4,pods=2,planes=4") == "clos:hosts=4,leaves=4,spines=4,pods=2,cores=16,planes=4");
}

TEST_CASE("a Clos spec that contradicts itself is refused with the arithmetic") {
  const auto says = [](const std::string& text) { return Catch::Contains(text); };
  CHECK(refusal("clos:hosts=16,leaves=8,spines=4,cables=3,oversubscription=2") ==
        "topology 'clos:hosts=16,leaves=8,spines=4,cables=3,oversubscription=2': 16 hosts per leaf over 4 spines x 3 cables is "
        "oversubscription 1.33, not 2; try clos:hosts=16,leaves=8,spines=4");
  CHECK_THAT(refusal("clos:hosts=4,leaves=4,spines=2,oversubscription=4"),
             says("4 hosts per leaf at oversubscription 4 over 2 spines is 0.5 cables each"));
  CHECK_THAT(refusal("clos:hosts=4,leaves=4,spines=2,cables=1,oversubscription=3"),
             says("4 hosts per leaf over 2 spines x 1 cable is oversubscription 2, not 3"));
  CHECK_THAT(refusal("clos:hosts=16,leaves=4,oversubscription=3"), says("is 5.33 spines"));
  CHECK_THAT(refusal("clos:hosts=2,leaves=4,spines=2,pods=2,cores=3,core_cables=1,core_oversubscription=2"),
             says("4 cables down over 3 cores x 1 cable is core_oversubscription 1.33, not 2"));
  CHECK_THAT(refusal("clos:hosts=2,leaves=4,spines=2,pods=2,cores=4,planes=3"), says("spines=2 over planes=3 is 0.667"));
  CHECK_THAT(refusal("clos:hosts=2,leaves=8,spines=4,cores=2"), says("pods is missing"));
  CHECK_THAT(refusal("clos:hosts=16"), says("leaves is missing"));
  CHECK_THAT(refusal("clos:leaves=16"), says("hosts on each leaf, or spines, or both are needed"));
  CHECK_THAT(refusal("clos:hosts=4,leaves=4,spines=2,oversubscription=x"), says("'x' is not a number above 0"));
  CHECK_THAT(refusal("clos:hosts=16,leaves=4,spinez=4"), says("did you mean 'spines'"));
  CHECK_THAT(refusal("clos:hosts=1,leaves=9000000000000000000,spines=9000000000000000000"), says("endpoints"));
  CHECK_THAT(refusal("clos:hosts=1,leaves=100000000,spines=100000000"), says("links"));
  CHECK_THAT(refusal("fattree:k=7"), says("k is even"));
  CHECK_THAT(refusal("fattree:"), says("k"));
  CHECK_THAT(refusal("fattree:k=4000000000"), says("endpoints"));
}

TEST_CASE("fat-trees count what Al-Fares' table says") {
  // Collectives Explainer 03, Appendix B.2: k pods of k/2 edge and k/2 aggregation switches, (k/2)² cores, k³/4 endpoints, k
  // ports at every switch.
  struct Row {
    int k, of_a_pod, cores, of_edge, endpoints, switches;
  };
  const Row row = GENERATE(Row{4, 2, 4, 2, 16, 20}, Row{48, 24, 576, 24, 27648, 2880});
  const auto tree = parse_topology("fattree:k=" + std::to_string(row.k));
  REQUIRE(tree->endpoints() == row.endpoints);
  REQUIRE(tree->switches() == row.switches);
  std::map<std::string, int> of_kind;
  for (VertexId v = row.endpoints; v < row.endpoints + row.switches; ++v) {
    const std::string name = tree->vertex_name(v);
    ++of_kind[name.substr(0, name.find_first_of("0123456789"))];
  }
  CHECK(of_kind ==
        std::map<std::string, int>{{"edge", row.k * row.of_a_pod}, {"agg", row.k * row.of_a_pod}, {"core", row.cores}});
  const std::vector<int> at = ports(*tree);
  CHECK(std::all_of(at.begin(), at.begin() + row.endpoints, [](int n) { return n == 1; }));
  CHECK(std::all_of(at.begin() + row.endpoints, at.end(), [&](int n) { return n == row.k; }));
  const TopologyProperties facts = tree->properties();
  CHECK(facts.bisection == row.endpoints / 2);
  for (const TierProperties& tier : facts.tiers) CHECK(tier.oversubscription == 1);
  std::map<int, int> in_edge, in_pod;
  for (VertexId v = 0; v < row.endpoints; ++v) {
    ++in_edge[tree->group(v, 0)];
    ++in_pod[tree->group(v, 1)];
  }
  CHECK(in_edge.size() == static_cast<std::size_t>(row.k * row.of_a_pod));
  CHECK(in_edge[0] == row.of_edge);
  CHECK(in_pod.size() == static_cast<std::size_t>(row.k));
}

TEST_CASE("core C(i,j) has one cable to aggregation switch j of each pod") {
  const auto tree = parse_topology("fattree:k=6");
  std::map<std::string, std::multiset<std::string>> below;
  for (LinkId link = 0; link < tree->links(); ++link) {
    const LinkEnds ends = tree->ends(link);
    if (tree->tier(link) == 2 && ends.from > ends.to) below[tree->vertex_name(ends.from)].insert(tree->vertex_name(ends.to));
  }
  REQUIRE(below.size() == 9);
  for (const auto& [core, aggregations] : below) {
    std::multiset<std::string> expected;
    for (int pod = 0; pod < 6; ++pod) expected.insert("agg" + std::to_string(pod) + core.substr(core.find('.')));
    CHECK(aggregations == expected);
  }
}

TEST_CASE("a Clos of 8,192 endpoints has three tiers at full bisection") {
  // 16 pods of 16 leaves of 32 hosts, 16 spines with 2 cables to each leaf and one to each of 32 cores.
  const auto clos = parse_topology("clos:hosts=32,leaves=16,spines=16,cables=2,pods=16,cores=32");
  const TopologyProperties facts = clos->properties();
  CHECK(facts.endpoints == 8192);
  CHECK(facts.switches == 16 * (16 + 16) + 32);
  REQUIRE(facts.tiers.size() == 3);
  for (const TierProperties& tier : facts.tiers) {
    CHECK(tier.cables == 8192);
    CHECK(tier.oversubscription == 1);
  }
  CHECK(facts.bisection == 4096);
}

TEST_CASE("a trunk is the even spread over all shortest walks") {
  // Of every message, on every link.
  const std::string_view spec = GENERATE("clos:hosts=3,leaves=3,spines=2,cables=2", "fattree:k=4",
                                         "clos:hosts=2,leaves=4,spines=2,pods=2,cores=3,core_cables=2",
                                         "clos:hosts=2,leaves=2,spines=4,pods=3,cores=6,planes=2");
  CAPTURE(spec);
  const auto clos = parse_topology(spec);
  std::map<VertexId, std::vector<LinkId>> leaving;
  for (LinkId link = 0; link < clos->links(); ++link) leaving[clos->ends(link).from].push_back(link);
  for (VertexId to = 1; to < clos->endpoints(); ++to) {
    const Route route = route_between(*clos, 0, to);
    // All walks of the route's length, found in the graph without the route.
    std::vector<std::vector<LinkId>> walks = {{}};
    for (std::size_t length = 0; length < route.links().size(); ++length) {
      std::vector<std::vector<LinkId>> longer;
      for (const std::vector<LinkId>& walk : walks) {
        for (LinkId link : leaving[walk.empty() ? 0 : clos->ends(walk.back()).to]) {
          longer.push_back(walk);
          longer.back().push_back(link);
        }
      }
      walks = std::move(longer);
    }
    std::erase_if(walks, [&](const std::vector<LinkId>& walk) { return clos->ends(walk.back()).to != to; });
    std::map<LinkId, double> load;
    for (const std::vector<LinkId>& walk : walks) {
      for (LinkId link : walk) load[link] += 1.0 / static_cast<double>(walks.size());
    }
    std::map<LinkId, double> of_trunks;
    for (LinkId entry : route.links()) {
      const std::vector<LinkId> links = links_of(*clos, entry);
      for (LinkId link : links) of_trunks[link] += 1.0 / static_cast<double>(links.size());
    }
    REQUIRE(load.size() == of_trunks.size());
    for (const auto& [link, carried] : load) REQUIRE(carried == Approx(of_trunks[link]));
    REQUIRE(walks.size() == walks_of(*clos, 0, route, route.paths()[0]).size());
  }
}

TEST_CASE("when everyone sends to everyone, the links of a tier of a Clos carry the same") {
  const std::string_view spec = GENERATE("clos:hosts=4,leaves=3,spines=2,cables=2", "fattree:k=4",
                                         "clos:hosts=2,leaves=4,spines=2,pods=2,cores=3,core_cables=2");
  CAPTURE(spec);
  const auto clos = parse_topology(spec);
  const std::vector<double> load = all_to_all_loads(*clos);
  std::map<int, double> of_tier;
  for (LinkId link = 0; link < clos->links(); ++link) {
    const double expected = of_tier.emplace(clos->tier(link), load[static_cast<std::size_t>(link)]).first->second;
    REQUIRE(load[static_cast<std::size_t>(link)] == Approx(expected));
  }
}

TEST_CASE("flows are hashed by seed and fall on all uplinks") {
  const auto clos = parse_topology("clos:hosts=16,leaves=2,spines=2,cables=2,pods=2,cores=4");
  std::map<LinkId, int> flows;
  bool seeds_differ = false;
  for (VertexId from = 0; from < 64; ++from) {
    for (VertexId to = 0; to < 64; ++to) {
      const Route route = route_between(*clos, from, to, Routing::ecmp(3));
      REQUIRE(route.links() == route_between(*clos, from, to, Routing::ecmp(3)).links());
      seeds_differ |= route.links() != route_between(*clos, from, to, Routing::ecmp(4)).links();
      for (LinkId link : route.links()) ++flows[link];
    }
  }
  CHECK(seeds_differ);
  // Each of the four leaves sends 16·48 flows up its 4 cables, 192 on each if the hash were even; binomial, σ = 12.
  for (LinkId link = 0; link < clos->links(); ++link) {
    CAPTURE(clos->link_name(link), flows[link]);
    if (clos->tier(link) == 1 && clos->ends(link).from < clos->ends(link).to) CHECK(std::abs(flows[link] - 192) < 60);
    CHECK(flows[link] > 0);
  }
}

TEST_CASE("a star's routes go up to the switch and down") {
  const auto star = parse_topology("star:5");
  CHECK(star->links() == 10);
  CHECK(star->switches() == 1);
  CHECK_FALSE(star->is_direct());
  CHECK(star->grid() == nullptr);

  const Route route = route_between(*star, 3, 1);
  REQUIRE(route.links().size() == 2);
  CHECK(star->link_name(route.links()[0]) == "3->s0");
  CHECK(star->link_name(route.links()[1]) == "s0->1");
  CHECK(ways(*star, 3, 1) == std::vector<std::vector<VertexId>>{{3, 5, 1}});
  CHECK(ways(*star, 2, 2).empty());
}

TEST_CASE("properties of stars, counted by hand") {
  const TopologyProperties one = parse_topology("star:1")->properties();
  CHECK((one.endpoints == 1 && one.switches == 1 && one.cables == 1 && one.degree == 1 && one.diameter == 0 &&
         one.bisection == 0));
  const TopologyProperties two = parse_topology("star:2")->properties();
  CHECK((two.endpoints == 2 && two.switches == 1 && two.cables == 2 && two.degree == 1 && two.diameter == 2 &&
         two.bisection == 1));
  const TopologyProperties many = parse_topology("star:73")->properties();
  CHECK((many.endpoints == 73 && many.cables == 73 && many.degree == 1 && many.diameter == 2 && many.bisection == 36));
}

}  // namespace heddle
