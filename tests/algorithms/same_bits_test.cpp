// SPDX-License-Identifier: Apache-2.0
// What rows say of the bits that their ranks share is so: who promises the same keeps it, and of who does not there is an example.
#include <optional>
#include <string>
#include <vector>

#include "fuzz/cases/case_data.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/every_row.hpp"
#include "tests/registry_rows.hpp"

namespace heddle {

namespace {

using testing::sample;
using testing::sampled;

struct PlacedFabric {
  std::string topology;
  std::string placement = "linear";
};

/// Powers of two and three, both, neither, odd and prime; one dimension and more; groups even and uneven; switches that compute.
std::vector<PlacedFabric> placed_fabrics() {
  std::vector<PlacedFabric> all = {{"torus:3x5"},
                                   {"torus:4x4"},
                                   {"torus:2x3x4"},
                                   {"mesh:3x6"},
                                   {"torus:8x8"},
                                   {"clos:hosts=3,leaves=4,spines=2,alu,multicast,a2a"},
                                   {"superpod:pods=3,gpus=4,trays=2", "groups:3+1+4"}};
  const int most = sampled(sample(20, 64), 9);
  for (int p = 1; p <= most; ++p) all.push_back({(p % 2 == 0 ? "ring:" : "star:") + std::to_string(p)});
  for (const int p : {7, 8}) all.push_back({"star:" + std::to_string(p) + ",alu,multicast,a2a"});
  return all;
}

Experiment float_call(const std::string& algorithm, const PlacedFabric& where, Datatype type, const ReduceOp& op,
                      std::int64_t count) {
  Experiment what{{.fabric = {.topology = where.topology}, .placement = where.placement},
                  {.algorithm = algorithm, .type = type, .op = &op},
                  {}};
  set_count(what, count);
  return what;
}

/// No value: the row does not serve it.
std::optional<Report> run_if_served(const Experiment& what) {
  const Setup setup = set_up(what, what.algorithm, build_fabric({.topology = what.fabric.topology}), Unfitting::left_out);
  if (!testing::serves(setup)) return std::nullopt;
  return testing::run(setup);
}

/// Of a row that does not promise the same bits: whether there are fabrics on which its ranks hold different ones.
bool has_example(const std::string& algorithm) {
  for (const PlacedFabric& where : placed_fabrics()) {
    const auto report = run_if_served(float_call(algorithm, where, Datatype::f32(), ReduceOp::sum(), 300));
    if (report && report->different_bits && !report->different_bits->empty()) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("rows whose ranks hold different bits of a sum of floats") {
  std::vector<std::string> names;
  for (const Algorithm& row : registry())
    if (promises_same_bits(row) == false) names.push_back(row.name);
  CHECK(names == std::vector<std::string>{"swing_latency", "swing_latency_multiport", "bruck_latency", "trivance_latency",
                                          "bine_small", "census"});
}

TEST_CASE("every row whose ranks share a result says whether they hold the same bits") {
  for (const Algorithm& row : registry()) {
    const bool is_shared = row.collective == Collective::allreduce || row.collective == Collective::broadcast ||
                           row.collective == Collective::allgather;
    CHECK(promises_same_bits(row).has_value() == is_shared);
    if (row.collective != Collective::allreduce) CHECK(row.same_bits);
    CHECK(row.same_bits_in_any_order);
  }
}

TEST_CASE("a row that promises the same bits on all ranks keeps it, on any fabric, for any count") {
  const std::vector<Datatype> types = {Datatype::f32(), Datatype::bf16(), Datatype::f64(), Datatype::f16()};
  const std::vector<Algorithm> rows = testing::registry_entries(Collective::allreduce);
  std::size_t turn = 0;
  for (const PlacedFabric& where : placed_fabrics()) {
    for (const Algorithm& row : rows) {
      if (!row.same_bits) continue;
      for (const std::int64_t count : {1, 37, 300}) {
        if (++turn % testing::sampled(1U, 4U) != 0) continue;
        const ReduceOp& op = turn % 5 == 0 ? ReduceOp::prod() : ReduceOp::sum();
        Experiment what = float_call(row.name, where, types[turn % types.size()], op, count);
        what.in_place = turn % 2 == 0;
        INFO(what.text());
        if (const std::optional<Report> report = run_if_served(what)) CHECK(report->different_bits == "");
      }
    }
  }
}

TEST_CASE("a row that does not promise the same bits has an example, with each of its options") {
  for (const Algorithm& row : testing::registry_entries(Collective::allreduce)) {
    INFO(row.name);
    if (!row.same_bits) CHECK(has_example(row.name));
  }
}

TEST_CASE("a hierarchical allreduce promises what its outermost phase does") {
  const auto promises = [](std::string_view name) { return find_algorithm(Collective::allreduce, name).same_bits; };
  CHECK(promises("hierarchical"));
  CHECK(promises("hierarchical:outer=recursive_doubling"));
  CHECK(promises("hierarchical:inner=circulant,outer=swing_bandwidth"));
  CHECK_FALSE(promises("hierarchical:outer=swing_latency"));
  CHECK_FALSE(promises("hierarchical:inner=ring,outer=census"));
  CHECK(has_example("hierarchical:outer=census"));
}

TEST_CASE("no row's result changes with the order of events") {
  std::uint64_t seed = 0;
  for (const Algorithm& row : testing::registry_entries()) {
    if (!reduces(row.collective)) continue;
    for (const std::string& topology :
         std::vector<std::string>{"star:7", "torus:3x4", "clos:hosts=3,leaves=3,spines=2,alu,multicast,a2a"}) {
      Experiment what = float_call(row.name, {topology}, Datatype::f32(), ReduceOp::sum(), 50);
      what.collective = row.collective;
      what.order_seed = what.order.jitter = what.order.pick = ++seed;
      what.fabric.alpha = Time::ps(1'000'000);
      INFO(what.text());
      if (!what.why_not().empty()) continue;
      CHECK_FALSE(failure_of(what));
    }
  }
}

}  // namespace heddle
