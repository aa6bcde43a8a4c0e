// SPDX-License-Identifier: Apache-2.0
// Flows in the background: what they take from messages, and what is reported of them (docs/model.md, "Background").
// B = 1 byte/ns, α = 1 us; a link of a direct network costs ℓ + h = 400 ns, the way through a star 500 ns.
#include <string>
#include <vector>

#include "emu/check/checked_run.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"
#include "topo/presets/fabric_presets.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

namespace {

using namespace literals;

constexpr Bandwidth kPercent(1e7);  // of 1 byte/ns

Report run_beside(const std::vector<BackgroundFlow>& background, const RankFunction& function,
                  std::string_view topology = "ring:8") {
  EmulationSettings settings;
  settings.background = background;
  return run_on(fabric_of(topology), function, settings);
}

Time arrival(const Report& report, std::size_t rank) { return report.ranks[rank].completion; }

std::string refusal(const BackgroundFlow& flow, const Fabric& fabric) {
  try {
    require_possible(fabric, flow);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("a background flow shares a link as a message would, and takes no more than its rate") {
  // 10,000 bytes from 0 to 1 of a ring: α + ℓ + h + m / rate, rate = max(1/2, 1 - r) for a background of r.
  const RankFunction message = at_once({{0, 1, 10'000}});
  const auto time_beside = [&](Bandwidth rate) {
    return arrival(run_beside({{.from = 0, .to = 1, .rate = rate}}, message), 1);
  };
  CHECK(arrival(run_beside({}, message), 1) == 11'400_ns);
  CHECK(time_beside(Bandwidth::unlimited()) == 21'400_ns);
  CHECK(time_beside(kPercent * 50) == 21'400_ns);
  CHECK(time_beside(kPercent * 20) == 13'900_ns);  // 10,000 / 0.8
  CHECK(time_beside(kPercent * 80) == 21'400_ns);  // fair: half, though it may have more
  // Two of them leave a third, or what both do not want.
  const BackgroundFlow greedy{.from = 0, .to = 1};
  CHECK(arrival(run_beside({greedy, greedy}, message), 1) == 31'400_ns);
  CHECK(arrival(run_beside({greedy, {.from = 0, .to = 1, .rate = kPercent * 20}}, message), 1) == 26'400_ns);  // 0.8 / 2
}

TEST_CASE("two messages at once on a link have two shares beside a background flow") {
  // Each of 10,000 bytes at 1/3: 30 us.
  CHECK(arrival(run_beside({{.from = 0, .to = 1}}, at_once({{0, 1, 10'000}, {0, 1, 10'000}})), 1) == 31'400_ns);
}

TEST_CASE("a background flow over one link alone slows what crosses it and nothing else") {
  const Fabric star = fabric_of("star:4");
  LinkId down = -1;  // s0 -> 2
  for (LinkId link = 0; link < star.topology().links(); ++link)
    if (star.topology().ends(link).to == 2) down = link;
  const Report report =
      run_beside({{.link = down, .rate = kPercent * 50}}, at_once({{0, 1, 10'000}, {3, 2, 10'000}}), "star:4");
  CHECK(arrival(report, 1) == 11'500_ns);
  CHECK(arrival(report, 2) == 21'500_ns);
}

TEST_CASE("a background flow is split where the fabric splits messages, its rate with it") {
  // Half-way round a ring of 4, both ways, half of it each: a message to the neighbour meets r/2 of it.
  const RankFunction message = at_once({{0, 1, 10'000}});
  // r = 0.4: 0.2 each way, 0.8 are left.
  CHECK(arrival(run_beside({{.from = 0, .to = 2, .rate = kPercent * 40}}, message, "ring:4"), 1) == 13'900_ns);
  // Without a limit: its half has weight 1/2 against 1 on the shared link: 2/3 are left.
  CHECK(arrival(run_beside({{.from = 0, .to = 2}}, message, "ring:4"), 1) == 16'400_ns);
}

TEST_CASE("background flows are counted by themselves, until the last rank returns") {
  // The message enters at 1 us and drains at 21 us, arrives at 21.4 us. Alone the flow carries 1 byte/ns, beside it 1/2:
  // 1000 + 10,000 + 400 bytes.
  const Report report = run_beside({{.from = 0, .to = 1}}, at_once({{0, 1, 10'000}}));
  REQUIRE(report.background.size() == 1);
  CHECK(report.background.front().bytes == 11'400_B);
  CHECK(report.messages() == 1);
  CHECK(report.sent_total() == 10'000_B);
  const LinkReport link = report.busiest_links(1).front();
  CHECK(link.bytes == 10'000_B);
  CHECK(link.busy == 20'000_ns);
  CHECK(link.peak_flows == 1);
  CHECK(report.rounds.front().peak_flows == 1);
}

TEST_CASE("latency alone: every link as if unlimited, with and without a background") {
  EmulationSettings settings;
  settings.latency_only = true;
  settings.background = {{.from = 0, .to = 1}};
  CHECK(arrival(run_on(fabric_of("ring:8"), at_once({{0, 1, 10'000}, {0, 1, 10'000}}), settings), 1) == 1'400_ns);
}

TEST_CASE("background flows that a fabric cannot have") {
  const Fabric ring = fabric_of("ring:4");
  CHECK(refusal({.from = 0, .to = 1}, ring) == "accepted");
  CHECK(refusal({.from = 0, .to = 4}, ring) ==
        "a background flow from endpoint 0 to 4: two different ones of 0 to 3 are needed");
  CHECK(refusal({.from = 2, .to = 2}, ring) ==
        "a background flow from endpoint 2 to 2: two different ones of 0 to 3 are needed");
  CHECK(refusal({.link = 8}, ring) == "a background flow over link 8: ring:4 has links 0 to 7");
  CHECK(refusal({.from = 0, .to = 1, .rate = Bandwidth(0)}, ring) == "a background flow needs a rate above 0; try 100Gbps");
  FabricSettings unlimited = find_fabric_preset("nvl72").settings;
  for (LinkSpeed& speed : unlimited.tiers) speed.bandwidth = Bandwidth::unlimited();
  CHECK(refusal({.from = 0, .to = 1}, Fabric(parse_topology("ring:4"), unlimited)) ==
        "a background flow over links of unlimited bandwidth slows nobody; limit them with --bw");
  EmulationSettings settings;
  settings.background = {{.from = 0, .to = 7}};
  CHECK_THROWS_AS(run_on(ring, at_once({}), settings), InputError);
}

}  // namespace heddle
