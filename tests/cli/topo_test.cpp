// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "emu/record/memory_estimate.hpp"
#include "heddle/units.hpp"
#include "show/drawing/fabric_drawing.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

using namespace test;
using Json = nlohmann::json;

TEST_CASE("topo describes a torus") {
  // 8x8 torus: diameter 4 + 4 links; the narrowest cut severs both directions round of 8 lines: 16 links, 16·50 GB/s.
  // A route of 8 links at 100 ns + 300 ns takes 3.2 us, and 2·100 ns + 300 ns between hosts and routers.
  const CommandResult result = run_heddle("topo torus:8x8 --preset swing-nsdi24");
  const std::string memory = to_string(estimate_memory(64, 256, Bytes(0)));
  CHECK(result.status == 0);
  CHECK(result.err == "");
  CHECK(result.out ==
        "torus:8x8\n"
        "  endpoints       64\n"
        "  switches        0\n"
        "  cables          128 (each is two directed links)\n"
        "  degree          4 cables at an endpoint, at most\n"
        "  diameter        8 links\n"
        "  bisection       16 links, 800GB/s one way\n"
        "  tier 0          links: 128 cables\n"
        "  groups          none\n"
        "  dims            8 x 8, each wraps around\n"
        "  speeds          links 50GB/s, 100ns; hop 300ns; alpha 0ps; host link 100ns; routing adaptive\n"
        "  longest route   3.7us from drained to arrived\n"
        "  memory          " +
            memory + " at least, to emulate a rank on each endpoint, its vectors not counted\n\n" +
            *draw_fabric(*parse_topology("torus:8x8")));
}

TEST_CASE("topo describes a star") {
  // 900 GB/s cables; up 2·0 + h; half of 5 endpoints, rounded down, send over one cable each
  const CommandResult result = run_heddle("topo star:5 --preset nvl72");
  CHECK(result.status == 0);
  CHECK_THAT(result.out, Catch::Contains("  degree          1 cable at an endpoint, at most\n"
                                         "  diameter        2 links\n"
                                         "  bisection       2 links, 1.8TB/s one way\n"
                                         "  tier 0          endpoint to switch: 1 switch, 5 cables\n"
                                         "  groups          none\n"
                                         "  switches offer  nothing but forwarding\n"
                                         "  dims            none\n"
                                         "  speeds          links 900GB/s, 0ps; hop 100ns; alpha 400ns; routing adaptive\n"
                                         "  longest route   100ns from drained to arrived\n"));
  CHECK_THAT(run_heddle("topo torus:2x2x2").out, Catch::EndsWith("  drawing         --svg or --dot\n"));
}

TEST_CASE("topo describes a leaf-spine, and draws it") {
  // 16 hosts; 4 leaves with 2 cables up each, 4 hosts down: 2:1. Eight uplinks in all, four out of each half: 4·25 GB/s.
  // Longest: 2·1 us + 2·3 us + 3 switches of 100 ns.
  const CommandResult result =
      run_heddle("topo clos:hosts=4,leaves=4,spines=2 --bw 100GB/s,25GB/s --latency 1us,3us --switch-latency 100ns");
  CHECK(result.status == 0);
  CHECK(result.out ==
        "clos:hosts=4,leaves=4,spines=2\n"
        "  endpoints       16\n"
        "  switches        6\n"
        "  cables          24 (each is two directed links)\n"
        "  degree          1 cable at an endpoint, at most\n"
        "  diameter        4 links\n"
        "  bisection       4 links one way\n"
        "  between halves  100GB/s one way, from the first half of the endpoints to the second\n"
        "  tier 0          host to leaf: 4 switches, 16 cables\n"
        "  tier 1          leaf to spine: 2 switches, 8 cables, oversubscription 2 at equal speeds\n"
        "  groups          4 of 4 endpoints\n"
        "  switches offer  nothing but forwarding\n"
        "  dims            none\n"
        "  speeds          host to leaf 100GB/s, 1us; leaf to spine 25GB/s, 3us; hop 100ns; alpha 0ps; routing adaptive\n"
        "  longest route   8.3us from drained to arrived\n"
        "  memory          " +
            to_string(estimate_memory(16, 48, Bytes(0))) +
            " at least, to emulate a rank on each endpoint, its vectors not counted\n"
            "\n"
            "           +--------+ +--------+\n"
            "           | spine0 | | spine1 |\n"
            "           +--------+ +--------+\n"
            "  each to 4 below, each below to 2 above\n"
            "  +-------+ +-------+ +-------+ +-------+\n"
            "  | leaf0 | | leaf1 | | leaf2 | | leaf3 |\n"
            "  |  0-3  | |  4-7  | | 8-11  | | 12-15 |\n"
            "  +-------+ +-------+ +-------+ +-------+\n"
            "  each to 4 below, each below to 1 above\n");
}

TEST_CASE("the JSON of topo has tiers, groups and speeds of a superpod") {
  // 03, Appendix A: 32 pods of 72, 8 leaves and 4 spines on each of 4 rails, 18 cables a pair; 2·1 us + 2·3 us across a spine,
  // and NVLink at the end or the beginning if the rails differ: 2·250 ns more.
  const CommandResult result = run_heddle("topo superpod:pods=32 --preset superpod --json -");
  REQUIRE(result.status == 0);
  const Json json = Json::parse(result.out);
  CHECK(json["endpoints"] == 2304);
  CHECK(json["tier_count"] == 3);
  CHECK(json["link_tiers"][2]["switches"] == 16);
  CHECK(json["link_tiers"][2]["cables"] == 32 * 4 * 18);
  CHECK(json["group_sizes"] == Json({std::vector<int>(32, 72), std::vector<int>(8, 288)}));
  CHECK(json["tiers"][0]["name"] == json["link_tiers"][0]["name"]);
  CHECK(json["tiers"][0]["bandwidth_Bps"] == 900e9);
  CHECK(json["tiers"][2]["latency_s"] == 3e-6);
  CHECK(json["longest_latency_s"] == 8.5e-6);
  CHECK(json["longest_latency_is_exact"] == true);
  CHECK(json["bisection_between"] == "first half and second");
  CHECK(json["bisection_Bps"] == 16 * 72 * 50e9);  // half of the leaves' 32·72 uplinks
  const std::string dot = run_heddle("topo superpod:pods=32 --dot").out;
  CHECK_THAT(dot, Catch::Contains(R"("rail0.spine0" -- "rail0.leaf0" [label="x18", )"));
}

