// SPDX-License-Identifier: Apache-2.0
// HyperX, HammingMesh, hypercube, twisted torus and products: their routes, numbers and errors; speeds by dimension.
#include <algorithm>
#include <set>

#include "tests/catch.hpp"
#include "tests/topo/topology_examples.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

namespace {

std::string names(const Topology& topology, const std::vector<VertexId>& way) {
  std::string text;
  for (VertexId vertex : way) text += (text.empty() ? "" : " ") + topology.vertex_name(vertex);
  return text;
}

std::set<std::string> all_names(const Topology& topology, VertexId from, VertexId to) {
  std::set<std::string> result;
  for (const std::vector<VertexId>& way : ways(topology, from, to)) result.insert(names(topology, way));
  return result;
}

}  // namespace

TEST_CASE("a HyperX route changes each coordinate once, in every order") {
  const auto topology = parse_topology("hyperx:4x4");
  CHECK(all_names(*topology, 0, 15) == std::set<std::string>{"(0,0) (3,0) (3,3)", "(0,0) (0,3) (3,3)"});
  CHECK(all_names(*topology, 0, 3) == std::set<std::string>{"(0,0) (0,3)"});
  CHECK(names(*topology, ways(*topology, 0, 15, Routing::deterministic())[0]) == "(0,0) (3,0) (3,3)");
  CHECK(ways(*parse_topology("hyperx:2x3x4"), 0, 23).size() == 6);
  CHECK(ways(*parse_topology("hyperx:2x2x2x2"), 0, 15).size() == 24);
  // Of more than four coordinates, one order begins with each.
  std::set<VertexId> first;
  for (const std::vector<VertexId>& way : ways(*parse_topology("hyperx:2x2x2x2x2"), 0, 31)) first.insert(way[1]);
  CHECK(first == std::set<VertexId>{1, 2, 4, 8, 16});
}

TEST_CASE("when everyone sends to everyone on a HyperX, every link along a dimension carries the same") {
  // Of N² messages, N²·(d-1)/d change a coordinate of a dimension of size d, over N·(d-1) links: load = N/d.
  const std::string_view spec = GENERATE("hyperx:8x8", "hyperx:2x3x4", "hyperx:7", "hyperx:3x1x5", "hyperx:2x3x2x2x2");
  CAPTURE(spec);
  const auto topology = parse_topology(spec);
  const Grid& grid = *topology->grid();
  const std::vector<double> load = all_to_all_loads(*topology);
  for (LinkId link = 0; link < topology->links(); ++link) {
    const LinkEnds ends = topology->ends(link);
    for (int d = 0; d < grid.dimensions(); ++d) {
      if (grid.coordinate(Rank(ends.from), d) == grid.coordinate(Rank(ends.to), d)) continue;
      CHECK(load[static_cast<std::size_t>(link)] == Approx(grid.size() / grid.dims()[static_cast<std::size_t>(d)]));
    }
  }
}

TEST_CASE("HyperX in numbers") {
  const TopologyProperties facts = parse_topology("hyperx:64x64")->properties();
  CHECK(facts.endpoints == 4096);
  CHECK(facts.degree == 126);
  CHECK(facts.diameter == 2);
  CHECK(facts.cables == 4096 * 126 / 2);
  CHECK(facts.bisection == 64 * 32 * 32);
}

