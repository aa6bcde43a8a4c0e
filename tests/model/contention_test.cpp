// SPDX-License-Identifier: Apache-2.0
// What groups cost each other, as (η_α, η_β) (docs/model.md, "Contention"): where the Collectives Explainer 05, §3.2, assumes
// numbers, what runs measure.
//
//   η_α = latency part together / alone    η_β = bytes part alone / together
#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "emu/studies/further_runs.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/model/run_algorithm.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::contention_model {

namespace {

using namespace literals;

/// α = 0.5 us, B = 900 GB/s: the explainer's.
FabricSettings explainer_speeds() {
  FabricSettings settings;
  settings.tiers = {LinkSpeed{.bandwidth = 900_GBps, .latency = Time()}};
  settings.alpha = 500_ns;
  return settings;
}

/// Times are those of `count` elements; a thousandth (or, of a power of two, a 1,024th) of them are held.
CollectiveCall allreduce_of(std::string_view algorithm, std::int64_t count) {
  CollectiveCall call;
  call.name = algorithm;
  call.function = find_algorithm(Collective::allreduce, algorithm).run;
  call.count = count;
  call.sampled = count / (count % 1000 == 0 ? 1000 : 1024);
  return call;
}

using Groups = std::vector<std::vector<int>>;

/// Of these ranks in their order, `size` by `size`.
Groups cut(const std::vector<int>& ranks, int size) {
  Groups groups;
  for (auto first = ranks.begin(); first != ranks.end(); first += size) groups.emplace_back(first, first + size);
  return groups;
}

/// Of the endpoints of a torus in the order that their coordinates have when this dimension's counts last.
Groups along(std::string_view torus, int dimension, int size) {
  const auto topology = parse_topology(torus);
  const Grid& grid = *topology->grid();
  std::vector<int> ranks(static_cast<std::size_t>(grid.size()));
  std::iota(ranks.begin(), ranks.end(), 0);
  const auto key = [&](int rank) {
    std::vector<int> coordinates = grid.coordinates(Rank(rank));
    const int own = std::exchange(coordinates[static_cast<std::size_t>(dimension)], 0);
    coordinates.push_back(own);
    return coordinates;
  };
  std::sort(ranks.begin(), ranks.end(), [&](int a, int b) { return key(a) < key(b); });
  return cut(ranks, size);
}

std::vector<Contention> contention_of(std::string_view topology, const Groups& groups, const CollectiveCall& call,
                                      const EmulationSettings& settings = {}) {
  const Fabric fabric(parse_topology(topology), explainer_speeds());
  const Placement placement = linear_placement(fabric.topology().endpoints(), fabric.topology());
  const std::vector<Time> together = run_checked_groups(fabric, placement, groups, call, settings).completion;
  std::vector<Contention> measured;
  for (const auto& contention :
       measure_contention(fabric, placement, groups, std::vector(groups.size(), call), settings, together, groups.size()))
    measured.push_back(contention.value());
  return measured;
}

void check_etas(const std::vector<Contention>& groups, double eta_alpha, double eta_beta) {
  for (const Contention& group : groups) {
    CHECK(group.eta_alpha().value() == Approx(eta_alpha).epsilon(1e-4));
    CHECK(group.eta_beta().value() == Approx(eta_beta).epsilon(1e-4));
  }
}

}  // namespace

TEST_CASE("groups that share a ring's links halve each other's bandwidth: (1, 1/2)") {
  // Even and odd ranks of a ring of 8, an allreduce by ring each: 2(p-1) = 6 steps of M/4 over two links, which the other group
  // uses as well. T = 6·α + 6·(M/4)/(B·η_β) with M = 4 MB: the worked example of docs/model.md.
  const std::vector<Contention> groups = contention_of("ring:8", {{0, 2, 4, 6}, {1, 3, 5, 7}}, allreduce_of("ring", 1'000'000));
  REQUIRE(groups.size() == 2);
  check_etas(groups, 1, 0.5);
  CHECK(groups[0].latency_alone == 3_us);
  CHECK(groups[0].alone.seconds() == Approx(3e-6 + 6 * 1e6 / 900e9).epsilon(1e-6));      // 9.667 us
  CHECK(groups[0].together.seconds() == Approx(3e-6 + 12 * 1e6 / 900e9).epsilon(1e-6));  // 16.333 us
  CHECK(groups[0].slowdown().value() == Approx(16.333 / 9.667).epsilon(1e-3));
}