TEST_CASE("the JSON of topo has a star's facts") {
  // Two cables, one switch whose forwarding takes h: 2·ℓ + h = 300 ns.
  const CommandResult result = run_heddle("topo star:5 --latency 100ns --switch-latency 100ns --bw 1GB/s --json -");
  REQUIRE(result.status == 0);
  const Json json = Json::parse(result.out);
  CHECK(json["context"]["topology"] == "star:5");
  CHECK(json["endpoints"] == 5);
  CHECK(json["switches"] == 1);
  CHECK(json["cables"] == 5);
  CHECK(json["degree"] == 1);
  CHECK(json["diameter"] == 2);
  CHECK(json["bisection_Bps"].get<double>() == json["bisection_links"].get<int>() * 1e9);
  CHECK(json["tier_count"] == 1);
  CHECK(json["bisection_between"] == "narrowest even cut");
  CHECK(json["link_tiers"] ==
        Json::parse(R"([{"name": "endpoint to switch", "switches": 1, "cables": 5, "oversubscription": 1.0}])"));
  CHECK(json["group_sizes"] == Json::array());
  CHECK(json["switches_offer"] == Json::array());
  CHECK(json["longest_latency_is_exact"] == true);
  CHECK(json["dims"].is_null());
  CHECK(json["wraps"].is_null());
  CHECK(json["tiers"][0]["bandwidth_Bps"] == 1e9);
  CHECK(json["tiers"][0]["latency_s"] == 100e-9);
  CHECK(json["hop_s"] == 100e-9);
  CHECK(json["longest_latency_s"] == 300e-9);
  CHECK(json["memory_bytes"] == estimate_memory(5, 10, Bytes(0)).count());
}

TEST_CASE("the longest latency is diameter times link and router latency on every direct fabric") {
  const auto longest = [](std::string_view spec) {
    return Json::parse(
               run_heddle(fmt::format("topo {} --latency 1us --switch-latency 1us --json -", spec)).out)["longest_latency_s"]
        .get<double>();
  };
  CHECK(longest("ring:9") == 8e-6);       // 4 links
  CHECK(longest("torus:4x2x3") == 8e-6);  // 2 + 1 + 1
  CHECK(longest("mesh:4x3") == 10e-6);    // 3 + 2
  CHECK(longest("fullmesh:6") == 2e-6);
  CHECK(longest("ring:1") == 0);
  CHECK(longest("star:1") == 0);
}

TEST_CASE("unlimited bandwidth has no number in JSON") {
  const Json json = Json::parse(run_heddle("topo mesh:3x3 --bw inf --json -").out);
  CHECK(json["tiers"][0]["bandwidth_Bps"].is_null());
  CHECK(json["bisection_Bps"].is_null());
  CHECK(json["dims"] == Json({3, 3}));
  CHECK(json["wraps"] == false);
}

TEST_CASE("a fabric as a picture: every cable in the colour of its tier, both ways") {
  const test::TemporaryFile file("fabric.svg");
  CHECK(run_heddle("topo dragonfly:groups=5,routers=4,hosts=2 --svg " + file.path()).status == 0);
  const std::string svg = test::file_content(file.path());
  for (const char* text :
       {"#0072b2", "#d55e00", "#009e73", ">endpoint to router<", ">local<", ">global<", ">r4.3<", ">10 cables, 50GB/s, 100ns<"})
    CHECK_THAT(svg, Catch::Contains(text));
  const test::TemporaryFile png("fabric.png");
  CHECK(run_heddle("topo hyperx:3x3 --svg " + png.path()).status == 0);
  CHECK_THAT(test::file_content(png.path()), Catch::StartsWith("\x89PNG"));
  CHECK_THAT(run_heddle("topo ring:4 --svg ring.gif").err,
             Catch::Contains("--svg 'ring.gif': a picture's file ends in .svg or .png"));
  CHECK_THAT(run_heddle("topo star:400 --svg star.svg").err, Catch::Contains("--svg: star:400 has no drawing"));
}

TEST_CASE("a fabric is written as a file, which is a fabric again") {
  const test::TemporaryFile file("fabric.json");
  CHECK(run_heddle("topo clos:hosts=2,leaves=2,spines=2 --bw 100GB/s,25GB/s --fabric-file " + file.path()).status == 0);
  const CommandResult again = run_heddle("run allreduce --algo ring --size 4KiB --topo file:" + file.path());
  CHECK(again.status == 0);
  CHECK_THAT(run_heddle("topo file:" + file.path()).out, Catch::Contains("leaf to spine 25GB/s"));
  CHECK_THAT(run_heddle("topo ring:4 --fabric-file -").err, Catch::Contains("--fabric-file '-': a fabric's file is a file"));
}

TEST_CASE("a fabric too large to run can still be described") {
  const CommandResult result = run_heddle("topo ring:200000000");
  CHECK(result.status == 0);
  CHECK_THAT(result.out, Catch::Contains("diameter        100000000 links"));
}

}  // namespace heddle
