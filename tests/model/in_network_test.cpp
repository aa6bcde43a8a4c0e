// SPDX-License-Identifier: Apache-2.0
// Operations that the switches do (docs/model.md, "In-network operations"):
//
//   t = α + Σ over the deepest way up and down of (ℓ + h of the vertex left) [+ h: the top switch is crossed twice] + M/B
//
//   allreduce                         α + 2k·(ℓ + h) + M/B over k tiers          Collectives Explainer 04, §1.4, §2.1, §2.2
//   reduce_scatter, allgather         α + 2k·(ℓ + h) + M/B or (p-1)/p·M/B        §1.4, §3.3
//   broadcast, reduce                 α + 2k·ℓ + (2k-1)·h + M/B
//   alltoall                          α + 2k·(ℓ + h) + (p-1)/p·M/B               §1.3
#include <algorithm>
#include <string>

#include "emu/check/checked_run.hpp"
#include "emu/switches/in_network.hpp"
#include "heddle/registry.hpp"
#include "tests/catch.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::in_network_model {

namespace {

struct Speeds {
  double bandwidth = 900e9;
  Time latency = {};
  Time hop = Time::ps(500'000);
  Time alpha = {};
  Routing routing = Routing::split();
};

Fabric fabric_of(const std::string& spec, const Speeds& speeds = {}) {
  FabricSettings settings;
  settings.tiers = {LinkSpeed{.bandwidth = Bandwidth(speeds.bandwidth), .latency = speeds.latency}};
  settings.hop = speeds.hop;
  settings.alpha = speeds.alpha;
  settings.routing = speeds.routing;
  return {parse_topology(spec), settings};
}

Report run(const Fabric& fabric, Collective collective, std::int64_t bytes, Rank root = {}) {
  const int p = fabric.topology().endpoints();
  const CollectiveCall call{.collective = collective,
                            .function = find_algorithm(collective, "in_network").run,
                            .name = "in_network",
                            .count = bytes / 4,
                            .sampled = std::min<std::int64_t>(bytes / 4, bytes / 4 % p == 0 ? p : bytes / 4),
                            .root = root};
  return run_checked(fabric, linear_placement(p, fabric.topology()), call);
}

double microseconds(const Report& report) { return report.completion.seconds() * 1e6; }

}  // namespace

TEST_CASE("2·h + M/B: the explainer's 512 ranks on a star, 16 MB: 18.8 µs") {
  // 2 · 0.5 µs + 16 MB / 900 GB/s = 1 µs + 17.778 µs, whatever p.
  const Fabric star = fabric_of("star:512,alu,multicast");
  const Report report = run(star, Collective::allreduce, 16'000'000 / 2048 * 2048);
  CHECK(microseconds(report) == Approx(1 + 15'998'976 / 900e3).epsilon(1e-6));
  CHECK(microseconds(report) == Approx(18.8).epsilon(2e-3));
  for (const std::string p : {"2", "8", "72"})
    CHECK(microseconds(run(fabric_of("star:" + p + ",alu,multicast"), Collective::allreduce, 900'000)) ==
          Approx(1 + 1).epsilon(1e-6));
}

TEST_CASE("one crossing of the switch for a broadcast and a reduce, two for the others") {
  // p = 9, ℓ = 0.1 µs, h = 0.5 µs, α = 0.3 µs, M = 900 kB: M/B = 1 µs, 8/9 · M/B = 0.889 µs.
  const Speeds speeds{.latency = Time::ps(100'000), .alpha = Time::ps(300'000)};
  const Fabric star = fabric_of("star:9,alu,multicast,a2a", speeds);
  const auto time = [&](Collective collective) { return microseconds(run(star, collective, 900'000, Rank(4))); };
  CHECK(time(Collective::broadcast) == Approx(0.3 + 2 * 0.1 + 0.5 + 1).epsilon(1e-6));
  CHECK(time(Collective::reduce) == Approx(0.3 + 2 * 0.1 + 0.5 + 1).epsilon(1e-6));
  CHECK(time(Collective::allreduce) == Approx(0.3 + 2 * 0.6 + 1).epsilon(1e-6));
  CHECK(time(Collective::reduce_scatter) == Approx(0.3 + 2 * 0.6 + 1).epsilon(1e-6));
  CHECK(time(Collective::allgather) == Approx(0.3 + 2 * 0.6 + 8.0 / 9).epsilon(1e-6));
  CHECK(time(Collective::alltoall) == Approx(0.3 + 2 * 0.6 + 8.0 / 9).epsilon(1e-6));
}

TEST_CASE("2k crossings over k tiers, whatever the number of switches") {
  // k = 2 and 3, ℓ = 0.1 µs, h = 0.5 µs: 4 · 0.6 and 6 · 0.6 µs, and M/B = 1 µs; a broadcast and a reduce cross once less.
  struct Case {
    std::string topology;
    int k;
  };
  for (const Case& what :
       {Case{"clos:hosts=4,leaves=4,spines=4,alu,multicast,a2a", 2},
        Case{"clos:hosts=4,leaves=4,spines=2,cables=2,alu,multicast,a2a", 2}, Case{"fattree:k=4,alu,multicast,a2a", 3}}) {
    for (const Routing routing : {Routing::split(), Routing::deterministic(), Routing::ecmp(3)}) {
      const Fabric fabric = fabric_of(what.topology, {.latency = Time::ps(100'000), .routing = routing});
      INFO(what.topology << ", " << to_string(routing));
      const auto time = [&](Collective collective) { return microseconds(run(fabric, collective, 14'400 * 64, Rank(5))); };
      const double whole = 14'400.0 * 64 / 900e3;
      CHECK(time(Collective::allreduce) == Approx(2 * what.k * 0.6 + whole).epsilon(1e-6));
      CHECK(time(Collective::reduce_scatter) == Approx(2 * what.k * 0.6 + whole).epsilon(1e-6));
      CHECK(time(Collective::reduce) == Approx(2 * what.k * 0.6 - 0.5 + whole).epsilon(1e-6));
      CHECK(time(Collective::broadcast) == Approx(2 * what.k * 0.6 - 0.5 + whole).epsilon(1e-6));
    }
  }
}

TEST_CASE("a leaf's uplinks carry the vector once, not once for each of its ranks; under adaptive routing all of them do") {
  for (const bool splits : {true, false}) {
    const Fabric clos = fabric_of("clos:hosts=4,leaves=4,spines=4,alu,multicast",
                                  {.routing = splits ? Routing::split() : Routing::deterministic()});
    const Report report = run(clos, Collective::allreduce, 64'000);
    std::int64_t up = 0;
    int loaded = 0;
    for (LinkId link = 0; link < clos.topology().links(); ++link) {
      const LinkEnds ends = clos.topology().ends(link);
      if (clos.topology().vertex_name(ends.from) != "leaf2" || ends.to < clos.topology().endpoints()) continue;
      up += report.links[static_cast<std::size_t>(link)].bytes.count();
      loaded += report.links[static_cast<std::size_t>(link)].bytes > Bytes() ? 1 : 0;
    }
    CHECK(up == 64'000);
    CHECK(loaded == (splits ? 4 : 1));
  }
}

TEST_CASE("each link carries the vector once: bytes counted") {
  const Fabric star = fabric_of("star:8,alu,multicast,a2a");
  const auto bytes = [&](Collective collective, int rank, bool up) {
    const Report report = run(star, collective, 8000, Rank(3));
    return report.links[static_cast<std::size_t>(2 * rank + (up ? 0 : 1))].bytes.count();
  };
  CHECK(bytes(Collective::allreduce, 5, true) == 8000);
  CHECK(bytes(Collective::allreduce, 5, false) == 8000);
  CHECK(bytes(Collective::reduce, 3, true) == 8000);
  CHECK(bytes(Collective::reduce, 3, false) == 8000);
  CHECK(bytes(Collective::reduce, 5, false) == 0);
  CHECK(bytes(Collective::broadcast, 3, true) == 8000);
  CHECK(bytes(Collective::broadcast, 3, false) == 0);
  CHECK(bytes(Collective::broadcast, 5, false) == 8000);
  CHECK(bytes(Collective::reduce_scatter, 5, true) == 8000);
  CHECK(bytes(Collective::reduce_scatter, 5, false) == 1000);
  CHECK(bytes(Collective::allgather, 5, true) == 1000);
  CHECK(bytes(Collective::allgather, 5, false) == 7000);
  CHECK(bytes(Collective::alltoall, 5, true) == 7000);
  CHECK(bytes(Collective::alltoall, 5, false) == 7000);
}

TEST_CASE("half the bytes where f32 goes as bf16: h stays, M/B halves") {
  const Fabric star = fabric_of("star:8,alu,multicast,precision=bf16");
  const CollectiveCall call{.collective = Collective::allreduce,
                            .function = find_algorithm(Collective::allreduce, "in_network").run,
                            .name = "in_network",
                            .type = Datatype::f32(),
                            .count = 225'000,
                            .sampled = 225'000};
  const Report report = run_checked(star, linear_placement(8, star.topology()), call);
  CHECK(microseconds(report) == Approx(1 + 0.5).epsilon(1e-6));
  CHECK(report.switch_precision == Datatype::bf16());
}

TEST_CASE("two operations on the same links get half of them each") {
  // Both groups are the same ranks: 2·h + 2·M/B.
  const Fabric star = fabric_of("star:4,alu,multicast");
  const CollectiveCall call{.collective = Collective::allreduce,
                            .function = find_algorithm(Collective::allreduce, "in_network").run,
                            .name = "in_network",
                            .count = 225'000,
                            .sampled = 225'000};
  const std::vector<std::vector<int>> groups{{0, 1, 2, 3}, {3, 2, 1, 0}};
  const GroupsReport report = run_checked_groups(star, linear_placement(4, star.topology()), groups, call);
  CHECK(report.report.completion.seconds() * 1e6 == Approx(1 + 2).epsilon(1e-6));
}

}  // namespace heddle::in_network_model
