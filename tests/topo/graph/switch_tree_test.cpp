// SPDX-License-Identifier: Apache-2.0
#include "topo/graph/switch_tree.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>
#include <string>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/drawn.hpp"
#include "topo/placement/placement.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

namespace {

bool offers_alu(const Topology& topology, VertexId s) { return topology.offers(s).alu; }

std::optional<SwitchTree> tree_of(const Topology& topology, const std::vector<VertexId>& endpoints) {
  return switch_tree(SwitchGraph(topology), endpoints, [&](VertexId s) { return offers_alu(topology, s); });
}

std::vector<VertexId> all_endpoints(const Topology& topology) {
  std::vector<VertexId> endpoints(static_cast<std::size_t>(topology.endpoints()));
  std::iota(endpoints.begin(), endpoints.end(), 0);
  return endpoints;
}

/// Links join parents and children, both ways; each endpoint is a leaf, each inner node a switch that offers it.
void check_is_tree(const Topology& topology, const SwitchTree& tree, const std::vector<VertexId>& endpoints) {
  std::set<VertexId> vertices;
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const SwitchTree::Node& node = tree.nodes[n];
    RC_ASSERT(vertices.insert(node.vertex).second);
    const bool is_leaf = node.participant != SwitchTree::kNone;
    RC_ASSERT(is_leaf == (node.vertex < topology.endpoints()));
    if (is_leaf) {
      RC_ASSERT(endpoints[static_cast<std::size_t>(node.participant)] == node.vertex);
      RC_ASSERT(tree.leaves[static_cast<std::size_t>(node.participant)] == static_cast<int>(n));
    } else {
      RC_ASSERT(offers_alu(topology, node.vertex));
    }
    if (n == 0) continue;
    RC_ASSERT(node.parent >= 0 && node.parent < static_cast<int>(n));
    const VertexId above = tree.nodes[static_cast<std::size_t>(node.parent)].vertex;
    RC_ASSERT(topology.ends(node.up).from == node.vertex && topology.ends(node.up).to == above);
    RC_ASSERT(topology.ends(node.down).from == above && topology.ends(node.down).to == node.vertex);
  }
  RC_ASSERT(tree.leaves.size() == endpoints.size());
}

}  // namespace

TEST_CASE("on a star the tree is the switch and its ranks, in the order of its ports") {
  const auto star = parse_topology("star:5,alu");
  const std::optional<SwitchTree> tree = tree_of(*star, {4, 0, 2});
  REQUIRE(tree);
  CHECK(tree->depth() == 1);
  REQUIRE(tree->nodes.size() == 4);
  CHECK(tree->nodes[1].vertex == 0);
  CHECK(tree->nodes[2].vertex == 2);
  CHECK(tree->nodes[3].vertex == 4);
  CHECK(tree->leaves == std::vector<int>{3, 1, 2});
}

TEST_CASE("ranks of one leaf need the leaf alone, others a spine, and pods a core") {
  const auto clos = parse_topology("clos:hosts=4,leaves=4,spines=2,alu");
  CHECK(tree_of(*clos, {0, 1, 2, 3})->depth() == 1);
  CHECK(tree_of(*clos, {0, 1, 2, 4})->depth() == 2);
  CHECK(tree_of(*clos, all_endpoints(*clos))->depth() == 2);
  const auto fat = parse_topology("fattree:k=4,alu");
  CHECK(tree_of(*fat, {0, 1})->depth() == 1);
  CHECK(tree_of(*fat, {0, 2})->depth() == 2);
  CHECK(tree_of(*fat, all_endpoints(*fat))->depth() == 3);
}

TEST_CASE("a tree has only switches that offer it, and none where they do not join the ranks") {
  const auto leaves = parse_topology("clos:hosts=4,leaves=4,spines=2,alu=leaf");
  CHECK(tree_of(*leaves, {4, 5, 6}));
  CHECK_FALSE(tree_of(*leaves, {0, 4}));
  CHECK(first_outside(SwitchGraph(*leaves), std::vector<VertexId>{4, 5, 8, 9},
                      [&](VertexId s) { return offers_alu(*leaves, s); }) == std::size_t{2});
  const auto one_spine = parse_topology("clos:hosts=4,leaves=4,spines=2,alu=leaf+spine1");
  const std::optional<SwitchTree> tree = tree_of(*one_spine, {0, 4});
  REQUIRE(tree);
  CHECK(one_spine->vertex_name(tree->nodes[0].vertex) == "spine1");
}

TEST_CASE("any ranks on any tiers: a tree of least depth") {
  testing::property([] {
    const auto topology =
        parse_topology(drawn::one_of<std::string>({"star:9,alu", "clos:hosts=3,leaves=4,spines=3,alu", "fattree:k=4,alu",
                                                   "clos:hosts=3,leaves=4,spines=3,alu=leaf+spine1"}));
    std::vector<VertexId> endpoints = all_endpoints(*topology);
    for (std::size_t i = endpoints.size() - 1; i > 0; --i)
      std::swap(endpoints[i], endpoints[drawn::number<std::size_t>(0, i + 1)]);
    endpoints.resize(drawn::number<std::size_t>(1, endpoints.size() + 1));
    const std::optional<SwitchTree> tree = tree_of(*topology, endpoints);
    RC_ASSERT(tree.has_value());
    check_is_tree(*topology, *tree, endpoints);
    int apart = 0;  // of these fabrics: a way of d links between two endpoints passes the tree's root at half way
    for (const VertexId to : endpoints) {
      Route route;
      topology->route(endpoints[0], to, Routing::deterministic(), route);
      apart = std::max(apart, static_cast<int>(route.links().size()));
    }
    RC_ASSERT(tree->depth() == std::max(1, apart / 2));
  });
}

TEST_CASE("what switches offer, in a topology's text") {
  for (const std::string spec : {"star:4,alu", "star:4,alu=s0,multicast", "clos:hosts=4,leaves=2,spines=2,a2a=leaf+spine0",
                                 "star:72,alu,multicast,a2a,radix=64,align=128,precision=bf16"}) {
    const std::string canonical = parse_topology(spec)->spec();
    CHECK(parse_topology(canonical)->spec() == canonical);
  }
  CHECK(parse_topology("star:72,precision=f16,radix=64,alu")->spec() == "star:72,alu,radix=64,precision=f16");
  const auto clos = parse_topology("clos:hosts=4,leaves=2,spines=2,alu=leaf+spine0,multicast=spine,align=16");
  std::string alu;
  for (VertexId s = clos->endpoints(); s < clos->endpoints() + clos->switches(); ++s) {
    const SwitchOffers& offers = clos->offers(s);
    if (offers.alu) alu += clos->vertex_name(s) + ' ';
    CHECK(offers.multicast == clos->vertex_name(s).starts_with("spine"));
    CHECK_FALSE(offers.scatter_gather);
    CHECK(offers.alignment == (offers.computes() ? 16 : 1));
  }
  CHECK(alu == "leaf0 leaf1 spine0 ");
}

}  // namespace heddle
