// SPDX-License-Identifier: Apache-2.0
// The explainer's SuperPOD of two pods, N = 144, M = 16 MB, beside what it compares it with (Collectives Explainer 03, §2.1 and
// §2.2), and bytes on the global links of a fat-tree (Bine, De Sensi et al., Fig. 1).
#include <cstdint>
#include <string_view>

#include "emu/check/checked_run.hpp"
#include "heddle/registry.hpp"
#include "tests/catch.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/presets/fabric_presets.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::superpod_model {
namespace {

using namespace literals;

/// 16 MB, up to whole blocks and segments.
double microseconds(const Fabric& fabric, Collective collective, std::string_view algorithm) {
  const std::int64_t p = fabric.topology().endpoints();
  CollectiveCall call;
  call.collective = collective;
  call.name = algorithm;
  call.function = find_algorithm(collective, algorithm).run;
  call.count = 4'000'000 / (p * p) * p * p;
  call.sampled = p * p;
  call.in_place = collective != Collective::alltoall;
  return run_checked(fabric, linear_placement(static_cast<int>(p), fabric.topology()), call).completion.seconds() * 1e6;
}

Fabric superpod(std::string_view spec) { return {parse_topology(spec), find_fabric_preset("superpod").settings}; }

Fabric flat(Time alpha, Bandwidth bandwidth) {
  FabricSettings settings;
  settings.tiers = {LinkSpeed{.bandwidth = bandwidth, .latency = Time()}};
  settings.alpha = alpha;
  return {parse_topology("star:144"), settings};
}

}  // namespace

TEST_CASE("an allreduce over two pods: hierarchical 114 us, flat NVSwitch 178, flat InfiniBand 2,920") {
  // 2·71·0.5 + 2·71/72·16/0.9 + 2·2 + 2·(1/2)·(16/72)/0.05 µs; 2·143·α + 2·143/144·M/B.
  CHECK(microseconds(superpod("superpod:pods=2"), Collective::allreduce, "hierarchical:inner=ring:outer=ring") ==
        Approx(114).epsilon(0.02));
  CHECK(microseconds(flat(500_ns, 900_GBps), Collective::allreduce, "ring") == Approx(178).epsilon(0.02));
  CHECK(microseconds(flat(8_us, 50_GBps), Collective::allreduce, "ring") == Approx(2920).epsilon(0.02));
}

TEST_CASE("an alltoall over two pods: 348 us through one leaf, 780 through spines, 1,460 over InfiniBand alone") {
  // 71·(0.5 + 0.123) + 72·(α + 2.222) µs with α = 2, 8; 143·(8 + 2.222).
  constexpr std::string_view kOneRail = "superpod:pods=2,gpus=72,trays=72,ports=288";  // all NICs on one leaf
  CHECK(microseconds(superpod(kOneRail), Collective::alltoall, "hierarchical") == Approx(348).epsilon(0.02));
  CHECK(microseconds(superpod("superpod:pods=2,layout=pod-local"), Collective::alltoall, "hierarchical") ==
        Approx(780).epsilon(0.02));
  CHECK(microseconds(flat(8_us, 50_GBps), Collective::alltoall, "pairwise") == Approx(1460).epsilon(0.02));
  // On four rails, 54 of the 72 peers in the other pod are on another rail: 0.5 µs more each for the NVLink bridge.
  CHECK(microseconds(superpod("superpod:pods=2"), Collective::alltoall, "hierarchical") ==
        Approx(348 + 54 * 0.5).epsilon(0.02));
}

TEST_CASE("a broadcast over four leaves of two: 6n bytes up with distances doubling, 3n halving") {
  const Fabric tree(parse_topology("clos:hosts=2,leaves=4,spines=1"), {});
  REQUIRE(tree.topology().properties().tiers[1].oversubscription == 2);
  const auto vectors_up = [&](std::string_view algorithm) {
    CollectiveCall call;
    call.collective = Collective::broadcast;
    call.name = algorithm;
    call.function = find_algorithm(Collective::broadcast, algorithm).run;
    call.count = call.sampled = 64;
    std::int64_t bytes = 0;
    for (const LinkReport& link : run_checked(tree, linear_placement(8, tree.topology()), call).links) {
      const LinkEnds ends = tree.topology().ends(link.link);
      if (tree.topology().tier(link.link) == 1 && ends.from < ends.to) bytes += link.bytes.count();
    }
    return bytes / (64 * 4);
  };
  CHECK(vectors_up("binomial_doubling") == 6);
  CHECK(vectors_up("binomial_halving") == 3);
}

}  // namespace heddle::superpod_model
