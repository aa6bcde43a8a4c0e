// SPDX-License-Identifier: Apache-2.0
// Runs of trees, pipelines and what is made of them against the sources' closed forms, where those can be attained.
#include <bit>
#include <cmath>
#include <string>

#include "emu/check/checked_run.hpp"
#include "heddle/registry.hpp"
#include "tests/algorithms/numbers.hpp"
#include "tests/catch.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::trees_model {

namespace {

using namespace literals;

constexpr double kOnePartInAMillion = 1e-6;

// α = 600 ns, B = 900 GB/s; no latency but where it is said: the forms have none beside α. M = 3.6 MB, so M/B = 4 µs.
constexpr double kAlpha = 0.6e-6;
constexpr double kTransfer = 4e-6;
constexpr std::int64_t kCount = 900'000;

Report run(Collective collective, std::string_view algorithm, const std::string& topology, std::int64_t count = kCount,
           Time latency = {}) {
  FabricSettings settings;
  settings.tiers = {{.bandwidth = 900_GBps, .latency = latency}};
  settings.alpha = 600_ns;
  const Fabric fabric(parse_topology(topology), settings);
  const int ranks = fabric.topology().endpoints();
  const CollectiveCall call{.collective = collective,
                            .function = find_algorithm(collective, algorithm).run,
                            .name = std::string(algorithm),
                            .count = count,
                            .sampled = count / 100};
  return run_checked(fabric, linear_placement(ranks, fabric.topology()), call);
}

double seconds(Collective collective, std::string_view algorithm, const std::string& topology, std::int64_t count = kCount) {
  return run(collective, algorithm, topology, count).completion.seconds();
}

std::string with_segments(const std::string& algorithm, int segments) {
  return algorithm + ":segments=" + std::to_string(segments);
}

}  // namespace

TEST_CASE("On a star, chain takes (p + P - 2)(α + M/(P·B))") {
  // Explainer 01 §3.1, §4.1. At p = 8 and P = 6: 12 · (0.6 µs + 0.6667 µs) = 15.2 µs.
  CHECK(seconds(Collective::broadcast, "chain:segments=6", "star:8") == Approx(15.2e-6).epsilon(kOnePartInAMillion));
  for (const Collective collective : {Collective::broadcast, Collective::reduce}) {
    for (const int p : {2, 3, 8, 13}) {
      for (const int segments : {1, 2, 6, 50}) {
        INFO(to_string(collective) << ", p = " << p << ", P = " << segments);
        const double expected = (p + segments - 2) * (kAlpha + kTransfer / segments);
        CHECK(seconds(collective, with_segments("chain", segments), "star:" + std::to_string(p)) ==
              Approx(expected).epsilon(kOnePartInAMillion));
      }
    }
  }
}

TEST_CASE("Latency beside α delays a chain once per hop, not once per segment") {
  // Links of 50 ns, so 100 ns from rank to rank. At p = 8 and P = 6 the 7 hops of the first segment pay it: 15.2 µs + 0.7 µs.
  // With it counted as part of α, as the explainer does, it would be 12 · 0.1 µs.
  const Report report = run(Collective::broadcast, "chain:segments=6", "star:8", kCount, 50_ns);
  CHECK(report.completion.seconds() == Approx(15.9e-6).epsilon(kOnePartInAMillion));
}

TEST_CASE("By default a chain has P* = √((p-2)·M/(α·B)) segments") {
  // Explainer 01 App. C.3. At p = 8: √(6 · 4/0.6) = 6.32, so 6; at p = 20: √120 = 10.95, so 11.
  CHECK(run(Collective::broadcast, "chain", "star:8").rounds_max() == 7 + 6 - 1);
  CHECK(run(Collective::reduce, "chain", "star:20").rounds_max() == 19 + 11 - 1);
  // Put into the form above, P* gives (L-1)·α + M/B + 2√((L-1)·α·M/B), L = p-1. App. C.3 prints L·α for the first term.
  const double best = 6 * kAlpha + kTransfer + 2 * std::sqrt(6 * kAlpha * kTransfer);
  CHECK(seconds(Collective::broadcast, "chain", "star:8") == Approx(best).epsilon(0.002));
}

TEST_CASE("On a star, binomial trees take log2 p · (α' + M/B) at powers of two") {
  // Explainer 01 §3.2, §4.2. At p = 8: 3 · 4.6 µs = 13.8 µs.
  for (const Collective collective : {Collective::broadcast, Collective::reduce}) {
    for (const char* algorithm : {"binomial_halving", "binomial_doubling"}) {
      CHECK(seconds(collective, algorithm, "star:8") == Approx(13.8e-6).epsilon(kOnePartInAMillion));
      for (const int n : {1, 2, 3, 4, 5}) {
        INFO(to_string(collective) << ", " << algorithm << ", p = " << (1 << n));
        const Report report = run(collective, algorithm, "star:" + std::to_string(1 << n), kCount, 50_ns);
        const double expected = n * (kAlpha + 0.1e-6 + kTransfer);
        CHECK(report.completion.seconds() == Approx(expected).epsilon(kOnePartInAMillion));
      }
    }
  }
}

