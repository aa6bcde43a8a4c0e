// SPDX-License-Identifier: Apache-2.0
// What an alltoall must carry over the middle of a grid (Collectives Explainer 02, §3.6 and §4.2).
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "emu/check/checked_run.hpp"
#include "heddle/registry.hpp"
#include "tests/catch.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::alltoall_cuts_model {
namespace {

using namespace literals;

constexpr std::int64_t kBytesPerBlock = 64'000;
constexpr Bandwidth kBandwidth = 1_GBps;

/// M: every rank has a block for each.
double vector_seconds(const Fabric& fabric) {
  return static_cast<double>(fabric.topology().endpoints() * kBytesPerBlock) / kBandwidth.bytes_per_second();
}

/// All blocks at once, by the shortest ways.
Report run_linear(const Fabric& fabric) {
  const std::int64_t p = fabric.topology().endpoints();
  CollectiveCall call;
  call.collective = Collective::alltoall;
  call.name = "linear";
  call.function = find_algorithm(Collective::alltoall, "linear").run;
  call.count = p * kBytesPerBlock / 4;
  call.sampled = 4 * p;
  call.in_place = false;
  return run_checked(fabric, linear_placement(static_cast<int>(p), fabric.topology()), call);
}

Fabric grid(std::string_view spec, Time latency = {}) {
  FabricSettings settings;
  settings.tiers = {LinkSpeed{.bandwidth = kBandwidth, .latency = latency}};
  return {parse_topology(spec), settings};
}

std::int64_t most_blocks_on_a_link(const Report& report) {
  return report.busiest_links(1).front().bytes.count() / kBytesPerBlock;
}

}  // namespace

TEST_CASE("On a torus an alltoall takes d_max/8 · M/B, where its longest dimension is even") {
  // Half of M/2 of each of the N ranks crosses 2N/d_max links each way: N·M/4 / (2N/d_max · B).
  struct Case {
    std::string_view spec;
    int longest;
  };
  for (const auto& [spec, longest] : {Case{"torus:4x4", 4}, Case{"torus:8x8", 8}, Case{"torus:4x8", 8}, Case{"torus:16x4", 16},
                                      Case{"torus:4x4x4", 4}, Case{"torus:8x2x4", 8}}) {
    INFO(spec);
    const Fabric fabric = grid(spec);
    CHECK(run_linear(fabric).completion.seconds() == Approx(longest / 8.0 * vector_seconds(fabric)).epsilon(1e-6));
  }
}

TEST_CASE("On a mesh an alltoall takes d_max/4 · M/B: half of a torus' links cross the middle") {
  struct Case {
    std::string_view spec;
    int longest;
  };
  for (const auto& [spec, longest] :
       {Case{"mesh:4x4", 4}, Case{"mesh:8x8", 8}, Case{"mesh:4x8", 8}, Case{"mesh:4x4x4", 4}, Case{"mesh:16", 16}}) {
    INFO(spec);
    const Fabric fabric = grid(spec);
    CHECK(run_linear(fabric).completion.seconds() == Approx(longest / 4.0 * vector_seconds(fabric)).epsilon(1e-6));
  }
}

TEST_CASE("Latency adds the diameter's, so that the bytes rule as M grows") {
  // torus:4x4, diameter 4: 4·1 µs + 4/8 · M/B.
  const Fabric fabric = grid("torus:4x4", 1_us);
  CHECK(run_linear(fabric).completion.seconds() == Approx(4e-6 + 0.5 * vector_seconds(fabric)).epsilon(1e-6));
}

TEST_CASE("Each link of torus:4x4 carries 8 of an alltoall's chunks, those of the cut too") {
  // 8·8 chunks go from the left half to the right one over 8 links (02 §3.6); the torus looks the same from all of its links.
  const Report torus = run_linear(grid("torus:4x4"));
  for (const LinkReport& link : torus.links) CHECK(link.bytes.count() == 8 * kBytesPerBlock);
  // The mesh has the 4 in the middle left: 16 each.
  CHECK(most_blocks_on_a_link(run_linear(grid("mesh:4x4"))) == 16);
}

}  // namespace heddle::alltoall_cuts_model
