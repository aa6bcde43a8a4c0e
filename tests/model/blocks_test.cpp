// SPDX-License-Identifier: Apache-2.0
// Reduce-scatters, allgathers and all-to-alls on a star against the sources' closed forms: no two messages of a round share a
// port there, and blocks are equal.
#include <bit>
#include <string>
#include <vector>

#include "emu/check/checked_run.hpp"
#include "heddle/registry.hpp"
#include "tests/algorithms/numbers.hpp"
#include "tests/catch.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::blocks_model {

namespace {

using namespace literals;

constexpr double kOnePartInAMillion = 1e-6;

// α = 0.4 µs, a switch of 0.1 µs between links of 50 ns: α' = α + 2ℓ + h = 0.6 µs. B = 900 GB/s; M = 4 · 720,720 B, so M/B =
// 3.2032 µs, and every p up to 16 divides the elements.
constexpr double kAlpha = 0.6e-6;
constexpr std::int64_t kCount = 720'720;
constexpr double kTransfer = 4.0 * kCount / 900e9;

Report run(Collective collective, std::string_view algorithm, int p) {
  FabricSettings settings;
  settings.tiers = {{.bandwidth = 900_GBps, .latency = 50_ns}};
  settings.hop = 100_ns;
  settings.alpha = 400_ns;
  const Fabric fabric(parse_topology("star:" + std::to_string(p)), settings);
  const CollectiveCall call{.collective = collective,
                            .function = find_algorithm(collective, algorithm).run,
                            .name = std::string(algorithm),
                            .count = kCount,
                            .sampled = 5040,
                            .in_place = collective != Collective::alltoall};
  return run_checked(fabric, linear_placement(p, fabric.topology()), call);
}

/// Expects `start_ups` · α' + `vectors` · M/B.
void takes(Collective collective, std::string_view algorithm, int p, int start_ups, double vectors) {
  INFO(to_string(collective) << " " << algorithm << ", p = " << p);
  CHECK(run(collective, algorithm, p).completion.seconds() ==
        Approx(start_ups * kAlpha + vectors * kTransfer).margin(0).epsilon(kOnePartInAMillion));
}

}  // namespace

TEST_CASE("On a star, reduce-scatters and allgathers take their rounds of α' and (p-1)/p · M/B") {
  // Explainer 01 §6 (ring), App. A (PAT), App. B.4 (recursive halving and doubling). At p = 8: 7 · 0.6 µs + 7/8 · 3.2032 µs =
  // 7.0028 µs for ring.
  CHECK(run(Collective::allgather, "ring", 8).completion.seconds() == Approx(7.0028e-6).epsilon(kOnePartInAMillion));
  for (const int p : {1, 2, 3, 5, 6, 8, 10, 15, 16}) {
    const double all_but_own = (p - 1.0) / p;
    for (const Collective collective : {Collective::reduce_scatter, Collective::allgather}) {
      takes(collective, "ring", p, p - 1, all_but_own);
      takes(collective, "pairwise", p, p - 1, all_but_own);
      takes(collective, "pat", p, testing::doublings(p), all_but_own);
      takes(collective, "pat:aggregation=1", p, p - 1, all_but_own);
    }
    takes(Collective::allgather, "bruck", p, testing::doublings(p), all_but_own);
    takes(Collective::allgather, "sparbit", p, testing::doublings(p), all_but_own);
    if (p % 2 == 0) takes(Collective::allgather, "neighbor_exchange", p, p / 2, all_but_own);
    if (!std::has_single_bit(static_cast<unsigned>(p))) continue;
    takes(Collective::reduce_scatter, "recursive_halving", p, testing::doublings(p), all_but_own);
    takes(Collective::allgather, "recursive_doubling", p, testing::doublings(p), all_but_own);
  }
}

TEST_CASE("PAT has few rounds or M/N in each message, not both") {
  // Explainer 01 App. A prints ⌈log2 N⌉ rounds of M/N per link, which move log2 N of the N-1 blocks that every rank lacks.
  const auto blocks_per_message = [](std::string_view algorithm) {
    std::vector<double> blocks;
    for (const RoundReport& round : run(Collective::allgather, algorithm, 8).rounds)
      blocks.push_back(static_cast<double>(round.bytes.count()) / static_cast<double>(round.messages) / (4.0 * kCount / 8));
    return blocks;
  };
  CHECK(blocks_per_message("pat") == std::vector<double>{1, 2, 4});
  CHECK(blocks_per_message("pat:aggregation=2") == std::vector<double>{1, 2, 2, 2});
  CHECK(blocks_per_message("pat:aggregation=1") == std::vector<double>(7, 1));
}

TEST_CASE("On a star, all-to-alls take their rounds of α' and what they send") {
  // Explainer 01 §7.2 (pairwise), App. B.5 (Bruck). At p = 4 Bruck's takes 2 · 0.6 µs + 3.2032 µs.
  CHECK(run(Collective::alltoall, "bruck", 4).completion.seconds() == Approx(4.4032e-6).epsilon(kOnePartInAMillion));
  for (const int p : {1, 2, 3, 5, 6, 8, 10, 15, 16}) {
    const double all_but_own = (p - 1.0) / p;
    takes(Collective::alltoall, "linear", p, p > 1 ? 1 : 0, all_but_own);
    takes(Collective::alltoall, "pairwise", p, p - 1, all_but_own);
    if (std::has_single_bit(static_cast<unsigned>(p)))
      takes(Collective::alltoall, "bruck", p, testing::doublings(p), testing::doublings(p) / 2.0);
  }
}

}  // namespace heddle::blocks_model
