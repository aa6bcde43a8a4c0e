// SPDX-License-Identifier: Apache-2.0
// The longest route and the bandwidth between the halves of fabrics whose links differ.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "lab/documents/context.hpp"
#include "lab/studies/fabric_studies.hpp"
#include "show/reports/fabric_description.hpp"
#include "tests/catch.hpp"
#include "tests/drawn.hpp"
#include "tests/show/drawing/two_layers.hpp"
#include "tests/topo/topology_examples.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {
namespace {

using namespace literals;
using test::TwoLayers;

Fabric layers_with(Bandwidth leaf, Bandwidth spine) {
  FabricSettings settings;
  settings.tiers = {LinkSpeed{.bandwidth = leaf, .latency = 1_us}, LinkSpeed{.bandwidth = spine, .latency = 3_us}};
  settings.hop = 100_ns;
  return Fabric(std::make_shared<TwoLayers>(), settings);
}

}  // namespace

TEST_CASE("the longest route adds up its links tier by tier") {
  // 2·1 us + 2·3 us + 3·100 ns
  const LongestRoute longest = longest_route(layers_with(1_GBps, 1_GBps));
  CHECK(longest.latency == 8'300_ns);
  CHECK(longest.exact);
}

TEST_CASE("the longest route is that of all pairs of endpoints") {
  testing::property("walked one by one", [] {
    const std::string spec = specs();
    FabricSettings settings;
    settings.tiers = {LinkSpeed{.latency = 10_ns}, LinkSpeed{.latency = 1_us}};
    settings.hop = 1_ns;
    if (drawn::any<bool>()) settings.tiers.pop_back();
    const Fabric fabric(parse_topology(spec), settings);
    const Topology& topology = fabric.topology();
    Time longest;
    for (VertexId from = 0; from < topology.endpoints(); ++from)
      for (VertexId to = 0; to < topology.endpoints(); ++to) {
        const Route route = route_between(topology, from, to);
        for (const Route::Path& path : route.paths()) longest = std::max(longest, fabric.path_latency(route, path));
      }
    const LongestRoute found = longest_route(fabric);
    RC_ASSERT(found.exact);
    RC_ASSERT(found.latency == longest);
  });
}

TEST_CASE("a fabric too large to walk says that its longest route is at least so long") {
  FabricSettings settings;
  settings.tiers = {LinkSpeed{.latency = 1_us}, LinkSpeed{.latency = 1_us}};
  const LongestRoute longest = longest_route(Fabric(parse_topology("mesh:200x200"), settings));
  CHECK_FALSE(longest.exact);
  CHECK(longest.latency == 398_us);  // from corner to corner, found all the same
}

TEST_CASE("the bandwidth between halves is that of the narrowest place between them") {
  // Endpoints 0-2 and 3-5; leaf s1 has one of each. Three cables into the upper half at the leaves: 3·1 = 3 GB/s.
  CHECK(bandwidth_between_halves(layers_with(1_GBps, 9_GBps)).bytes_per_second() == Approx(3e9));
  // Slow spines: leaf s0 can send 4·0.1 GB/s up, s1 as much for endpoint 2, which has 1 GB/s to endpoint 3 across the leaf.
  // Cut s1 off the lower half: 4·0.1 (s0 up) + 1 (2 to s1) = 1.4 GB/s.
  CHECK(bandwidth_between_halves(layers_with(1_GBps, Bandwidth(1e8))).bytes_per_second() == Approx(1.4e9));
  CHECK(bandwidth_between_halves(layers_with(Bandwidth::unlimited(), 1_GBps)).is_unlimited());
  CHECK(bandwidth_between_halves(layers_with(1_GBps, Bandwidth::unlimited())).bytes_per_second() == Approx(3e9));
  // A torus of one speed: the cut straight across 8 lines, both ways round.
  CHECK(bandwidth_between_halves(Fabric(parse_topology("torus:8x8"), {})).bytes_per_second() == Approx(16 * 50e9));
}

TEST_CASE("speeds are described by the names of the tiers") {
  CHECK(describe_speeds(layers_with(900_GBps, 50_GBps)) ==
        "host to leaf 900GB/s, 1us; leaf to spine 50GB/s, 3us; hop 100ns; alpha 0ps; routing adaptive");
  FabricSettings longer;
  longer.tiers = {LinkSpeed{}, LinkSpeed{.latency = 1_us}, LinkSpeed{.latency = 2_us}};
  CHECK(speeds_by_tier(Fabric(std::make_shared<TwoLayers>(), longer)).size() == 2);
  longer.tiers.resize(1);
  const std::vector<NamedSpeed> beyond = speeds_by_tier(Fabric(std::make_shared<TwoLayers>(), longer));
  REQUIRE(beyond.size() == 2);
  CHECK(beyond[1].name == "leaf to spine");
  CHECK(beyond[1].speed.latency == LinkSpeed{}.latency);
}

TEST_CASE("where links differ in speed, a description has the bandwidth between the halves beside the fewest links") {
  // 2 links up from each leaf of 4 hosts, at 2 GB/s: 4 GB/s from one half to the other.
  FabricSettings settings;
  settings.tiers = {LinkSpeed{.bandwidth = 1_GBps, .latency = 1_us}, LinkSpeed{.bandwidth = 2_GBps, .latency = 1_us}};
  const Fabric fabric(parse_topology("clos:hosts=4,leaves=2,spines=2"), settings);
  const FabricDescription description = describe(fabric);
  CHECK(description.bisection_is_halves);
  CHECK(description.bisection == 4_GBps);
  const std::string text = report_text(fabric_report(description));
  CHECK(text.starts_with("clos:hosts=4,leaves=2,spines=2\n  endpoints       8\n"));
  CHECK(text.find("  between halves  4GB/s one way, from the first half of the endpoints to the second\n") !=
        std::string::npos);
  CHECK(text.find("  groups          2 of 4 endpoints\n") != std::string::npos);
  CHECK(json_of(fabric_report(description))["bisection_Bps"] == 4e9);
}

}  // namespace heddle
