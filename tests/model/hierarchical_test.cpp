// SPDX-License-Identifier: Apache-2.0
// Hierarchical collectives on pods of GPUs against the explainer's closed forms, 03 §2.1 and §2.2. Ranks meet by position, so
// that messages between pods stay on their rail; no link is shared.
#include <fmt/core.h>

#include <string>

#include "emu/check/checked_run.hpp"
#include "heddle/registry.hpp"
#include "tests/catch.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/placement/placement.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::hierarchical_model {

namespace {

using namespace literals;

constexpr double kOnePartInAMillion = 1e-6;

// 03 §1.2: α_in = 2 · 0.25 µs through an NVSwitch, α_leaf = 2 · 1 µs through a leaf, α_spine = 1 + 3 + 3 + 1 µs through a
// spine.
constexpr double kInner = 0.5e-6;
constexpr double kLeaf = 2e-6;
constexpr double kSpine = 8e-6;
constexpr double kNvlink = 900e9;
constexpr double kNic = 50e9;

FabricSettings superpod_settings() {
  FabricSettings settings;
  settings.tiers = {{.bandwidth = 900_GBps, .latency = 250_ns},
                    {.bandwidth = 50_GBps, .latency = 1_us},
                    {.bandwidth = 50_GBps, .latency = 3_us}};
  return settings;
}

/// Seconds of a checked run on every GPU; `held` of `count` i32 stand for all.
double time_of(Collective collective, std::string_view algorithm, const std::string& topology, std::int64_t count,
               std::int64_t held) {
  const Fabric fabric(parse_topology(topology), superpod_settings());
  CollectiveCall call;
  call.collective = collective;
  call.name = algorithm;
  call.function = find_algorithm(collective, algorithm).run;
  call.count = count;
  call.sampled = held;
  call.in_place = false;
  return run_checked(fabric, linear_placement(fabric.topology().endpoints(), fabric.topology()), call).completion.seconds();
}

/// 2(n-1)·α_in + 2(L-1)·α_out + 2(n-1)/n · M/B_in + 2(L-1)/L · M/n/B_out.
double ring_on_ring(double n, double groups, double bytes, double outer) {
  return 2 * (n - 1) * kInner + 2 * (groups - 1) * outer + 2 * (n - 1) / n * bytes / kNvlink +
         2 * (groups - 1) / groups * bytes / n / kNic;
}

/// n_d · (α_d + M/p/B_d).
double sends(int peers, double latency, double block, double bandwidth) { return peers * (latency + block / bandwidth); }

}  // namespace