TEST_CASE("a HammingMesh route leaves a board by the nearer edge and passes the switch of its line") {
  // Rows of 2x4 boards, two by two; (r,c) is endpoint 8r + c.
  const auto topology = parse_topology("hxmesh:board=2x4,grid=2x2");
  REQUIRE(topology->endpoints() == 32);
  CHECK(topology->switches() == 8 + 4);
  CHECK(all_names(*topology, 1, 2) == std::set<std::string>{"(0,1) (0,2)"});
  CHECK(all_names(*topology, 1, 7) == std::set<std::string>{"(0,1) (0,0) y0 (0,7)"});
  // From one edge of a board to the other, the switch is the shorter way.
  CHECK(all_names(*topology, 0, 3) == std::set<std::string>{"(0,0) y0 (0,3)"});
  CHECK(all_names(*topology, 0, 2) == std::set<std::string>{"(0,0) (0,1) (0,2)"});
  CHECK(all_names(*topology, 0, 28) == std::set<std::string>{"(0,0) x0 (3,0) y3 (3,4)", "(0,0) y0 (0,4) x4 (3,4)"});
  CHECK(names(*topology, ways(*topology, 0, 28, Routing::deterministic())[0]) == "(0,0) x0 (3,0) y3 (3,4)");
  CHECK(topology->group(0, 0) == topology->group(8 + 3, 0));
  CHECK(topology->group(0, 0) != topology->group(4, 0));
  CHECK(topology->group(0, 0) != topology->group(16, 0));
}

TEST_CASE("the HammingMesh of 4,096 endpoints in numbers") {
  // Swing, §5.4.1: 2x2 boards on a grid of 32x32. Each row and column has 64 ports on its switch.
  const auto topology = parse_topology("hxmesh:board=2x2,grid=32x32");
  const TopologyProperties facts = topology->properties();
  CHECK(facts.endpoints == 4096);
  CHECK(facts.switches == 128);
  CHECK(facts.degree == 4);
  CHECK(facts.tiers[0].cables == 1024 * 4);
  CHECK(facts.tiers[1].cables == 128 * 64);
  CHECK(facts.diameter == 2 * 2);  // every endpoint of a 2x2 board is at an edge: to the switch and down, twice
  // Half of a row's ports, in each of 64 rows.
  CHECK(facts.bisection == 64 * 32);
  CHECK(topology->grid()->dims() == std::vector<int>{64, 64});
  CHECK(topology->grid()->wraps());
  CHECK_FALSE(parse_topology("hxmesh:board=4x4,grid=1x4")->grid()->wraps());
}

TEST_CASE("boards of one endpoint have the short ways of a HyperX, through a switch") {
  const auto meshes = parse_topology("hxmesh:board=1x1,grid=4x5");
  const auto hyperx = parse_topology("hyperx:4x5");
  for (VertexId from = 0; from < 20; ++from) {
    for (VertexId to = 0; to < 20; ++to) {
      const auto through_switches = ways(*meshes, from, to, Routing::deterministic());
      const auto direct = ways(*hyperx, from, to, Routing::deterministic());
      REQUIRE(through_switches.size() == direct.size());
      if (from != to) CHECK(through_switches[0].size() - 1 == 2 * (direct[0].size() - 1));
    }
  }
}

TEST_CASE("a hypercube is joined where one bit differs, and routed bit by bit") {
  const auto cube = parse_topology("hypercube:4");
  REQUIRE(cube->endpoints() == 16);
  for (LinkId link = 0; link < cube->links(); ++link) {
    const int differs = cube->ends(link).from ^ cube->ends(link).to;
    CHECK((differs & (differs - 1)) == 0);
  }
  CHECK(ways(*cube, 0b0000, 0b1011) == std::vector<std::vector<VertexId>>{{0b0000, 0b1000, 0b1010, 0b1011}});
  const TopologyProperties facts = parse_topology("hypercube:6")->properties();
  CHECK(facts.cables == 64 * 6 / 2);
  CHECK(facts.degree == 6);
  CHECK(facts.diameter == 6);
  CHECK(facts.bisection == 32);
}

TEST_CASE("on a torus a hash takes flows both ways round where they tie") {
  const auto ring = parse_topology("ring:8");
  std::set<std::vector<VertexId>> second;
  for (VertexId from = 0; from < 8; ++from) {
    const auto way = ways(*ring, from, (from + 4) % 8, Routing::ecmp(1));
    REQUIRE(way.size() == 1);
    second.insert({(way[0][1] - from + 8) % 8});
  }
  CHECK(second == std::set<std::vector<VertexId>>{{1}, {7}});
}

