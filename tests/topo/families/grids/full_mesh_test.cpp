// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.hpp"
#include "tests/topo/topology_examples.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

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

}  // namespace heddle
