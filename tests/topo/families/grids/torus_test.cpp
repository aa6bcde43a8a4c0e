// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.hpp"
#include "tests/topo/topology_examples.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {
namespace {

using Ways = std::vector<std::vector<VertexId>>;

/// The names of all links, by number.
std::vector<std::string> link_names(std::string_view spec) {
  const auto topology = parse_topology(spec);
  std::vector<std::string> names;
  for (LinkId link = 0; link < topology->links(); ++link) names.push_back(topology->link_name(link));
  return names;
}

}  // namespace

TEST_CASE("a ring's cables, counted by hand") {
  CHECK(link_names("ring:1").empty());
  // The way up and the way round are the same cable.
  CHECK(link_names("ring:2") == std::vector<std::string>{"0->1", "1->0"});
  CHECK(link_names("ring:3") == std::vector<std::string>{"0->1", "1->0", "1->2", "2->1", "2->0", "0->2"});
}

TEST_CASE("a mesh's cables, counted by hand") {
  CHECK(link_names("mesh:1").empty());
  CHECK(link_names("mesh:3") == std::vector<std::string>{"0->1", "1->0", "1->2", "2->1"});
  // 2 rows of 3: 3 cables down, then 2 in each row.
  CHECK(link_names("mesh:2x3") == std::vector<std::string>{"(0,0)->(1,0)", "(1,0)->(0,0)", "(0,1)->(1,1)", "(1,1)->(0,1)",
                                                           "(0,2)->(1,2)", "(1,2)->(0,2)", "(0,0)->(0,1)", "(0,1)->(0,0)",
                                                           "(0,1)->(0,2)", "(0,2)->(0,1)", "(1,0)->(1,1)", "(1,1)->(1,0)",
                                                           "(1,1)->(1,2)", "(1,2)->(1,1)"});
}

TEST_CASE("the links of a torus") {
  // 64 endpoints × 2 dimensions × 2 directions
  CHECK(parse_topology("torus:8x8")->links() == 256);
  // The dimension of size 2 has one cable for each of 4 pairs, the other has 2 rings of 4 cables.
  CHECK(parse_topology("torus:2x4")->links() == 2 * (4 + 8));
  // A dimension of size 1 has none.
  CHECK(parse_topology("torus:1x4x1")->links() == 8);
  // A hypercube: 16 · 4 / 2 cables
  CHECK(parse_topology("torus:2x2x2x2")->links() == 64);
}

TEST_CASE("endpoints count row-major, the last dimension fastest") {
  const auto torus = parse_topology("torus:8x8");
  CHECK(torus->vertex_name(0) == "(0,0)");
  CHECK(torus->vertex_name(1) == "(0,1)");
  CHECK(torus->vertex_name(8) == "(1,0)");
  CHECK(torus->vertex_name(3 * 8 + 4) == "(3,4)");
  CHECK(parse_topology("torus:8x8x4")->vertex_name(4) == "(0,1,0)");
  CHECK(parse_topology("ring:9")->vertex_name(7) == "7");
  CHECK(torus->link_name(route_between(*torus, 28, 29).links()[0]) == "(3,4)->(3,5)");
  CHECK(torus->link_name(route_between(*torus, 0, 7).links()[0]) == "(0,0)->(0,7)");
}

TEST_CASE("a ring routes the shortest way round") {
  const auto ring = parse_topology("ring:7");
  CHECK(ways(*ring, 5, 1) == Ways{{5, 6, 0, 1}});
  CHECK(ways(*ring, 1, 5) == Ways{{1, 0, 6, 5}});
  CHECK(ways(*ring, 2, 5) == Ways{{2, 3, 4, 5}});
  CHECK(ways(*ring, 5, 2) == Ways{{5, 4, 3, 2}});
  CHECK(ways(*ring, 4, 4).empty());
}

TEST_CASE("a mesh does not wrap around") {
  const auto mesh = parse_topology("mesh:5");
  CHECK(ways(*mesh, 0, 4) == Ways{{0, 1, 2, 3, 4}});
  CHECK(ways(*mesh, 4, 1) == Ways{{4, 3, 2, 1}});
}

TEST_CASE("routes take the first dimension first") {
  const auto mesh = parse_topology("mesh:4x4");
  // (1,1) down to (3,1), then right to (3,3)
  CHECK(ways(*mesh, 5, 15) == Ways{{5, 9, 13, 14, 15}});
  const auto torus = parse_topology("torus:5x5");
  // (0,0) up over the edge to (4,0), then left over the edge to (4,3)
  CHECK(ways(*torus, 0, 23) == Ways{{0, 20, 24, 23}});
}

