// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.hpp"
#include "tests/topo/topology_examples.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

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
