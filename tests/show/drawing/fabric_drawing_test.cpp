// SPDX-License-Identifier: Apache-2.0
#include "show/drawing/fabric_drawing.hpp"

#include <memory>
#include <sstream>
#include <string>

#include "show/drawing/drawing.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "tests/show/drawing/two_layers.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {
namespace {

using test::TwoLayers;

std::string drawing_of(std::string_view spec) { return draw_fabric(*parse_topology(spec)).value_or("none"); }

std::string dot_of(const Topology& topology) {
  std::ostringstream out;
  write_dot(topology, out);
  return out.str();
}

}  // namespace

TEST_CASE("grids are drawn as their cables run") {
  CHECK(drawing_of("ring:4") ==
        "  -0---1---2---3-\n"
        "  lines that leave the picture come back on the other side\n");
  CHECK(drawing_of("ring:2") == "  0---1\n");
  CHECK(drawing_of("mesh:3") == "  0---1---2\n");
  CHECK(drawing_of("mesh:2x2") ==
        "  (0,0)---(0,1)\n"
        "    |       |\n"
        "  (1,0)---(1,1)\n");
  CHECK(drawing_of("torus:2x3") ==
        "  -(0,0)---(0,1)---(0,2)-\n"
        "     |       |       |\n"
        "  -(1,0)---(1,1)---(1,2)-\n"
        "  lines that leave the picture come back on the other side\n");
  CHECK(drawing_of("torus:3x2") ==
        "    |       |\n"
        "  (0,0)---(0,1)\n"
        "    |       |\n"
        "  (1,0)---(1,1)\n"
        "    |       |\n"
        "  (2,0)---(2,1)\n"
        "    |       |\n"
        "  lines that leave the picture come back on the other side\n");
}

TEST_CASE("what has no drawing, or one that is too large, has none") {
  for (const char* spec : {"torus:2x2x2", "fullmesh:4", "hyperx:4x4", "hxmesh:board=2x2,grid=2x2",
                           "dragonfly:groups=3,routers=2,hosts=1", "ring:64", "mesh:40x2", "ring:100000000"}) {
    INFO(spec);
    CHECK(drawing_of(spec) == "none");
  }
}

TEST_CASE("switches are drawn in layers above their endpoints") {
  CHECK(drawing_of("star:5") ==
        "                 +-----+\n"
        "                 | s0  |\n"
        "                 | 0-4 |\n"
        "                 +-----+\n"
        "  each to 5 below, each below to 1 above\n");
  CHECK(draw_fabric(TwoLayers()) ==
        "                       +----+ +----+\n"
        "                       | s3 | | s4 |\n"
        "                       +----+ +----+\n"
        "  each to 3 below, each below to 2 above, 2 cables a pair\n"
        "                  +-----+ +-----+ +-----+\n"
        "                  | s0  | | s1  | | s2  |\n"
        "                  | 0-1 | | 2-3 | | 4-5 |\n"
        "                  +-----+ +-----+ +-----+\n"
        "          each to 2 below, each below to 1 above\n");
}

TEST_CASE("parallel cables are one bundle, the upper end first") {
  const std::vector<CableBundle> bundles = cable_bundles(TwoLayers());
  REQUIRE(bundles.size() == 6 + 6);
  CHECK(bundles.front().upper == 6);
  CHECK(bundles.front().lower == 0);
  CHECK(bundles.front().tier == 0);
  CHECK(bundles.front().cables == 1);
  CHECK(bundles.back().upper == 10);
  CHECK(bundles.back().lower == 8);
  CHECK(bundles.back().tier == 1);
  CHECK(bundles.back().cables == 2);
  CHECK(levels(TwoLayers()) == std::vector{0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2});
}