TEST_CASE("hierarchical ring on ring takes 2(n-1)α_in + 2(L-1)α_out + 2(n-1)/n M/B_in + 2(L-1)/L M/n/B_out") {
  // 03 §2.1: N = 144 in 2 pods, M = 16 MB (16.000128 MB cut evenly): 71 + 4 + 35.06 + 4.44 = 114.5 µs; printed: about 114.
  const std::int64_t count = 144 * 27'778;
  const double seconds = time_of(Collective::allreduce, "hierarchical", "superpod:pods=2", count, 144 * 34);
  CHECK(seconds == Approx(ring_on_ring(72, 2, 4.0 * static_cast<double>(count), kLeaf)).epsilon(kOnePartInAMillion));
  CHECK(seconds == Approx(114e-6).epsilon(0.02));

  for (const auto& [pods, gpus] : {std::pair(2, 4), std::pair(3, 8), std::pair(4, 12)}) {
    INFO(pods << " pods of " << gpus);
    const std::int64_t elements = std::int64_t{1'000} * pods * gpus;
    CHECK(time_of(Collective::allreduce, "hierarchical", fmt::format("superpod:pods={},gpus={}", pods, gpus), elements,
                  elements / 10) ==
          Approx(ring_on_ring(gpus, pods, 4.0 * static_cast<double>(elements), kLeaf)).epsilon(kOnePartInAMillion));
  }
}

TEST_CASE("hierarchical over three tiers: each tier's rings carry what the tiers beneath have left") {
  // 8 GPUs in a pod, 2 pods on a leaf of each rail, 2 leaves. M = 640 KB:
  // 2·7·0.5 + 2·2 + 2·8 µs, and 7/4 · M/900 GB/s + M/8/50 GB/s + M/16/50 GB/s = 1.24 + 1.6 + 0.8 µs: 30.64 µs.
  const double bytes = 640e3;
  const double expected = 14 * kInner + 2 * kLeaf + 2 * kSpine + 1.75 * bytes / kNvlink + bytes / 8 / kNic + bytes / 16 / kNic;
  CHECK(expected == Approx(30.644e-6).epsilon(1e-4));
  CHECK(time_of(Collective::allreduce, "hierarchical", "superpod:pods=4,gpus=8,trays=2,ports=8", 160'000, 16'000) ==
        Approx(expected).epsilon(kOnePartInAMillion));
  // Half of it: one way.
  for (const Collective half : {Collective::reduce_scatter, Collective::allgather}) {
    INFO(to_string(half));
    CHECK(time_of(half, "hierarchical", "superpod:pods=4,gpus=8,trays=2,ports=8", 160'000, 16'000) ==
          Approx(expected / 2).epsilon(kOnePartInAMillion));
  }
  // As two tiers: rings of four pods, on which every other hop crosses a spine. A block's way alternates, and so α_out is the
  // mean of the two (03 §1.2, "a weighted average").
  const double two_tiers = 14 * kInner + 3 * kLeaf + 3 * kSpine + 1.75 * bytes / kNvlink + 1.5 * bytes / 8 / kNic;
  CHECK(time_of(Collective::allreduce, "hierarchical:tiers=2", "superpod:pods=4,gpus=8,trays=2,ports=8", 160'000, 16'000) ==
        Approx(two_tiers).epsilon(kOnePartInAMillion));
}

TEST_CASE("hierarchical broadcast and reduce take ⌈log2 L⌉(α_out + M/B_out) + ⌈log2 n⌉(α_in + M/B_in) with binomial trees") {
  // 4 pods of 8: 2 · (2 µs + 2 µs) + 3 · (0.5 + 0.111 µs) at M = 100 KB.
  const double bytes = 100e3;
  const double expected = 2 * (kLeaf + bytes / kNic) + 3 * (kInner + bytes / kNvlink);
  for (const Collective collective : {Collective::broadcast, Collective::reduce}) {
    INFO(to_string(collective));
    CHECK(time_of(collective, "hierarchical", "superpod:pods=4,gpus=8", 25'000, 25'000) ==
          Approx(expected).epsilon(kOnePartInAMillion));
  }
}

TEST_CASE("hierarchical alltoall takes Σ n_d·(α_d + M/N/B_d) over the distances") {
  // 03 §2.2, N = 144 in 2 pods, M = 16 MB: 71 peers over NVLink, 72 over the NICs.
  const std::int64_t count = 144 * 27'778;
  const double block = 4.0 * 27'778;
  const double near = sends(71, kInner, block, kNvlink);

  // One leaf for all: 44 + 304 = 348 µs. A rail of one GPU a tray, so that no message needs NVLink to change its rail.
  const std::string one_leaf = "superpod:pods=2,gpus=72,trays=72,ports=288";
  const double through_leaf = time_of(Collective::alltoall, "hierarchical", one_leaf, count, 144 * 2);
  CHECK(through_leaf == Approx(near + sends(72, kLeaf, block, kNic)).epsilon(kOnePartInAMillion));
  CHECK(through_leaf == Approx(348e-6).epsilon(0.02));

  // A leaf for each pod: 44 + 736 = 780 µs.
  const double through_spine =
      time_of(Collective::alltoall, "hierarchical", "superpod:pods=2,layout=pod-local", count, 144 * 2);
  CHECK(through_spine == Approx(near + sends(72, kSpine, block, kNic)).epsilon(kOnePartInAMillion));
  CHECK(through_spine == Approx(780e-6).epsilon(0.02));

  // Four rails: three in four of the 72 first change rails over NVLink, 0.5 µs each that the explainer leaves out: 375 µs.
  const double on_rails = time_of(Collective::alltoall, "hierarchical", "superpod:pods=2", count, 144 * 2);
  CHECK(on_rails ==
        Approx(near + sends(18, kLeaf, block, kNic) + sends(54, kLeaf + kInner, block, kNic)).epsilon(kOnePartInAMillion));
}

}  // namespace heddle::hierarchical_model
