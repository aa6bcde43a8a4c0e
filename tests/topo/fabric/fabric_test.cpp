// SPDX-License-Identifier: Apache-2.0
#include "topo/fabric/fabric.hpp"

#include <functional>
#include <limits>
#include <memory>
#include <utility>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/topo/topology_examples.hpp"
#include "topo/presets/fabric_presets.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {
namespace {

using namespace literals;

FabricSettings settings_with(Time latency, Time hop) {
  FabricSettings settings;
  settings.tiers = {LinkSpeed{.bandwidth = 400_Gbps, .latency = latency}};
  settings.hop = hop;
  return settings;
}

/// L(P) of the first path.
Time latency_between(const Fabric& fabric, VertexId from, VertexId to) {
  const Route route = route_between(fabric.topology(), from, to);
  return fabric.path_latency(route, route.paths().front());
}

/// A line 0 - 1 - 2 (endpoints), cables of tier 0, 1; then 2 - s0 (a switch) of tier 2. As direct or as switched.
class Line final : public Topology {
 public:
  explicit Line(bool direct) : direct_(direct) {}
  std::string shape() const override { return "line"; }
  int endpoints() const override { return 3; }
  int switches() const override { return 1; }
  int links() const override { return 6; }
  LinkEnds ends(LinkId link) const override {
    const VertexId lower = link / 2;
    return link % 2 == 0 ? LinkEnds{lower, lower + 1} : LinkEnds{lower + 1, lower};
  }
  int tier(LinkId link) const override { return link / 2; }
  bool is_direct() const override { return direct_; }
  void route(VertexId from, VertexId to, Routing, Route& route) const override {
    route.clear();
    for (VertexId at = from; at < to; ++at) route.add_link(2 * at);
    for (VertexId at = from; at > to; --at) route.add_link(2 * at - 1);
    route.close_path(1);
  }
  TopologyProperties properties() const override { return {}; }

 private:
  bool direct_;
};

}  // namespace

TEST_CASE("a path of δ links on a direct network costs δ·(ℓ + h)") {
  // (0,0) to (3,2) on torus:8x8: δ = 5, 5·(100 ns + 300 ns) = 2 µs
  const Fabric torus(parse_topology("torus:8x8"), settings_with(100_ns, 300_ns));
  CHECK(latency_between(torus, 0, 3 * 8 + 2) == 2_us);
  CHECK(torus.latency(17) == 400_ns);
  const Fabric mesh(parse_topology("fullmesh:6"), settings_with(100_ns, 300_ns));
  CHECK(latency_between(mesh, 5, 2) == 400_ns);
}

TEST_CASE("a path through a star costs 2ℓ + h") {
  const Fabric star(parse_topology("star:9"), settings_with(100_ns, 300_ns));
  const Route route = route_between(star.topology(), 4, 8);
  CHECK(star.latency(route.links()[0]) == 100_ns);
  CHECK(star.latency(route.links()[1]) == 400_ns);
  CHECK(star.path_latency(route, route.paths()[0]) == 500_ns);

  const Fabric without_hop(parse_topology("star:9"), settings_with(100_ns, 0_ns));
  CHECK(latency_between(without_hop, 4, 8) == 200_ns);
}

TEST_CASE("each of several paths has a latency of its own links") {
  // Half-way round a ring of 6 both paths have 3 links.
  const Fabric ring(parse_topology("ring:6"), settings_with(100_ns, 50_ns));
  const Route route = route_between(ring.topology(), 1, 4);
  REQUIRE(route.paths().size() == 2);
  for (const Route::Path& path : route.paths()) CHECK(ring.path_latency(route, path) == 450_ns);
}