TEST_CASE("what is wrong with a HyperX, HammingMesh or hypercube is said") {
  CHECK(refusal("hypercube:29") == "topology 'hypercube:29': 29 dimensions are more than 28; try hypercube:6");
  CHECK(refusal("hypercube:2x2") == "topology 'hypercube:2x2': one size is expected, not 2; try hypercube:6");
  CHECK(refusal("hxmesh:board=2x2") == "topology 'hxmesh:board=2x2': 'grid=' is missing; try hxmesh:board=2x2,grid=32x32");
  CHECK_THAT(refusal("hxmesh:board=2x2x2,grid=4x4"), Catch::Contains("board=2x2x2 has 3 sizes, not 2"));
  CHECK_THAT(refusal("hxmesh:2x2,grid=4x4"), Catch::Contains("'board=' is missing"));
  CHECK_THAT(refusal("hyperx:"), Catch::Contains("a size is missing"));
  CHECK_THAT(refusal("hyperx:100000x2"), Catch::Contains("links, at most"));
  CHECK_THAT(refusal("hxmesh:board=1000x1000,grid=100000x100000"), Catch::Contains("1e+16 endpoints"));
}

TEST_CASE("a full mesh has a cable between every two endpoints") {
  const auto mesh = parse_topology("fullmesh:3");
  REQUIRE(mesh->links() == 6);
  std::vector<std::string> names;
  for (LinkId link = 0; link < 6; ++link) names.push_back(mesh->link_name(link));
  CHECK(names == std::vector<std::string>{"0->1", "0->2", "1->0", "1->2", "2->0", "2->1"});
  CHECK(ways(*mesh, 2, 0) == std::vector<std::vector<VertexId>>{{2, 0}});
  CHECK(ways(*mesh, 1, 1).empty());
  CHECK(mesh->is_direct());
  CHECK(mesh->grid() == nullptr);
}

TEST_CASE("properties of full meshes, counted by hand") {
  const TopologyProperties one = parse_topology("fullmesh:1")->properties();
  CHECK((one.endpoints == 1 && one.cables == 0 && one.degree == 0 && one.diameter == 0 && one.bisection == 0));
  const TopologyProperties two = parse_topology("fullmesh:2")->properties();
  CHECK((two.endpoints == 2 && two.cables == 1 && two.degree == 1 && two.diameter == 1 && two.bisection == 1));
  const TopologyProperties seven = parse_topology("fullmesh:7")->properties();
  CHECK((seven.endpoints == 7 && seven.cables == 21 && seven.degree == 6 && seven.diameter == 1 && seven.bisection == 3 * 4));
}

