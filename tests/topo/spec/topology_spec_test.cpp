// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/drawn.hpp"
#include "tests/topo/topology_examples.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {
TEST_CASE("a topology's spec reads back as itself") {
  for (std::string_view spec : example_topologies()) CHECK(parse_topology(spec)->spec() == spec);
  testing::property("any spec", [] {
    const std::string spec = specs();
    RC_ASSERT(parse_topology(spec)->spec() == spec);
  });
}

TEST_CASE("each family is known by an example that parses") {
  REQUIRE(topology_families().size() >= 5);
  for (const TopologyFamily& family : topology_families()) {
    if (!family.reads_file) CHECK(parse_topology(family.example)->spec() == family.example);  // that file is not here
    CHECK(family.example.starts_with(family.name));
    CHECK_FALSE(family.summary.empty());
  }
}

TEST_CASE("what is wrong with a spec is said in one line, with an example") {
  CHECK(refusal("torus:0x4") == "topology 'torus:0x4': size '0' is less than 1; try torus:8x8x4");
  CHECK(refusal("ring:-1") == "topology 'ring:-1': size '-1' is less than 1; try ring:16");
  CHECK(refusal("torus:8x") == "topology 'torus:8x': a size is missing; try torus:8x8x4");
  CHECK(refusal("torus:x8") == "topology 'torus:x8': a size is missing; try torus:8x8x4");
  CHECK(refusal("torus:") == "topology 'torus:': a size is missing; try torus:8x8x4");
  CHECK(refusal("mesh") == "topology 'mesh': a size is missing; try mesh:4x4");
  CHECK(refusal("ring:8x8") == "topology 'ring:8x8': one size is expected, not 2; try ring:16");
  CHECK(refusal("star:72 ") == "topology 'star:72 ': size '72 ' is not a whole number; try star:72");
  CHECK(refusal("fullmesh:8.5") == "topology 'fullmesh:8.5': size '8.5' is not a whole number; try fullmesh:8");
  CHECK(refusal("torus:+8") == "topology 'torus:+8': size '+8' is not a whole number; try torus:8x8x4");
  CHECK(refusal("ring:99999999999999999999") ==
        "topology 'ring:99999999999999999999': size '99999999999999999999' is too large; try ring:16");
}

TEST_CASE("an unknown family gets the nearest name and the list") {
  CHECK_THAT(refusal("tours:8x8"), Catch::Contains("'tours:8x8'") && Catch::Contains("did you mean 'torus'") &&
                                       Catch::Contains("ring, torus, mesh, fullmesh, star"));
  CHECK_THAT(refusal("Torus:8x8"), Catch::Contains("did you mean 'torus'"));
  CHECK_THAT(refusal(""), Catch::Contains("ring, torus, mesh, fullmesh, star") && !Catch::Contains("did you mean"));
  CHECK_THAT(refusal("8x8"), Catch::Contains("'8x8'"));
}

TEST_CASE("more endpoints or links than can be numbered are refused with their number") {
  CHECK_THAT(refusal("torus:1000000000"), Catch::Contains("1000000000 endpoints") && Catch::Contains("3.73 TiB"));
  CHECK_THAT(refusal("torus:100000x100000"), Catch::Contains("1e+10 endpoints"));
  CHECK_THAT(refusal("mesh:9223372036854775807x9223372036854775807x9223372036854775807"), Catch::Contains("endpoints"));
  CHECK_THAT(refusal("star:268435457"), Catch::Contains("268435457 endpoints"));
  CHECK(refusal("star:268435456").empty());
  CHECK_THAT(refusal("fullmesh:46342"), Catch::Contains("46342 endpoints have 2147534622 links"));
  CHECK(refusal("fullmesh:46341").empty());
  // 2^28 endpoints with 8 links each; a dimension less, and they fit.
  CHECK_THAT(refusal("torus:128x128x128x128"), Catch::Contains("2147483648 links"));
  CHECK(refusal("torus:512x512x1024").empty());
}

TEST_CASE("a spec of any text is read or refused in one line") {
  testing::property("no other error escapes", [] {
    const auto text = drawn::any<std::string>();
    const std::string family = drawn::one_of<std::string>(
        {"", "ring:", "torus:", "mesh:", "fullmesh:", "star:", "clos:hosts=", "fattree:k=", "superpod:pods="});
    const std::string spec = family + drawn::one_of({text, drawn::letters("0129x-: ")});
    const std::string error = refusal(spec);
    if (!error.empty()) RC_ASSERT(error.find(spec) != std::string::npos);
  });
}

TEST_CASE("the routings have names that read back") {
  for (Routing routing : {Routing::split(), Routing::deterministic()}) CHECK(parse_routing(to_string(routing)) == routing);
  CHECK(parse_routing("adaptive") == Routing::split());
  CHECK_THROWS_WITH(parse_routing("adaptiv"), Catch::Contains("'adaptiv'") && Catch::Contains("did you mean 'adaptive'"));
  CHECK_THROWS_AS(parse_routing(""), InputError);
}

}  // namespace heddle