TEST_CASE("dot: layers, bundles and a colour per tier") {
  CHECK(dot_of(TwoLayers()) == R"(graph "layers" {
  ranksep=1.5;
  node [shape=ellipse, fontname="Helvetica"];
  edge [fontname="Helvetica"];
  { rank=same; "s3"; "s4"; }
  { rank=same; "s0"; "s1"; "s2"; }
  "s0" [shape=box];
  "s1" [shape=box];
  "s2" [shape=box];
  "s3" [shape=box];
  "s4" [shape=box];
  { rank=same; "0"; "1"; "2"; "3"; "4"; "5"; }
  "s0" -- "0" [color="black"];
  "s0" -- "1" [color="black"];
  "s1" -- "2" [color="black"];
  "s1" -- "3" [color="black"];
  "s2" -- "4" [color="black"];
  "s2" -- "5" [color="black"];
  "s3" -- "s0" [label="x2", color="#1f6fb4"];
  "s3" -- "s1" [label="x2", color="#1f6fb4"];
  "s3" -- "s2" [label="x2", color="#1f6fb4"];
  "s4" -- "s0" [label="x2", color="#1f6fb4"];
  "s4" -- "s1" [label="x2", color="#1f6fb4"];
  "s4" -- "s2" [label="x2", color="#1f6fb4"];
}
)");
}

TEST_CASE("dot: a grid at its coordinates, and what switches offer") {
  CHECK(test::run_heddle("topo mesh:2x2 --dot").out == R"dot(graph "mesh:2x2" {
  layout=neato;
  ranksep=1.5;
  node [shape=ellipse, fontname="Helvetica"];
  edge [fontname="Helvetica"];
  "(0,0)" [pos="0,0!"];
  "(0,1)" [pos="1,0!"];
  "(1,0)" [pos="0,-1!"];
  "(1,1)" [pos="1,-1!"];
  "(0,0)" -- "(0,1)" [color="black"];
  "(0,0)" -- "(1,0)" [color="black"];
  "(0,1)" -- "(1,1)" [color="black"];
  "(1,0)" -- "(1,1)" [color="black"];
}
)dot");
  TwoLayers layers;
  std::vector<SwitchOffers> offers(5);
  offers[1].alu = offers[1].multicast = true;
  offers[1].radix = 2;
  offers[1].alignment = 16;
  offers[1].precision = Datatype::bf16();
  offers[3].scatter_gather = offers[4].scatter_gather = true;
  layers.set_offers(offers, ",some");
  CHECK_THAT(dot_of(layers),
             Catch::Contains(R"("s1" [shape=box, label="s1\nalu, multicast, radix 2, alignment 16, precision bf16"];)"));
  const std::vector<OfferingSwitches> offering = offering_switches(layers);
  REQUIRE(offering.size() == 2);
  CHECK(offering[0].switches == std::vector<VertexId>{7});
  CHECK(offering[1].offers == "a2a");
  CHECK(ranges_text(offering[1].switches, layers) == "s3-s4");
}

TEST_CASE("vertices in ascending order are written as ranges") {
  const auto ring = parse_topology("ring:200");
  CHECK(ranges_text({}, *ring) == "");
  CHECK(ranges_text({5}, *ring) == "5");
  CHECK(ranges_text({0, 1, 2, 3, 9}, *ring) == "0-3, 9");
  CHECK(ranges_text({0, 4, 8, 12}, *ring) == "0-12 by 4");
  CHECK(ranges_text({0, 4}, *ring) == "0, 4");
  CHECK(ranges_text({0, 2, 3, 4}, *ring) == "0, 2-4");
}

TEST_CASE("a drawing is refused where there is too much to draw") {
  const test::CommandResult result = test::run_heddle("topo ring:2000000 --dot");
  CHECK(result.status == 2);
  CHECK(result.out == "");
  CHECK(result.err == "heddle: --dot: ring:2000000 has 4000000 links; a drawing has at most 2000000\n");
  CHECK(test::run_heddle("topo ring:4 --dot --json -").err ==
        "heddle: --json - and --dot: standard output takes one of them; give --json a file\n");
}

}  // namespace heddle
