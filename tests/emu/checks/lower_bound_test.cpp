// SPDX-License-Identifier: Apache-2.0
#include "emu/checks/lower_bound.hpp"

#include <rapidcheck/catch.h>
#include <algorithm>

#include "emu/checks/longest_latency.hpp"
#include "tests/catch.hpp"

namespace heddle::emu {

namespace {

using namespace heddle::literals;

/// B = 50 GB/s, ℓ = 100 ns, h = 300 ns, α = 1 µs.
Fabric fabric(std::string_view spec, Bandwidth bandwidth = Bandwidth(50e9)) {
  FabricSettings settings;
  settings.tiers = {{.bandwidth = bandwidth, .latency = 100_ns}};
  settings.hop = 300_ns;
  settings.alpha = 1_us;
  return Fabric(parse_topology(spec), settings);
}

/// Of a collective with M = `bytes` on these endpoints. An element has a byte.
LowerBound bound(const Fabric& on, const Placement& placement, double bytes, Collective collective = Collective::allreduce,
                 int root = 0, std::vector<std::int64_t> blocks = {}) {
  const auto ranks = static_cast<int>(placement.size());
  return lower_bound(on, placement, CallLayout(collective, ranks, static_cast<std::int64_t>(bytes), blocks, Rank(root)), 1);
}

LowerBound bound(const Fabric& on, double bytes, Collective collective = Collective::allreduce, int root = 0,
                 std::vector<std::int64_t> blocks = {}) {
  return bound(on, linear_placement(on.topology().endpoints(), on.topology()), bytes, collective, root, std::move(blocks));
}

}  // namespace

TEST_CASE("lower bound: two ranks exchange their vectors") {
  // α + (ℓ + h) + 2(p-1)·M / (2·B) = 1 + 0.4 + 2·10^6/10^11·10^6 = 21.4 µs
  CHECK(bound(fabric("ring:2"), 1e6).seconds == Approx(21.4e-6));
}

TEST_CASE("lower bound: ports of a star") {
  // In: α + (ℓ + h) + 2·3·M / (4·B) = 1 + 0.4 + 30 µs. Out is 0.3 µs less: endpoints have no h.
  const LowerBound star = bound(fabric("star:4"), 1e6);
  CHECK(star.seconds == Approx(31.4e-6));
  CHECK_THAT(star.reason, Catch::Contains("6 times the vector") && Catch::Contains("enter"));
}

TEST_CASE("lower bound: ports of a torus") {
  // 64 endpoints of degree 4: α + (ℓ + h) + 2·63·M / (256·B) = 1 + 0.4 + 126·10^6/(1.28·10^13)·10^6 = 11.24375 µs
  CHECK(bound(fabric("torus:8x8"), 1e6).seconds == Approx(11.24375e-6));
}

TEST_CASE("lower bound: the end of a line has one port") {
  // α + (ℓ + h) + M/B = 21.4 µs; all ports together: 2·2·M/(4·B) = M/B as well, so that the line's three ranks tie.
  CHECK(bound(fabric("mesh:3"), 1e6).seconds == Approx(21.4e-6));

  // mesh:1x5 with ranks on 0 and 2: together they have 3 ports, 2·M/(3·B) = 13.3 µs; rank 0 alone needs M/B = 20 µs.
  const LowerBound two = bound(fabric("mesh:5"), {0, 2}, 1e6);
  CHECK(two.seconds == Approx(21.4e-6));
  CHECK_THAT(two.reason, Catch::Contains("the endpoint of rank 0"));
}

TEST_CASE("lower bound: a narrow middle") {
  // Ranks 3 and 4 of a line of 8: their ports need 2·M/(4·B) = 10 µs, the one cable between them M/B = 20 µs.
  const LowerBound line = bound(fabric("mesh:8"), {3, 4}, 1e6);
  CHECK(line.seconds == Approx(21.4e-6));
  CHECK_THAT(line.reason, Catch::Contains("middle of dimension 0"));
  // On one side of the middle, nothing must cross it: 10 µs and the latency.
  CHECK(bound(fabric("mesh:8"), {1, 2}, 1e6).seconds == Approx(11.4e-6));
}

TEST_CASE("lower bound: small vectors wait for the farthest rank") {
  // Diameter 2 + 2 on torus:4x4: α + 4·(ℓ + h) = 1 + 1.6 = 2.6 µs
  const LowerBound torus = bound(fabric("torus:4x4"), 8);
  CHECK(torus.seconds == Approx(2.6e-6));
  CHECK_THAT(torus.reason, Catch::Contains("farthest"));
  // Star: ℓ + (ℓ + h) = 0.5 µs
  CHECK(bound(fabric("star:9"), 8).seconds == Approx(1.5e-6));
  // Unlimited bandwidth leaves the latency: mesh:4x4 has diameter 6.
  CHECK(bound(fabric("mesh:4x4", Bandwidth::unlimited()), 1e12).seconds == Approx(3.4e-6));
}

TEST_CASE("lower bound: nothing to do takes no time") {
  CHECK(bound(fabric("torus:1"), 1e6).seconds == 0);
  CHECK(bound(fabric("ring:8"), 0).seconds == 0);
}

TEST_CASE("longest latency is that of the longest shortest route") {
  rc::prop("the maximum over all pairs of ranks, on grids whose routes are shortest", [] {
    const Fabric on =
        fabric(*rc::gen::elementOf(std::vector<std::string>{"ring:9", "torus:4x5", "mesh:3x2x3", "star:7", "fullmesh:5"}));
    const int ranks = *rc::gen::inRange(1, on.topology().endpoints() + 1);
    const Placement placement = random_placement(ranks, on.topology(), *rc::gen::arbitrary<std::uint64_t>());
    Time longest;
    Route route;
    for (const VertexId from : placement) {
      for (const VertexId to : placement) {
        on.topology().route(from, to, TieBreak::deterministic, route);
        for (const Route::Path& path : route.paths()) longest = std::max(longest, on.path_latency(route, path));
      }
    }
    RC_ASSERT(longest_latency(Latencies(on), placement) == longest);
  });
}

TEST_CASE("longest latency of thousands of ranks is found from a few of them") {
  // Diameters: 63 + 63 on mesh:64x64, 32 + 32 on torus:64x64; 400 ns a link.
  const Fabric mesh = fabric("mesh:64x64");
  CHECK(longest_latency(Latencies(mesh), linear_placement(4096, mesh.topology())) == 126 * 400_ns);
  const Fabric torus = fabric("torus:64x64");
  CHECK(longest_latency(Latencies(torus), linear_placement(4096, torus.topology())) == 64 * 400_ns);
}

}  // namespace heddle::emu
