// SPDX-License-Identifier: Apache-2.0
// The parts of the critical path where steps are in lockstep: the congestion-aware model of the sources, steps·α + Σ β·m_k·c_k
// (Trivance §2.1), taken apart.
#include <string>

#include "emu/record/report.hpp"
#include "tests/catch.hpp"
#include "tests/model/run_algorithm.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::critical_path_model {

namespace {

/// α = 1 us, B = 1 byte/ns, ℓ = 10 ns, one way where two tie.
FabricSettings speeds() {
  using namespace literals;
  FabricSettings settings;
  settings.tiers = {LinkSpeed{.bandwidth = 1_GBps, .latency = 10_ns}};
  settings.alpha = 1_us;
  settings.routing = Routing::deterministic();
  return settings;
}

Time nanoseconds(std::int64_t count) { return Time::ps(1000 * count); }

std::int64_t power(std::int64_t base, int exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }

}  // namespace

TEST_CASE("Contention of recursive doubling on a ring of 2^n is M·Σ(2^k − 1)/B, its serialisation n·M/B") {
  // M = 4,096 bytes, k = 0 … n−1.
  for (int n = 1; n <= 6; ++n) {
    INFO("p = " << power(2, n));
    const Report report = run_algorithm("recursive_doubling", "ring:" + std::to_string(power(2, n)), speeds(), 1024);
    const PathParts& parts = report.critical_path.parts;
    CHECK(parts.startup == nanoseconds(1000 * n));
    CHECK(parts.propagation == nanoseconds(10 * (power(2, n) - 1)));  // distances 1, 2, 4, …
    CHECK(parts.serialisation == nanoseconds(4096 * n));
    CHECK(parts.contention == nanoseconds(4096 * (power(2, n) - 1 - n)));
    CHECK(report.contention_free == report.completion - parts.contention);
    CHECK(report.critical_path.messages == n);
  }
}

TEST_CASE("Contention of Trivance on a ring of 3^n is M·Σ(3^k − 1)/B") {
  // Whole vectors both ways at distance 3^k, which as many share: Trivance §4.1.
  for (int n = 1; n <= 4; ++n) {
    INFO("p = " << power(3, n));
    const Report report = run_algorithm("trivance_latency", "ring:" + std::to_string(power(3, n)), speeds(), 1024);
    const PathParts& parts = report.critical_path.parts;
    CHECK(parts.serialisation == nanoseconds(4096 * n));
    CHECK(parts.contention == nanoseconds(4096 * ((power(3, n) - 1) / 2 - n)));
    CHECK(parts.total() == report.completion);
  }
}

TEST_CASE("Rings have no contention, and all of their time is start-up, propagation and serialisation") {
  // 2(p−1) steps of M/p
  const Report report = run_algorithm("ring", "ring:8", speeds(), 2048);
  const PathParts& parts = report.critical_path.parts;
  CHECK(parts.startup == nanoseconds(14'000));
  CHECK(parts.propagation == nanoseconds(140));
  CHECK(parts.serialisation == nanoseconds(14 * 1024));
  CHECK(parts.contention == Time());
  CHECK(report.contention_free == report.completion);
}

TEST_CASE("Deficiencies of recursive doubling and of a ring on a ring of 16") {
  // Swing, Table 2 with D = 1 and one port of two in use: Λ = 1, Ψ = log₂p; Ξ = Σ2^k / log₂p. Trivance, Table 1: Λ = log₂3,
  // Δ = log₂p / 2, Θ = p − 1 ("≈ n").
  const Fabric fabric(parse_topology("ring:16"), speeds());
  const Placement placement = linear_placement(16, fabric.topology());
  const auto of = [&](std::string_view algorithm) {
    const Report report = run_algorithm(algorithm, "ring:16", speeds(), 4096);
    return deficiencies(report, Collective::allreduce, Bytes(16384), fabric, placement).value();
  };
  const Deficiencies doubling = of("recursive_doubling");
  CHECK(doubling.latency == Approx(1));
  CHECK(doubling.bandwidth.value() == Approx(4));
  CHECK(doubling.congestion.value() == Approx(15.0 / 4));
  CHECK(doubling.latency_base_3 == Approx(1.58496));
  CHECK(doubling.sent == Approx(2));
  CHECK(doubling.transmission_delay.value() == Approx(15));
  // One direction of two: 2(p−1)/p·M over one port.
  const Deficiencies ring = of("ring");
  CHECK(ring.latency == Approx(30.0 / 4));
  CHECK(ring.bandwidth.value() == Approx(2 * 15.0 / 16));
  CHECK(ring.congestion.value() == Approx(1));
}

TEST_CASE("The α-β model takes away contention and nothing else") {
  const Fabric fabric(parse_topology("ring:16"), speeds());
  CollectiveCall call;
  call.function = find_algorithm(Collective::allreduce, "recursive_doubling").run;
  call.count = call.sampled = 1024;
  EmulationSettings settings;
  settings.model = Model::alpha_beta;
  const Report report = run_checked(fabric, linear_placement(16, fabric.topology()), call, settings);
  CHECK(report.completion == nanoseconds(4000 + 150 + 4 * 4096));
  CHECK(report.critical_path.parts.contention == Time());
  CHECK(report.busiest_links(1).front().peak_flows == 8);  // links still count what they carry
}

TEST_CASE("The α-β model refuses a load in the background, which could slow nobody down") {
  const Fabric fabric(parse_topology("ring:4"), speeds());
  EmulationSettings settings;
  settings.model = Model::alpha_beta;
  settings.background = {BackgroundFlow{.from = 0, .to = 1}};
  CHECK_THROWS_WITH(emulate(
                        fabric, linear_placement(4, fabric.topology()), [](Communicator&) {}, settings),
                    "the alpha-beta model has no contention: a load in the background would slow nobody down; try fluid");
}

}  // namespace heddle::critical_path_model
