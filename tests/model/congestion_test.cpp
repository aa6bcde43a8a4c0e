// SPDX-License-Identifier: Apache-2.0
// How many messages meet in the busiest link, step by step, on a ring of 2^n ranks with deterministic routing
// (Trivance, Appendix B.1); Trivance and Bruck on one of 3^n.
#include <string>

#include "tests/catch.hpp"
#include "tests/model/run_algorithm.hpp"

namespace heddle::congestion_model {

namespace {

constexpr int kLargest = 7;  // 128 ranks

Report run_on_ring(std::string_view algorithm, int n) {
  FabricSettings settings;
  settings.routing = Routing::deterministic();
  return run_algorithm(algorithm, "ring:" + std::to_string(1 << n), settings, std::int64_t{2} << n);
}

/// Swing's distance at step k: 1, 1, 3, 5, 11, 21, 43, … = (2^(k+1) - (-1)^(k+1)) / 3 (Swing §3.1.1).
int swing_distance(int k) { return ((1 << (k + 1)) + (k % 2 == 0 ? 1 : -1)) / 3; }

}  // namespace

TEST_CASE("Recursive doubling's step k has 2^k flows in the busiest link") {
  for (int n = 1; n <= kLargest; ++n) {
    const Report report = run_on_ring("recursive_doubling", n);
    REQUIRE(report.rounds_max() == n);
    for (int k = 0; k < n; ++k) {
      INFO("p = " << (1 << n) << ", step " << k);
      CHECK(report.rounds[static_cast<std::size_t>(k)].peak_flows == 1 << k);
    }
    CHECK(report.busiest_links(1).front().peak_flows == 1 << (n - 1));
  }
}

TEST_CASE("Swing's step k has half its distance, rounded up, in the busiest link through one port") {
  for (int n = 2; n <= kLargest; ++n) {
    const Report report = run_on_ring("swing_latency", n);
    REQUIRE(report.rounds_max() == n);
    for (int k = 0; k < n; ++k) {
      INFO("p = " << (1 << n) << ", step " << k);
      CHECK(report.rounds[static_cast<std::size_t>(k)].peak_flows == (swing_distance(k) + 1) / 2);
    }
  }
}

TEST_CASE("Swing's step k has its distance in the busiest link when it is mirrored") {
  for (int n = 2; n <= kLargest; ++n) {
    for (const char* algorithm : {"swing_bandwidth", "swing_latency_multiport"}) {
      const Report report = run_on_ring(algorithm, n);
      REQUIRE(report.rounds_max() >= n);
      for (int k = 0; k < n; ++k) {
        INFO(algorithm << ", p = " << (1 << n) << ", step " << k);
        CHECK(report.rounds[static_cast<std::size_t>(k)].peak_flows == swing_distance(k));
      }
    }
  }
}

TEST_CASE("Trivance's step k has 3^k flows in the busiest link of a ring of 3^n, on whole vectors and on blocks") {
  int ranks = 1;
  for (int n = 1; n <= 4; ++n) {
    ranks *= 3;
    FabricSettings settings;
    settings.routing = Routing::deterministic();
    for (const char* algorithm : {"trivance_latency", "trivance_bandwidth"}) {
      const Report report = run_algorithm(algorithm, "ring:" + std::to_string(ranks), settings, ranks);
      REQUIRE(report.rounds_max() >= n);
      int power = 1;
      for (int k = 0; k < n; ++k, power *= 3) {
        INFO(algorithm << ", p = " << ranks << ", step " << k);
        CHECK(report.rounds[static_cast<std::size_t>(k)].peak_flows == power);
      }
    }
  }
}

TEST_CASE("Bruck's step k has 3·3^k flows in the busiest link, but 3^k in the last, whose longer way is shorter backwards") {
  int ranks = 1;
  for (int n = 1; n <= 4; ++n) {
    ranks *= 3;
    FabricSettings settings;
    settings.routing = Routing::deterministic();
    for (const char* algorithm : {"bruck_latency", "bruck_bandwidth"}) {
      const Report report = run_algorithm(algorithm, "ring:" + std::to_string(ranks), settings, ranks);
      REQUIRE(report.rounds_max() >= n);
      int power = 1;
      for (int k = 0; k < n; ++k, power *= 3) {
        INFO(algorithm << ", p = " << ranks << ", step " << k);
        CHECK(report.rounds[static_cast<std::size_t>(k)].peak_flows == (k + 1 == n ? power : 3 * power));
      }
    }
  }
}

TEST_CASE("Rings and buckets never share a link") {
  const FabricSettings settings;
  CHECK(run_algorithm("ring", "ring:9", settings, 90).busiest_links(1).front().peak_flows == 1);
  CHECK(run_algorithm("ring_bidirectional", "ring:9", settings, 180).busiest_links(1).front().peak_flows == 1);
  CHECK(run_algorithm("bucket", "torus:4x4", settings, 640).busiest_links(1).front().peak_flows == 1);
  CHECK(run_algorithm("bucket", "torus:3x3x3", settings, 1620).busiest_links(1).front().peak_flows == 1);
}

}  // namespace heddle::congestion_model
