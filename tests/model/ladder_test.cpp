// SPDX-License-Identifier: Apache-2.0
// The explainer's ladder of 512 ranks, row by row: what it prints beside what a run takes (Collectives Explainer 04, §3.1 and
// §3.3; 05, §5.1 and §5.4). M = 16 MB, 900 GB/s, 0.5 µs. The presets carry its parameters, their derating that of 05, §4.1.
// Rows that a run does not show within 2 % stand in docs/claims/explainer.md. Those of the most messages (rings, pairwise, relays) take
// most of the time and are run where there is time.
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string_view>

#include "emu/check/checked_run.hpp"
#include "heddle/registry.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/presets/fabric_presets.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::ladder_model {
namespace {

struct Rung {
  Collective collective;
  std::string_view topology;
  std::string_view algorithm;
  std::string_view preset;
  double printed;  ///< µs
};

double microseconds(const Rung& rung, std::int64_t bytes = 16'000'000) {
  const Fabric fabric(parse_topology(rung.topology), find_fabric_preset(rung.preset).settings);
  const Algorithm algorithm = find_algorithm(rung.collective, rung.algorithm);
  Shape shape{.ranks = fabric.topology().endpoints()};
  if (const Grid* grid = fabric.topology().grid()) shape.dims = grid->dims();
  const std::int64_t held = std::lcm(algorithm.block_count(shape), std::int64_t{shape.ranks});
  CollectiveCall call;
  call.collective = rung.collective;
  call.name = algorithm.name;
  call.function = algorithm.run;
  call.count = (bytes / 4 + held - 1) / held * held;  // up to whole blocks: less than 1 part in 1000 at 1 MB
  call.sampled = held;
  call.in_place = rung.collective != Collective::alltoall;
  // Times are those of the first call; that a second is right, too, shows elsewhere.
  call.calls = testing::effort() == testing::Effort::thorough ? 2 : 1;
  return run_checked(fabric, linear_placement(shape.ranks, fabric.topology()), call).completion.seconds() * 1e6;
}

/// On kernel threads 512 ranks that exchange messages take minutes, and show nothing that fewer do not.
bool takes_too_long(const Rung& rung) { return default_threads() == Threads::kernel && rung.algorithm != "in_network"; }

void check(const Rung& rung) {
  if (takes_too_long(rung)) return;
  INFO(to_string(rung.collective) << " " << rung.algorithm << " on " << rung.topology << ", " << rung.preset);
  CHECK(microseconds(rung) == Approx(rung.printed).epsilon(0.02));
}

/// What takes seconds.
void check_long(const Rung& rung) {
  if (testing::effort() == testing::Effort::thorough) check(rung);
}

constexpr std::string_view kStar = "star:512";
constexpr std::string_view kComputing = "star:512,alu,multicast,a2a";
constexpr std::string_view kTorus = "torus:8x8x8";
constexpr std::string_view kIdeal = "explainer-n512";

}  // namespace

TEST_CASE("the ladder of 512 ranks, ideal: allreduce (Explainer 04, §3.1)") {
  // 2(N-1)·α + 2(N-1)/N · M/B; 2·log2 N; 2·α_switch + M/B; 2Σ(dᵢ-1).
  check_long({Collective::allreduce, kStar, "ring", kIdeal, 546});
  check({Collective::allreduce, kStar, "rabenseifner", kIdeal, 45});
  check({Collective::allreduce, kComputing, "in_network", kIdeal, 18.8});
  check({Collective::allreduce, kTorus, "torus_ring", kIdeal, 57});
}

TEST_CASE("in the network against halving and doubling, by size (Explainer 04, §3.2)") {
  struct Row {
    std::int64_t bytes;
    double software;
    double in_network;
  };
  for (const auto& [bytes, software, in_network] :
       {Row{10'000, 9.02, 1.01}, Row{1'000'000, 11.2, 2.1}, Row{16'000'000, 45, 18.8}, Row{1'000'000'000, 2230, 1110}}) {
    INFO(bytes << " bytes");
    if (default_threads() == Threads::kernel) continue;
    CHECK(microseconds({Collective::allreduce, kStar, "rabenseifner", kIdeal, 0}, bytes) == Approx(software).epsilon(0.02));
    CHECK(microseconds({Collective::allreduce, kComputing, "in_network", kIdeal, 0}, bytes) ==
          Approx(in_network).epsilon(0.02));
  }
}

TEST_CASE("the ladder of 512 ranks, ideal: the other collectives (Explainer 04, §3.3)") {
  for (const Collective collective : {Collective::reduce_scatter, Collective::allgather}) {
    check_long({collective, kStar, "ring", kIdeal, 273});
    check({collective, kComputing, "in_network", kIdeal, 18.7});
    check({collective, kTorus, "torus_ring", kIdeal, 28.2});
  }
  check({Collective::reduce_scatter, kStar, "recursive_halving", kIdeal, 22.2});
  check({Collective::allgather, kStar, "recursive_doubling", kIdeal, 22.2});
  check({Collective::broadcast, kComputing, "in_network", kIdeal, 18.3});
  check({Collective::reduce, kComputing, "in_network", kIdeal, 18.3});
  check_long({Collective::alltoall, kStar, "pairwise", kIdeal, 273});
  check({Collective::alltoall, kComputing, "in_network", kIdeal, 19});
  check_long({Collective::alltoall, kTorus, "torus_relay", kIdeal, 23.8});
}

TEST_CASE("the ladder of 512 ranks under measured derating (Explainer 05, §5.1 and §5.4)") {
  check({Collective::allreduce, kComputing, "in_network", "explainer-n512-nvls", 35});
  check({Collective::allreduce, kStar, "rabenseifner", "explainer-n512-crossbar", 53});
  check({Collective::allreduce, kTorus, "torus_ring", "explainer-n512-torus", 84});
  check({Collective::allgather, kComputing, "in_network", "explainer-n512-crossbar", 23.2});
  check({Collective::reduce_scatter, kComputing, "in_network", "explainer-n512-crossbar", 23.2});
  check({Collective::allgather, kStar, "recursive_doubling", "explainer-n512-crossbar", 26.7});
  check({Collective::reduce_scatter, kStar, "recursive_halving", "explainer-n512-crossbar", 26.7});
  check({Collective::allgather, kTorus, "torus_ring", "explainer-n512-torus", 42.2});
  check({Collective::reduce_scatter, kTorus, "torus_ring", "explainer-n512-torus", 42.2});
  check_long({Collective::alltoall, kStar, "pairwise", "explainer-n512-crossbar", 278});
  check_long({Collective::alltoall, kTorus, "torus_relay", "explainer-n512-torus", 36.8});
}

}  // namespace heddle::ladder_model
