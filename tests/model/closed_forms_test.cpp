// SPDX-License-Identifier: Apache-2.0
// Runs on a star against the sources' closed forms: no contention there, and blocks are equal, so that they must agree.
#include <string>

#include "tests/catch.hpp"
#include "tests/model/run_algorithm.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::closed_forms_model {

namespace {

using namespace literals;

constexpr double kOnePartInAMillion = 1e-6;

// α = 0.4 µs, a switch of 0.1 µs between links of 50 ns: α' = α + 2ℓ + h = 0.6 µs. B = 900 GB/s.
FabricSettings star_settings() {
  FabricSettings settings;
  settings.tiers = {{.bandwidth = 900_GBps, .latency = 50_ns}};
  settings.hop = 100_ns;
  settings.alpha = 400_ns;
  return settings;
}
constexpr double kAlpha = 0.6e-6;
constexpr double kBandwidth = 900e9;

// Megabytes on the wire, kilobytes in memory: a hundredth of the elements stands for all, in blocks as equal as theirs.
double run_on_star(std::string_view algorithm, int p, std::int64_t count) {
  return run_algorithm(algorithm, "star:" + std::to_string(p), star_settings(), count, count / 100).completion.seconds();
}

}  // namespace

TEST_CASE("On a star, ring takes 2(p-1)·α' + 2(p-1)/p · M/B") {
  // Explainer 01 §5.1. At p = 8 and M = 3.36 MB: 14 · 0.6 µs + 1.75 · 3.7333 µs = 14.933 µs.
  CHECK(run_on_star("ring", 8, 840'000) == Approx(14.93333e-6).epsilon(kOnePartInAMillion));
  for (const int p : {1, 2, 3, 5, 7, 8, 12, 15}) {
    const std::int64_t count = 840'000;  // a multiple of 100 p for each of them
    const double bytes = 4.0 * static_cast<double>(count);
    const double expected = 2.0 * (p - 1) * kAlpha + 2.0 * (p - 1) / p * bytes / kBandwidth;
    INFO("p = " << p);
    CHECK(run_on_star("ring", p, count) == Approx(expected).epsilon(kOnePartInAMillion));
  }
}

TEST_CASE("On a star, recursive doubling takes log2 p · (α' + M/B) at powers of two") {
  // Explainer 01 B.1. At p = 8 and M = 3.6 MB: 3 · (0.6 µs + 4 µs) = 13.8 µs.
  CHECK(run_on_star("recursive_doubling", 8, 900'000) == Approx(13.8e-6).epsilon(kOnePartInAMillion));
  for (const int n : {0, 1, 2, 3, 4, 5}) {
    INFO("p = " << (1 << n));
    CHECK(run_on_star("recursive_doubling", 1 << n, 450'000) ==
          Approx(n * (kAlpha + 2e-6)).margin(0).epsilon(kOnePartInAMillion));
  }
}

TEST_CASE("On a star, Rabenseifner takes 2·log2 p · α' + 2(p-1)/p · M/B at powers of two") {
  // Explainer 01 B.2. At p = 4 and M = 3.6 MB: 4 · 0.6 µs + 1.5 · 4 µs = 8.4 µs.
  CHECK(run_on_star("rabenseifner", 4, 900'000) == Approx(8.4e-6).epsilon(kOnePartInAMillion));
  for (const int n : {0, 1, 2, 3, 4, 5}) {
    const int p = 1 << n;
    INFO("p = " << p);
    const double expected = 2 * n * kAlpha + 2.0 * (p - 1) / p * 4 * 921'600 / kBandwidth;
    CHECK(run_on_star("rabenseifner", p, 921'600) == Approx(expected).margin(0).epsilon(kOnePartInAMillion));
  }
}

TEST_CASE("Payload scale changes the memory, not the time") {
  const Fabric fabric(parse_topology("star:8"), star_settings());
  const Placement ranks = linear_placement(8, fabric.topology());
  CollectiveCall call;
  call.function = find_algorithm(Collective::allreduce, "ring").run;
  call.count = 1 << 16;
  Time whole;
  for (const std::int64_t held : {1 << 16, 1 << 12, 64, 8}) {
    call.sampled = held;
    const Report report = run_checked(fabric, ranks, call);
    if (held == call.count) whole = report.completion;
    CHECK(report.completion == whole);
    CHECK(report.byte_scale == static_cast<double>(call.count) / static_cast<double>(held));
    CHECK(report.sent_max() == Bytes(2 * 7 * (call.count * 4 / 8)));
  }
}

}  // namespace heddle::closed_forms_model