TEST_CASE("the largest full mesh is numbered to the last link") {
  const auto mesh = parse_topology("fullmesh:46341");
  CHECK(mesh->links() == 2'147'441'940);
  CHECK(mesh->ends(mesh->links() - 1).from == 46340);
  CHECK(mesh->ends(mesh->links() - 1).to == 46339);
  CHECK(route_between(*mesh, 46340, 46339).links() == std::vector<LinkId>{mesh->links() - 1});
  CHECK(mesh->properties().bisection == 23170 * 23171);
}

TEST_CASE("speeds by dimension: a way takes as long as its links, and carries what the slowest does") {
  // (0,0) to (2,1): two links of 1 us and one of 2 us; 25 GB/s along the second dimension. To (2,0): 2 us, 100 GB/s.
  const std::string_view spec = GENERATE("torus:8x4", "mesh:8x4", "torus:8x1x4");
  CAPTURE(spec);
  const auto topology = parse_topology(spec)->by_dimension();
  REQUIRE(topology != nullptr);
  CHECK(topology->spec() == spec);
  FabricSettings settings;
  settings.tiers = {{.bandwidth = Bandwidth(100e9), .latency = Time::ps(1'000'000)},
                    {.bandwidth = Bandwidth(25e9), .latency = Time::ps(2'000'000)}};
  const Fabric fabric(topology, settings);
  CHECK(message_cost(fabric, 0, 2 * 4 + 1).latency == Approx(4e-6));
  CHECK(message_cost(fabric, 0, 2 * 4 + 1).seconds_per_byte == Approx(1 / 25e9));
  CHECK(message_cost(fabric, 0, 2 * 4).latency == Approx(2e-6));
  CHECK(message_cost(fabric, 0, 2 * 4).seconds_per_byte == Approx(1 / 100e9));
  int cables = 0;
  for (const TierProperties& tier : topology->properties().tiers) cables += tier.cables;
  CHECK(cables == topology->properties().cables);
  // Of one dimension, and of fabrics that have tiers, there is nothing to tell apart.
  for (const char* other : {"ring:8", "torus:5", "hyperx:6", "star:4", "hxmesh:board=2x2,grid=2x2"})
    CHECK(parse_topology(other)->by_dimension() == nullptr);
}

TEST_CASE("on a HyperX of several speeds both orders of two dimensions are as wide") {
  FabricSettings settings;
  settings.tiers = {{.bandwidth = Bandwidth(100e9)}, {.bandwidth = Bandwidth(25e9)}};
  // Half of the message on each way, each of which is as fast as its slower link.
  CHECK(message_cost(Fabric(parse_topology("hyperx:4x4")->by_dimension(), settings), 0, 15).seconds_per_byte ==
        Approx(0.5 / 25e9));
}

TEST_CASE("a twisted torus: the end of a line leads to the line that is so many further on") {
  const auto topology = parse_topology("torus:8x4,twist=4");
  CHECK(topology->spec() == "torus:8x4,twist=4");
  CHECK(all_names(*topology, 3, 4 * 4) == std::set<std::string>{"(0,3) (4,0)"});
  CHECK(all_names(*topology, 0, 4 * 4 + 3) == std::set<std::string>{"(0,0) (4,3)"});
  // Five steps on the torus without a twist; over the seam three.
  CHECK(all_names(*topology, 1, 4 * 4 + 3) == std::set<std::string>{"(0,1) (0,0) (4,3)"});
  // Two turns round the second dimension are as short as two steps along the first.
  CHECK(all_names(*parse_topology("torus:8x2,twist=1"), 0, 2 * 2).size() == 1);
  CHECK(all_names(*parse_topology("torus:9x2,twist=2"), 0, 2 * 2) ==
        std::set<std::string>{"(0,0) (1,0) (2,0)", "(0,0) (0,1) (2,0)"});
  // Cámara et al.: of 2a x a nodes the twist of a makes the diameter a, where it is 3a/2 without, and the narrowest cut 4a, not 2a.
  for (const int a : {2, 4, 6, 8}) {
    const std::string sizes = "torus:" + std::to_string(2 * a) + "x" + std::to_string(a);
    CHECK(parse_topology(sizes)->properties().diameter == 3 * a / 2);
    const TopologyProperties twisted = parse_topology(sizes + ",twist=" + std::to_string(a))->properties();
    CHECK(twisted.diameter == a);
    CHECK(twisted.bisection == 4 * a);
    CHECK(twisted.cables == 4 * a * a);
    CHECK(twisted.degree == 4);
  }
}

TEST_CASE("on Cámara's torus of a, 4k endpoints are k < a steps away, and all others a") {
  const auto topology = parse_topology("torus:8x4,twist=4");
  std::vector<int> away(5);
  for (VertexId to = 0; to < 32; ++to)
    ++away[ways(*topology, 0, to, Routing::deterministic()).empty() ? 0 : ways(*topology, 0, to).front().size() - 1];
  CHECK(away == std::vector{1, 4, 8, 12, 7});
}

TEST_CASE("what is no twisted torus is refused") {
  CHECK(refusal("torus:8,twist=2") ==
        "topology 'torus:8,twist=2': twist is for two dimensions, not 1, as in torus:8x4,twist=4; try torus:8x8x4");
  CHECK(refusal("torus:8x4,twist=8") ==
        "topology 'torus:8x4,twist=8': twist=8 of a first dimension of 8: a number from 1 to 7 is needed; try torus:8x8x4");
  CHECK(refusal("torus:1x4,twist=1").find("at least 2") != std::string::npos);
  CHECK(refusal("torus:200x2,twist=3").find("at most 64 times") != std::string::npos);
  CHECK(refusal("mesh:8x4,twist=4").find("unknown field 'twist'") != std::string::npos);
}

TEST_CASE("a product of a ring and a star") {
  const auto topology = parse_topology("ring:4*star:3");
  CHECK(topology->spec() == "ring:4*star:3");
  CHECK(topology->endpoints() == 12);
  CHECK(topology->switches() == 4);
  CHECK(all_names(*topology, 0, 2) == std::set<std::string>{"(0,0) d1.0 (0,2)"});
  CHECK(all_names(*topology, 0, 3 + 2) == std::set<std::string>{"(0,0) (1,0) d1.1 (1,2)"});
  CHECK(all_names(*topology, 0, 2 * 3) == std::set<std::string>{"(0,0) (1,0) (2,0)", "(0,0) (3,0) (2,0)"});
  CHECK(topology->grid()->dims() == std::vector{4, 3});
  CHECK(topology->grid()->wraps());
  CHECK(topology->group(3, 0) == topology->group(5, 0));
  CHECK(topology->group(2, 0) != topology->group(3, 0));
  CHECK(topology->group(2, 1) == topology->group(11, 1));
  const TopologyProperties facts = topology->properties();
  CHECK(facts.cables == 3 * 4 + 4 * 3);
  CHECK(facts.degree == 3);
  CHECK(facts.diameter == 2 + 2);
  CHECK(facts.bisection == 2 * 3);  // across the ring; across the stars 4, but they are odd
  REQUIRE(facts.tiers.size() == 2);
  CHECK(facts.tiers[0].name == "dimension 0, ring");
  CHECK(facts.tiers[1].switches == 4);
  CHECK_FALSE(parse_topology("mesh:3*star:2")->grid()->wraps());
  // Its switches compute where they are asked to.
  const auto computing = parse_topology("ring:2*star:4,alu=d1,multicast");
  CHECK(computing->spec() == "ring:2*star:4,alu=d1,multicast");
  CHECK(computing->offers(8).alu);
}

TEST_CASE("a product of rings is a torus, one of lines a mesh, one of full meshes a HyperX") {
  const auto [product, same] = GENERATE(table<std::string, std::string>(
      {{"ring:6*ring:5", "torus:6x5"}, {"mesh:3*mesh:4*mesh:2", "mesh:3x4x2"}, {"fullmesh:4*fullmesh:3", "hyperx:4x3"}}));
  CAPTURE(product);
  const auto one = parse_topology(product);
  const auto other = parse_topology(same);
  const auto links_of_all = [](const Topology& topology) {
    std::multiset<std::pair<VertexId, VertexId>> all;
    for (LinkId link = 0; link < topology.links(); ++link) all.emplace(topology.ends(link).from, topology.ends(link).to);
    return all;
  };
  CHECK(links_of_all(*one) == links_of_all(*other));
  CHECK(one->properties().diameter == other->properties().diameter);
  CHECK(one->properties().bisection == other->properties().bisection);
  for (VertexId to = 0; to < one->endpoints(); ++to)
    CHECK(ways(*one, 0, to, Routing::deterministic()) == ways(*other, 0, to, Routing::deterministic()));
}

TEST_CASE("what is no product is refused") {
  CHECK(refusal("ring:4*clos:8") ==
        "topology 'ring:4*clos:8': 'clos:8' is no ring:N, mesh:N, star:N or fullmesh:N, of which products are; try "
        "ring:4*star:8");
  CHECK(refusal("ring:4*star") ==
        "topology 'ring:4*star': 'star' is no ring:N, mesh:N, star:N or fullmesh:N, of which products are; try ring:4*star:8");
  CHECK(refusal("mesh:4*mesh:2x2").find("each dimension is a factor of its own") != std::string::npos);
  CHECK(refusal("ring:4*").find("'' is no ring:N") != std::string::npos);
  CHECK(refusal("star:100000*star:100000*star:100000").find("1e+15") != std::string::npos);
  CHECK(refusal("ring:4*star:8,radius=3").find("unknown field 'radius'") != std::string::npos);
}

}  // namespace heddle