TEST_CASE("groups on disjoint links cost each other nothing: (1, 1)") {
  // 05, §3.2: on a star, eight octets of ports.
  check_etas(
      contention_of("star:64", cut(linear_placement(64, *parse_topology("star:64")), 8), allreduce_of("ring", 64 * 1024)), 1,
      1);
  // The same section lets groups of 8 along x of an 8x8x8 torus share links. Each has a line of the torus to itself: they share
  // none, alone or with groups along y.
  const std::string torus = testing::sample("torus:8x4x4", "torus:8x8x8");
  check_etas(contention_of(torus, along(torus, 0, 8), allreduce_of("ring", 8 * 1024)), 1, 1);
  Groups both = along("torus:8x8", 0, 8);
  std::ranges::move(along("torus:8x8", 1, 8), std::back_inserter(both));
  check_etas(contention_of("torus:8x8", both, allreduce_of("ring", 64 * 1024)), 1, 1);
  check_etas(contention_of("torus:16x2", along("torus:16x2", 0, 8), allreduce_of("ring", 64 * 1024)), 1, 1);
}

TEST_CASE("pairs across the leaves of a Clos oversubscribed by s have (1, 1/s)") {
  // Two leaves of 8 hosts, 8/s spines; rank i swaps with rank i + 8: alone B, together 8 messages on 8/s uplinks (05, §4.2).
  Groups pairs;
  for (int rank = 0; rank < 8; ++rank) pairs.push_back({rank, rank + 8});
  for (const int s : {1, 2, 4, 8}) {
    INFO("s = " << s);
    const std::string clos = "clos:hosts=8,leaves=2,spines=" + std::to_string(8 / s);
    check_etas(contention_of(clos, pairs, allreduce_of("recursive_doubling", 900'000)), 1, 1.0 / s);
  }
}

TEST_CASE("groups scattered over a torus share links: eta_beta from 1 down to below 1/2, eta_alpha 1") {
  const Groups scattered = cut(random_placement(64, *parse_topology("torus:8x8"), 3), 8);
  double worst = 1;
  for (const Contention& group : contention_of("torus:8x8", scattered, allreduce_of("ring", 64 * 1024))) {
    CHECK(group.eta_alpha().value() == Approx(1));
    CHECK(group.eta_beta().value() < 1 + 1e-4);
    worst = std::min(worst, group.eta_beta().value());
  }
  CHECK(worst < 0.5);
}

TEST_CASE("ranks in two groups wait for their other group's overheads too: eta_alpha above 1") {
  // Two groups of the same two ranks, swapping: each rank makes two sends of o = 1 us, of which one waits for the other.
  FabricSettings settings = explainer_speeds();
  settings.send_overhead = 1_us;
  const Fabric fabric(parse_topology("star:2"), settings);
  const Placement placement = linear_placement(2, fabric.topology());
  const std::vector<std::vector<int>> groups = {{0, 1}, {1, 0}};
  const CollectiveCall call = allreduce_of("recursive_doubling", 900'000);
  const std::vector<Time> together = run_checked_groups(fabric, placement, groups, call).completion;
  const auto measured = measure_contention(fabric, placement, groups, std::vector(groups.size(), call), {}, together, 2);
  // Alone α + o = 1.5 us; the later of the two 2.5 us.
  const Time later = std::max(measured[0]->latency_together, measured[1]->latency_together);
  CHECK(measured[0]->latency_alone == 1500_ns);
  CHECK(later == 2500_ns);
}

TEST_CASE("a flow that takes half of every link doubles the bytes part: (1, 1/2)") {
  // Two ranks of a star swap M = 3.6 MB: α + M/B = 0.5 + 4 us; beside half of each link 0.5 + 8 us, with or without a limit.
  for (const Bandwidth rate : {Bandwidth::unlimited(), 450_GBps}) {
    EmulationSettings settings;
    settings.background = {{.from = 0, .to = 1, .rate = rate}, {.from = 1, .to = 0, .rate = rate}};
    const std::vector<Contention> pair =
        contention_of("star:2", {{0, 1}}, allreduce_of("recursive_doubling", 900'000), settings);
    check_etas(pair, 1, 0.5);
    CHECK(pair.front().together == 8500_ns);
    CHECK(pair.front().alone == 4500_ns);
    CHECK(pair.front().slowdown().value() == Approx(8.5 / 4.5));
  }
}

TEST_CASE("a group's time alone is that of a run of this group and nobody else") {
  const Fabric fabric(parse_topology("torus:4x4"), explainer_speeds());
  const Placement placement = random_placement(16, fabric.topology(), 5);
  const std::vector<std::vector<int>> groups = {{0, 5, 10, 15}, {1, 6, 11, 12}, {3, 2}};
  const CollectiveCall call = allreduce_of("ring", 4000);
  const std::vector<Time> together = run_checked_groups(fabric, placement, groups, call).completion;
  const auto measured = measure_contention(fabric, placement, groups, std::vector(groups.size(), call), {}, together, 2);
  CHECK_FALSE(measured[0].has_value());
  for (const std::size_t g : {std::size_t{1}, std::size_t{2}}) {
    CHECK(measured[g]->together == together[g]);
    CHECK(measured[g]->alone == run_checked_groups(fabric, placement, {groups[g]}, call).completion.front());
  }
}

}  // namespace heddle::contention_model