TEST_CASE("A pipelined binomial tree runs at M/B only where every edge has a link of its own") {
  // Explainer 01 §3.2 and App. C: (L + P - 1)(α + M/(P·B)). With a link between every two ranks, at p = 8 and P = 8:
  // 10 · (0.6 µs + 0.5 µs) = 11 µs.
  for (const Collective collective : {Collective::broadcast, Collective::reduce}) {
    for (const int n : {1, 2, 3, 4}) {
      INFO(to_string(collective) << ", p = " << (1 << n));
      CHECK(seconds(collective, "binomial_pipelined:segments=8", "fullmesh:" + std::to_string(1 << n)) ==
            Approx((n + 7) * (kAlpha + kTransfer / 8)).epsilon(kOnePartInAMillion));
      // On one port the root sends, or takes in, n vectors, however they are cut.
      CHECK(seconds(collective, "binomial_pipelined:segments=8", "star:" + std::to_string(1 << n)) >= n * kTransfer);
    }
  }
}

TEST_CASE("On a star, a double binary tree takes (⌈log2 p⌉ + P - 1)(α + M/(P·B)) for a broadcast or a reduce, p = 4, 8, …") {
  // Two halves in P segments each, of which every rank takes in or sends two at once. At p = 8 and P = 5: 7 · 1.4 µs = 9.8 µs.
  CHECK(seconds(Collective::broadcast, "double_binary_tree:segments=5", "star:8") ==
        Approx(9.8e-6).epsilon(kOnePartInAMillion));
  for (const Collective collective : {Collective::broadcast, Collective::reduce}) {
    for (const int p : {4, 8, 16, 32}) {
      for (const int segments : {1, 2, 4, 16}) {
        INFO(to_string(collective) << ", p = " << p << ", P = " << segments);
        const std::int64_t count = 921'600;  // equal segments
        const double transfer = 4 * static_cast<double>(count) / 900e9;
        CHECK(seconds(collective, with_segments("double_binary_tree", segments), "star:" + std::to_string(p), count) ==
              Approx((testing::doublings(p) + segments - 1) * (kAlpha + transfer / segments)).epsilon(kOnePartInAMillion));
      }
    }
  }
}

TEST_CASE("A double binary tree's allreduce costs 2·M/B on one port and M/B where all ranks have links to all") {
  // Explainer 01 §5.2 prints ≈ 2⌈log2 p⌉·α + M/B; 04 §2 and 05 §4 count 2·M/B. M = 90 MB, M/B = 100 µs.
  const std::int64_t count = 22'500'000;
  for (const int p : {8, 16}) {
    INFO("p = " << p);
    const std::string ranks = std::to_string(p);
    const double on_star = seconds(Collective::allreduce, "double_binary_tree", "star:" + ranks, count);
    const double on_mesh = seconds(Collective::allreduce, "double_binary_tree", "fullmesh:" + ranks, count);
    CHECK(on_star > 2.0 * (p - 1) / p * 100e-6);
    CHECK(on_star < 1.2 * 200e-6);
    CHECK(on_mesh > 100e-6);
    CHECK(on_mesh < 1.2 * 100e-6);
  }
}

TEST_CASE("On a star, scatters, gathers and what is made of them move (p-1)/p · M each way at powers of two") {
  for (const int n : {1, 2, 3, 4}) {
    const int p = 1 << n;
    const std::string star = "star:" + std::to_string(p);
    const std::int64_t count = 921'600;
    const double all_but_own = (p - 1.0) / p * 4 * static_cast<double>(count) / 900e9;
    const auto takes = [&](Collective collective, std::string_view algorithm, int start_ups, double vectors) {
      INFO(to_string(collective) << " " << algorithm << ", p = " << p);
      CHECK(seconds(collective, algorithm, star, count) ==
            Approx(start_ups * kAlpha + vectors * all_but_own).epsilon(kOnePartInAMillion));
    };
    takes(Collective::gather, "linear", 1, 1);
    takes(Collective::scatter, "linear", 1, 1);
    takes(Collective::gather, "binomial", n, 1);
    takes(Collective::scatter, "binomial", n, 1);
    takes(Collective::broadcast, "scatter_allgather", n + p - 1, 2);
    takes(Collective::broadcast, "scatter_allgather:allgather=doubling", 2 * n, 2);
    takes(Collective::reduce, "reduce_scatter_gather", 2 * n, 2);
  }
}

TEST_CASE("On a star, barriers take their rounds of α'") {
  for (const int p : {1, 2, 5, 8, 13, 32}) {
    INFO("p = " << p);
    const std::string star = "star:" + std::to_string(p);
    const double round = kAlpha + 0.1e-6;
    CHECK(run(Collective::barrier, "dissemination", star, 0, 50_ns).completion.seconds() ==
          Approx(testing::doublings(p) * round).margin(1e-15));
    if (std::has_single_bit(static_cast<unsigned>(p))) {
      CHECK(run(Collective::barrier, "binomial", star, 0, 50_ns).completion.seconds() ==
            Approx(2 * testing::doublings(p) * round).margin(1e-15));
    }
  }
}

}  // namespace heddle::trees_model
