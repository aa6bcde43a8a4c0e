// SPDX-License-Identifier: Apache-2.0
// What tuning finds, held against what people would try by hand.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "lab/sweep/sweep.hpp"
#include "tests/catch.hpp"

namespace heddle {

namespace {

/// What somebody who knows the literature writes down for two tiers.
const std::vector<std::string> kByHand = {"hierarchical",
                                          "hierarchical:inner=in_network",
                                          "hierarchical:inner=in_network:outer=rabenseifner",
                                          "hierarchical:inner=circulant:outer=rabenseifner",
                                          "hierarchical:inner=circulant:outer=swing_bandwidth",
                                          "hierarchical:inner=ring:outer=recursive_doubling",
                                          "hierarchical:inner=pat:outer=double_binary_tree",
                                          "hierarchical:inner=bruck:outer=bruck_latency/ports=3",
                                          "hierarchical:inner=circulant/skips=power_of_two:outer=bine_large",
                                          "hierarchical:inner=pairwise:outer=reduce_broadcast"};

Sweep sweep_on(std::vector<std::string> topologies) {
  Sweep sweep;
  sweep.common.fabric.preset = "superpod";
  sweep.common.payload = Bytes(64 << 10);
  sweep.topologies = std::move(topologies);
  sweep.sizes = {Bytes(16 << 10), Bytes(1 << 20), Bytes(64 << 20)};
  return sweep;
}

/// By fabric and size.
std::map<std::pair<std::string, std::int64_t>, Time> best_hierarchical(const SweepDocument& document) {
  std::map<std::pair<std::string, std::int64_t>, Time> best;
  for (const SweepResult& run : document.runs) {
    if (bare_name(run.algorithm) != "hierarchical") continue;
    REQUIRE(run.measured);
    const auto [known, is_new] = best.try_emplace({run.fabric, run.bytes}, run.measured->time);
    if (!is_new) known->second = std::min(known->second, run.measured->time);
  }
  return best;
}

}  // namespace

TEST_CASE("on a superpod tuning finds a hierarchical variant at least as good as the best of ten by hand") {
  const std::vector<std::string> pods = {"superpod:pods=4,gpus=8,trays=2", "superpod:pods=3,gpus=6,trays=2,alu,multicast"};
  Sweep by_hand = sweep_on(pods);
  by_hand.algorithms.clear();
  for (const std::string& name : kByHand) by_hand.algorithms += (by_hand.algorithms.empty() ? "" : ",") + name;
  Sweep tuned = sweep_on(pods);
  tuned.tuning = Tuning();
  const auto of_hand = best_hierarchical(run(by_hand));
  const auto of_tuning = best_hierarchical(run(tuned));
  REQUIRE(of_hand.size() == 6);
  for (const auto& [point, time] : of_hand) {
    CAPTURE(point.first, point.second, time.ps());
    CHECK(of_tuning.at(point) <= time);
  }
}

TEST_CASE("a tuned sweep keeps to its budget at each point, and says what it left out") {
  Sweep sweep = sweep_on({"superpod:pods=2,gpus=4,trays=2"});
  sweep.algorithms = "ring,hierarchical,bruck_latency";
  sweep.tuning = Tuning{.budget = 20};
  const SweepDocument document = run(sweep);
  CHECK(document.runs.size() == 3 * 20);
  const auto& said = document.context.at("tuning");
  CHECK(said.at("budget") == 20);
  CHECK(said.at("points") == 3);
  CHECK(said.at("rows") == 9);
  CHECK(said.at("tried") == 60);
  CHECK(said.at("left_out").contains("hierarchical"));
  CHECK_FALSE(said.at("left_out").contains("bruck_latency"));
}

TEST_CASE("of a row's variants the best is shown, of equal ones the one that was planned first") {
  std::vector<SweepResult> results;
  const auto add = [&](const std::string& algorithm, std::int64_t bytes, std::int64_t ps) {
    SweepResult result;
    result.run = static_cast<int>(results.size()) + 1;
    result.fabric = "ring:4";
    result.algorithm = algorithm;
    result.bytes = bytes;
    if (ps > 0) {
      result.measured.emplace();
      result.measured->time = Time::ps(ps);
    }
    results.push_back(result);
  };
  add("ring", 1, 30);
  add("chain", 1, 0);
  add("chain:segments=1", 1, 20);
  add("chain:segments=2", 1, 20);
  add("ring", 2, 30);
  add("chain", 2, 0);
  const std::vector<SweepResult> best = best_of_rows(results);
  std::vector<std::string> names;
  for (const SweepResult& result : best) names.push_back(result.algorithm);
  CHECK(names == std::vector<std::string>{"ring", "chain:segments=1", "ring", "chain"});
}

}  // namespace heddle