TEST_CASE("half-way round an even ring both ways carry half") {
  const auto ring = parse_topology("ring:4");
  const Route route = route_between(*ring, 3, 1);
  CHECK(ways(*ring, 3, 1) == Ways{{3, 0, 1}, {3, 2, 1}});
  REQUIRE(route.paths().size() == 2);
  CHECK(route.paths()[0].share == 0.5);
  CHECK(route.paths()[1].share == 0.5);
  CHECK(ways(*ring, 3, 1, Routing::deterministic()) == Ways{{3, 0, 1}});
  CHECK(ways(*ring, 1, 3, Routing::deterministic()) == Ways{{1, 2, 3}});
}

TEST_CASE("a dimension of size 2 has one way, not two that tie") {
  const auto torus = parse_topology("torus:2x2");
  CHECK(ways(*torus, 0, 3) == Ways{{0, 2, 3}});
  CHECK(ways(*torus, 3, 0) == Ways{{3, 1, 0}});
}

TEST_CASE("ties in k dimensions split a message over 2^k ways of equal shares") {
  const auto torus = parse_topology("torus:4x3x4");
  // (0,0,0) to (2,1,2): the first and the last dimension tie, the middle one does not.
  const VertexId to = 2 * 12 + 1 * 4 + 2;
  CHECK(ways(*torus, 0, to) ==
        Ways{{0, 12, 24, 28, 29, 30}, {0, 36, 24, 28, 29, 30}, {0, 12, 24, 28, 31, 30}, {0, 36, 24, 28, 31, 30}});
  const Route route = route_between(*torus, 0, to);
  for (const Route::Path& path : route.paths()) CHECK(path.share == 0.25);
  CHECK(ways(*torus, 0, to, Routing::deterministic()) == Ways{{0, 12, 24, 28, 29, 30}});
}

TEST_CASE("properties of rings, tori and meshes, counted by hand") {
  struct Expected {
    std::string_view spec;
    int endpoints, cables, degree, diameter, bisection;
  };
  const Expected expected = GENERATE(values<Expected>({
      {"ring:1", 1, 0, 0, 0, 0},
      {"ring:2", 2, 1, 1, 1, 1},
      {"ring:3", 3, 3, 2, 1, 2},
      {"ring:16", 16, 16, 2, 8, 2},
      {"torus:8x8", 64, 128, 4, 8, 16},      // 2·N/d
      {"torus:8x4", 32, 64, 4, 6, 8},        // 2·N/d_max
      {"torus:2x4", 8, 12, 3, 3, 4},         // across the rings of 4, or across the 4 single cables
      {"torus:3x3", 9, 18, 4, 2, 8},         // 2·(3² - 1)/(3 - 1)
      {"torus:2x2x2", 8, 12, 3, 3, 4},       // a hypercube: N/2
      {"torus:8x8x4", 256, 768, 6, 10, 64},  // 2·N/d_max
      {"torus:1x5", 5, 5, 2, 2, 2},
      {"mesh:3", 3, 2, 2, 2, 1},
      {"mesh:4x4", 16, 24, 4, 6, 4},  // N/d_max
      {"mesh:3x3", 9, 12, 4, 4, 4},   // (3² - 1)/(3 - 1)
      {"mesh:2x2", 4, 4, 2, 2, 2},
      {"mesh:1x1", 1, 0, 0, 0, 0},
  }));
  CAPTURE(expected.spec);
  const TopologyProperties facts = parse_topology(expected.spec)->properties();
  CHECK(facts.endpoints == expected.endpoints);
  CHECK(facts.switches == 0);
  CHECK(facts.cables == expected.cables);
  CHECK(facts.degree == expected.degree);
  CHECK(facts.diameter == expected.diameter);
  CHECK(facts.bisection == expected.bisection);
  CHECK(facts.tiers.size() == 1);
}

TEST_CASE("rings, tori and meshes offer their grid") {
  const auto torus = parse_topology("torus:2x1x4");
  REQUIRE(torus->grid() != nullptr);
  CHECK(torus->grid()->dims() == std::vector<int>{2, 1, 4});
  CHECK(torus->grid()->wraps());
  CHECK(torus->is_direct());
  CHECK(parse_topology("ring:6")->grid()->dims() == std::vector<int>{6});
  CHECK(parse_topology("ring:6")->grid()->wraps());
  CHECK_FALSE(parse_topology("mesh:4x4")->grid()->wraps());
}

TEST_CASE("the largest tori are numbered to the last link") {
  // 2^28 endpoints, 2·2·2^28 links; nothing is allocated for them.
  const auto torus = parse_topology("torus:16384x16384");
  CHECK(torus->links() == 1'073'741'824);
  const VertexId last = torus->endpoints() - 1;
  CHECK(torus->ends(torus->links() - 1).from == last - 16383);
  CHECK(torus->ends(torus->links() - 1).to == last);
  CHECK(ways(*torus, last, 0) == Ways{{last, 16383, 0}});
  CHECK(torus->properties().diameter == 16384);

  const auto mesh = parse_topology("mesh:268435456");
  CHECK(mesh->links() == 536'870'910);
  CHECK(mesh->ends(mesh->links() - 2).to == 268'435'455);
}

}  // namespace heddle
