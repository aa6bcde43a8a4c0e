// SPDX-License-Identifier: Apache-2.0
// The sources' formulas for time and congestion, against runs.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "algorithms/registry.hpp"
#include "emu/checked_run.hpp"
#include "tests/catch.hpp"

namespace heddle {

namespace {

constexpr double kLatency = 100e-9;  ///< ℓ of a link
constexpr double kHop = 300e-9;      ///< h
constexpr double kAlpha = 1.5e-6;    ///< α
constexpr double kBandwidth = 50e9;  ///< B, bytes/s

Report run(std::string_view name, const std::string& topology, std::int64_t count, TieBreak tie_break) {
  FabricSettings settings;
  settings.tiers = {{.bandwidth = Bandwidth(kBandwidth), .latency = Time::from_seconds(kLatency)}};
  settings.hop = Time::from_seconds(kHop);
  settings.alpha = Time::from_seconds(kAlpha);
  settings.tie_break = tie_break;
  const Fabric fabric(parse_topology(topology), settings);
  const Algorithm& algorithm = find_algorithm(Collective::allreduce, name);
  const CollectiveCall call{.function = algorithm.run, .name = std::string(name), .count = count, .held = count};
  return run_checked(fabric, linear_placement(fabric.topology().endpoints(), fabric.topology()), call);
}

/// The most messages at once on one link, round by round.
std::vector<int> peak_flows(std::string_view name, int ranks, std::int64_t count) {
  std::vector<int> peaks;
  for (const RoundReport& round : run(name, "ring:" + std::to_string(ranks), count, TieBreak::deterministic).rounds) {
    peaks.push_back(round.peak_flows);
  }
  return peaks;
}

/// δ(k) = (2^(k+1) - (-1)^(k+1)) / 3.
int swing_delta(int k) { return ((2 << k) - (k % 2 == 0 ? -1 : 1)) / 3; }

}  // namespace

TEST_CASE("time on a star, uncontended") {
  // α′ = α + 2ℓ + h = 1.5 + 0.2 + 0.3 = 2 µs; M = 4 · 13,440 = 53,760 B, M/B = 1.0752 µs.
  //   ring                2(p-1)·α′ + 2(p-1)/p · M/B     p = 8: 28 + 1.8816 = 29.8816 µs
  //   recursive doubling  log2 p · (α′ + M/B)            p = 8:  6 + 3.2256 =  9.2256 µs
  //   Rabenseifner        2·log2 p · α′ + 2(p-1)/p · M/B p = 8: 12 + 1.8816 = 13.8816 µs
  const std::int64_t count = 13'440;  // = 2^7 · 3 · 5 · 7
  const double start_up = kAlpha + 2 * kLatency + kHop;
  const double whole = 4 * static_cast<double>(count) / kBandwidth;
  const auto time = [&](std::string_view name, int p) {
    return run(name, "star:" + std::to_string(p), count, TieBreak::split).completion.seconds();
  };
  const auto close = [](double seconds) { return Approx(seconds).epsilon(1e-6).scale(0); };

  CHECK(time("ring", 8) == close(29.8816e-6));
  CHECK(time("recursive_doubling", 8) == close(9.2256e-6));
  CHECK(time("rabenseifner", 8) == close(13.8816e-6));
  for (const int p : {2, 3, 5, 6, 7, 12, 16, 21}) {
    CAPTURE(p);
    CHECK(time("ring", p) == close(2 * (p - 1) * start_up + 2.0 * (p - 1) / p * whole));
  }
  for (const int p : {2, 4, 16, 32}) {
    CAPTURE(p);
    const double steps = std::log2(p);
    CHECK(time("recursive_doubling", p) == close(steps * (start_up + whole)));
    CHECK(time("rabenseifner", p) == close(2 * steps * start_up + 2.0 * (p - 1) / p * whole));
    CHECK(time("swing_latency", p) == close(steps * (start_up + whole)));
    CHECK(time("reduce_broadcast", p) == close(2 * steps * (start_up + whole)));
  }
}

TEST_CASE("flows on the busiest link of a ring") {
  // Trivance (Jürß et al.) App. B.1, step k of a ring of 2^n: recursive doubling 2^k; Swing ⌈δ(k)/2⌉ through one port, δ(k)
  // plain and mirrored, δ(k) = (2^(k+1) - (-1)^(k+1)) / 3.
  for (const int n : {2, 3, 4, 5, 6}) {
    CAPTURE(n);
    std::vector<int> doubling;
    std::vector<int> one_port;
    std::vector<int> both_ports;
    for (int k = 0; k < n; ++k) {
      doubling.push_back(1 << k);
      one_port.push_back((swing_delta(k) + 1) / 2);
      both_ports.push_back(swing_delta(k));
    }
    CHECK(peak_flows("recursive_doubling", 1 << n, 256) == doubling);
    CHECK(peak_flows("swing_latency", 1 << n, 256) == one_port);
    CHECK(peak_flows("swing_latency_multiport", 1 << n, 256) == both_ports);

    std::vector<int> there_and_back = both_ports;
    there_and_back.insert(there_and_back.end(), both_ports.rbegin(), both_ports.rend());
    CHECK(peak_flows("swing_bandwidth", 1 << n, 256) == there_and_back);
  }
}

TEST_CASE("ring and bucket never share a link") {
  // Swing §2.3.1 and §2.3.4: Ξ = 1.
  const auto most = [](const Report& report) {
    int peak = 0;
    for (const RoundReport& round : report.rounds) peak = std::max(peak, round.peak_flows);
    return peak;
  };
  CHECK(most(run("ring", "ring:9", 180, TieBreak::split)) == 1);
  CHECK(most(run("ring_bidirectional", "ring:9", 180, TieBreak::split)) == 1);
  CHECK(most(run("bucket", "torus:5x5", 1000, TieBreak::split)) == 1);
  CHECK(most(run("bucket", "torus:4x4x4", 3840, TieBreak::split)) == 1);
}

}  // namespace heddle