TEST_CASE("derating multiplies latency and bandwidth") {
  // (ℓ + h)·η_α = 110 ns · 1.25 = 137.5 ns. B·η_β = 50 GB/s · 0.8 = 40 GB/s.
  FabricSettings settings = settings_with(100_ns, 10_ns);
  settings.tiers[0].eta_alpha = 1.25;
  settings.tiers[0].eta_beta = 0.8;
  const Fabric fabric(parse_topology("ring:4"), settings);
  CHECK(fabric.latency(0) == 137'500_ps);
  CHECK(fabric.bandwidth(0).bytes_per_second() == Approx(40e9).epsilon(1e-15));

  SECTION("an endpoint of a switched fabric has no h to derate, the start-up is the endpoint's own") {
    // 100 ns · 1.25 up, 110 ns · 1.25 down: 262.5 ns
    settings.alpha = 1_us;
    const Fabric star(parse_topology("star:4"), settings);
    CHECK(latency_between(star, 0, 3) == 262'500_ps);
    CHECK(message_cost(star, 0, 3).latency == Approx(1.2625e-6));
  }
  SECTION("to whole picoseconds") {
    // 1 ps · 1.6 = 1.6 ps, rounded
    settings = settings_with(1_ps, 0_ps);
    settings.tiers[0].eta_alpha = 1.6;
    CHECK(Fabric(parse_topology("ring:4"), settings).latency(0) == 2_ps);
  }
  SECTION("an unlimited link stays unlimited") {
    settings.tiers[0].bandwidth = Bandwidth::unlimited();
    CHECK(Fabric(parse_topology("ring:4"), settings).bandwidth(0).is_unlimited());
  }
}

TEST_CASE("links have the speed of their tier, the last for all tiers beyond") {
  FabricSettings settings = settings_with(1_ns, 100_ns);
  settings.tiers.push_back(LinkSpeed{.bandwidth = 100_Gbps, .latency = 10_ns});

  const Fabric switched(std::make_shared<Line>(false), settings);
  CHECK(switched.bandwidth(0) == 400_Gbps);
  CHECK(switched.bandwidth(2) == 100_Gbps);
  CHECK(switched.bandwidth(4) == 100_Gbps);
  CHECK(latency_between(switched, 0, 3) == 1_ns + 10_ns + 10_ns);
  CHECK(latency_between(switched, 3, 0) == 100_ns + 10_ns + 10_ns + 1_ns);

  const Fabric direct(std::make_shared<Line>(true), settings);
  CHECK(latency_between(direct, 0, 2) == 101_ns + 110_ns);
  CHECK(direct.latency(1) == 101_ns);
}

TEST_CASE("settings out of their range are refused by name") {
  using Change = std::function<void(FabricSettings&)>;
  const std::vector<std::pair<std::string, Change>> wrong = {
      {"tier", [](FabricSettings& s) { s.tiers.clear(); }},
      {"bandwidth", [](FabricSettings& s) { s.tiers[0].bandwidth = Bandwidth(0); }},
      {"bandwidth", [](FabricSettings& s) { s.tiers[0].bandwidth = Bandwidth(-1); }},
      {"bandwidth", [](FabricSettings& s) { s.tiers[0].bandwidth = Bandwidth(std::numeric_limits<double>::quiet_NaN()); }},
      {"link latency", [](FabricSettings& s) { s.tiers[0].latency = Time::ps(-1); }},
      {"link latency", [](FabricSettings& s) { s.tiers[0].latency = Time::max(); }},
      {"link latency", [](FabricSettings& s) { s.tiers[0].eta_alpha = 1e300; }},
      {"eta_alpha", [](FabricSettings& s) { s.tiers[0].eta_alpha = 0.99; }},
      {"eta_alpha", [](FabricSettings& s) { s.tiers[0].eta_alpha = std::numeric_limits<double>::quiet_NaN(); }},
      {"eta_beta", [](FabricSettings& s) { s.tiers[0].eta_beta = 0; }},
      {"eta_beta", [](FabricSettings& s) { s.tiers[0].eta_beta = 1.01; }},
      {"eta_beta", [](FabricSettings& s) { s.tiers.push_back(LinkSpeed{.eta_beta = -1}); }},
      {"hop", [](FabricSettings& s) { s.hop = Time::ps(-1); }},
      {"host link", [](FabricSettings& s) { s.host_link = Time::ps(-1); }},
      {"alpha", [](FabricSettings& s) { s.alpha = Time::ps(-1); }},
      {"send overhead", [](FabricSettings& s) { s.send_overhead = Time::ps(-1); }},
      {"receive overhead", [](FabricSettings& s) { s.recv_overhead = Time::ps(-1); }},
      {"gamma", [](FabricSettings& s) { s.gamma = -1e-12; }},
      {"gamma", [](FabricSettings& s) { s.gamma = std::numeric_limits<double>::infinity(); }},
  };
  const auto ring = parse_topology("ring:4");
  CHECK_NOTHROW(Fabric(ring, {}));
  for (const auto& [name, change] : wrong) {
    FabricSettings settings;
    change(settings);
    CHECK_THROWS_AS(Fabric(ring, settings), InputError);
    CHECK_THROWS_WITH(Fabric(ring, settings), Catch::Contains(name));
  }
}

// Two links between hosts and routers, and the router by which the message enters: 2·100 + 300 ns on top of 400 ns a hop.
TEST_CASE("host links add two links and a router to every route of a direct network") {
  FabricSettings settings;
  settings.tiers = {LinkSpeed{.bandwidth = 50_GBps, .latency = 100_ns}};
  settings.hop = 300_ns;
  settings.host_link = 100_ns;
  const Fabric ring(parse_topology("ring:8"), settings);
  CHECK(ring.host_links() == 500_ns);
  CHECK(latency_between(ring, 0, 1) == 900_ns);
  CHECK(latency_between(ring, 0, 3) == 1700_ns);
  CHECK(message_cost(ring, 0, 1).latency == Approx(0.9e-6));
  CHECK(message_cost(ring, 2, 2).latency == 0);
  settings.tiers.push_back(LinkSpeed{.bandwidth = 50_GBps, .latency = 100_ns});
  CHECK(latency_between(Fabric(parse_topology("ring:8"), settings), 0, 3) == 1700_ns);

  // On a switched network a host's link is a link of the topology.
  const Fabric star(parse_topology("star:8"), settings);
  CHECK(star.host_links() == 0_ns);
  CHECK(latency_between(star, 0, 1) == 500_ns);

  settings.host_link = 0_ns;
  CHECK(latency_between(Fabric(parse_topology("ring:8"), settings), 0, 3) == 1200_ns);
}

TEST_CASE("presets carry their sources' parameters") {
  const FabricSettings& swing = find_fabric_preset("swing-nsdi24").settings;
  CHECK(swing.tiers[0].bandwidth == 400_Gbps);
  CHECK(swing.tiers[0].latency == 100_ns);
  CHECK(swing.hop == 300_ns);
  CHECK(swing.alpha == 0_ns);
  CHECK(swing.host_link == 100_ns);

  const FabricSettings& trivance = find_fabric_preset("trivance").settings;
  CHECK(trivance.tiers[0].bandwidth == 800_Gbps);
  CHECK(trivance.tiers[0].latency == 100_ns);
  CHECK(trivance.hop == 100_ns);
  CHECK(trivance.alpha == 1500_ns);
  CHECK(trivance.host_link == 100_ns);

  // A message through the star takes 0.4 µs + 0.1 µs before its bytes.
  const FabricSettings& nvl72 = find_fabric_preset("nvl72").settings;
  CHECK(nvl72.tiers[0].bandwidth == 900_GBps);
  CHECK(nvl72.alpha + latency_between(Fabric(parse_topology("star:72"), nvl72), 3, 71) == 500_ns);

  // NVLink is tier 0, NIC to leaf 1, leaf to spine 2: 2·ℓ₀ = 0.5 µs, 2·ℓ₁ = 2 µs, 2·ℓ₁ + 2·ℓ₂ = 8 µs.
  const FabricSettings& superpod = find_fabric_preset("superpod").settings;
  REQUIRE(superpod.tiers.size() == 3);
  CHECK(superpod.tiers[0].bandwidth == 900_GBps);
  CHECK(superpod.tiers[1].bandwidth == 50_GBps);
  CHECK(superpod.tiers[2].bandwidth == 50_GBps);
  CHECK(2 * superpod.tiers[0].latency == 500_ns);
  CHECK(2 * superpod.tiers[1].latency == 2_us);
  CHECK(2 * superpod.tiers[1].latency + 2 * superpod.tiers[2].latency == 8_us);
  CHECK(superpod.hop == 0_ns);
  CHECK(superpod.alpha == 0_ns);

  // A message over the star and a step on the torus take 0.5 µs before their bytes, under the torus profile 1.2 times that.
  const FabricSettings& ideal = find_fabric_preset("explainer-n512").settings;
  CHECK(ideal.tiers[0].bandwidth == 900_GBps);
  CHECK(ideal.alpha + latency_between(Fabric(parse_topology("star:512"), ideal), 0, 511) == 500_ns);
  CHECK(ideal.alpha + latency_between(Fabric(parse_topology("torus:8x8x8"), ideal), 0, 1) == 500_ns);
  const Fabric crossbar(parse_topology("star:512"), find_fabric_preset("explainer-n512-crossbar").settings);
  CHECK(latency_between(crossbar, 0, 1) == 500_ns);
  CHECK(crossbar.bandwidth(0).bytes_per_second() == Approx(720e9));
  const Fabric nvls(parse_topology("star:512"), find_fabric_preset("explainer-n512-nvls").settings);
  CHECK(latency_between(nvls, 0, 1) == 500_ns);
  CHECK(nvls.bandwidth(0).bytes_per_second() == Approx(468e9));
  const Fabric contended(parse_topology("torus:8x8x8"), find_fabric_preset("explainer-n512-torus").settings);
  CHECK(latency_between(contended, 0, 1) == 600_ns);
  CHECK(contended.bandwidth(0).bytes_per_second() == Approx(540e9));

  const Fabric tpu(parse_topology("torus:16x16x16"), find_fabric_preset("tpu-v5p").settings);
  CHECK(tpu.bandwidth(0) == 100_GBps);
  CHECK(tpu.settings().alpha + latency_between(tpu, 0, 1) == 500_ns);

  for (const FabricPreset& preset : fabric_presets()) {
    CHECK(find_fabric_preset(preset.name).name == preset.name);
    CHECK_NOTHROW(Fabric(parse_topology("torus:4x4"), preset.settings));
    CHECK_FALSE(preset.summary.empty());
  }
  CHECK_THROWS_WITH(find_fabric_preset("trivanse"), Catch::Contains("did you mean 'trivance'") && Catch::Contains("nvl72"));
  CHECK_THROWS_AS(find_fabric_preset(""), InputError);
}

TEST_CASE("a message's cost is its latency and the time of a byte on the narrowest link") {
  // star: α + 2ℓ + h, 1/B. An antipodal pair of ring:4 has two paths with half of the message each.
  FabricSettings settings;
  settings.tiers = {LinkSpeed{.bandwidth = Bandwidth(1e9), .latency = Time::ps(100'000)}};
  settings.hop = Time::ps(50'000);
  settings.alpha = Time::ps(1'000'000);
  const MessageCost star = message_cost(Fabric(parse_topology("star:3"), settings), 0, 1);
  CHECK(star.latency == Approx(1.25e-6));
  CHECK(star.seconds_per_byte == Approx(1e-9));
  const MessageCost ring = message_cost(Fabric(parse_topology("ring:4"), settings), 0, 2);
  CHECK(ring.latency == Approx(1.3e-6));
  CHECK(ring.seconds_per_byte == Approx(0.5e-9));
  CHECK(message_cost(Fabric(parse_topology("ring:4"), settings), 1, 1).latency == 0);
}

}  // namespace heddle
