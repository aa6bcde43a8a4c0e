// SPDX-License-Identifier: Apache-2.0
// How sure decisions are: what is close to the next best, and what holds between two sizes.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "lab/results/decisions.hpp"
#include "lab/sweep/sweep_document.hpp"
#include "tests/catch.hpp"
#include "tests/drawn.hpp"
#include "tests/lab/results/sweep_of.hpp"

namespace heddle::decisions {

using namespace test;
using Texts = std::vector<std::string>;

namespace {

RankDecisions decided(const std::vector<Written>& results, double margin = kMargin,
                      const std::string& collective = "allreduce") {
  return decide(openmpi_target(), {sweep_of(collective, results)}, "", margin).collectives.front().ranks.front();
}

/// "0 recursive_doubling"
Texts rules_of(const RankDecisions& decisions) {
  Texts texts;
  for (const SizeRule& rule : size_rules(decisions))
    texts.push_back(std::to_string(rule.from) + " " + (rule.decision->choice ? rule.decision->choice->algorithm : "-"));
  return texts;
}

}  // namespace

TEST_CASE("what is less than the margin ahead of the next best is left to the target") {
  const std::vector<Written> results = {
      {8, 1024, "recursive_doubling", 100},  {8, 1024, "ring", 104},  {8, 1024, "swing_bandwidth", 90},
      {8, 65536, "recursive_doubling", 300}, {8, 65536, "ring", 200}, {8, 65536, "rabenseifner", 210}};
  const RankDecisions close = decided(results);
  CHECK(rules_of(close) == Texts{"0 -", "65536 ring"});
  REQUIRE(close.sizes[0].close);
  CHECK(close.sizes[0].close->algorithm == "recursive_doubling");
  CHECK(close.sizes[0].next->algorithm == "ring");
  CHECK(lead_of(*close.sizes[0].close, *close.sizes[0].next) == Approx(0.04));
  // What the target does not have is named as before, and is no next best.
  CHECK(close.sizes[0].missed->algorithm == "swing_bandwidth");
  CHECK(close.sizes[1].next->algorithm == "rabenseifner");
  CHECK(lead_of(*close.sizes[1].choice, *close.sizes[1].next) == Approx(0.05));
  CHECK(rules_of(decided(results, 0.03)).front() == "0 recursive_doubling");
  CHECK(rules_of(decided(results, 0)).front() == "0 recursive_doubling");
  CHECK(rules_of(decided(results, 0.06)) == Texts{"0 -"});
  // Two names for one algorithm of the target are not beside each other; one alone is chosen.
  CHECK_FALSE(decided({{8, 1024, "ring", 100}}).sizes[0].next);
  CHECK(rules_of(decided({{8, 1024, "ring", 100}})) == Texts{"0 ring"});
}

TEST_CASE("between two sizes a rule begins where the lines cross") {
  // 10 + 100 x and 20 + 40 x: they cross at x = 1/6, at 18,090.7 bytes, which is element 4,523 of 4 bytes.
  const std::vector<Written> results = {{8, 1024, "recursive_doubling", 10},
                                        {8, 1024, "ring", 20},
                                        {8, 103424, "recursive_doubling", 110},
                                        {8, 103424, "ring", 60}};
  const RankDecisions crossing = decided(results);
  CHECK(rules_of(crossing) == Texts{"0 recursive_doubling", "18092 ring"});
  REQUIRE(crossing.between.size() == 1);
  CHECK(crossing.between[0].is_estimated);
  CHECK(crossing.between[0].choice->time.seconds() * 1e6 == Approx(26.667).epsilon(1e-3));
  // Where the messages are not the same, nobody knows: the rule begins at the size that was measured.
  std::vector<Written> other = results;
  other[3].rounds = 9;
  CHECK(rules_of(decided(other)) == Texts{"0 recursive_doubling", "103424 ring"});
}

TEST_CASE("a third one that is the best between two sizes counts, if it is clearly ahead there") {
  const auto with_third = [](std::int64_t above) {
    return std::vector<Written>{{8, 1000, "recursive_doubling", 10},  {8, 1000, "rabenseifner", 20},    {8, 1000, "ring", 60},
                                {8, 2000, "recursive_doubling", 200}, {8, 2000, "rabenseifner", above}, {8, 2000, "ring", 64}};
  };
  CHECK(rules_of(decided(with_third(70))) == Texts{"0 recursive_doubling", "1072 rabenseifner", "1872 ring"});
  // 20 + 160 x is 63.0 where both others are 61.1: never ahead. 20 + 150 x is 60.3 there, ahead by 1.2 %.
  CHECK(rules_of(decided(with_third(180))) == Texts{"0 recursive_doubling", "1272 ring"});
  CHECK(rules_of(decided(with_third(170))) == Texts{"0 recursive_doubling", "1272 ring"});
  CHECK(rules_of(decided(with_third(170), 0)).size() == 3);
}

TEST_CASE("the segment of a pipeline is as long between two sizes as makes the same number of segments") {
  // p = 4: P = rounds - 2 = 8 segments at both sizes.
  const RankDecisions crossing = decided({{4, 4096, "binomial_doubling", 10},
                                          {4, 4096, "chain:segments=8", 20, 10},
                                          {4, 12288, "binomial_doubling", 40},
                                          {4, 12288, "chain:segments=8", 30, 10}},
                                         kMargin, "broadcast");
  CHECK(rules_of(crossing) == Texts{"0 binomial_doubling", "8192 chain:segments=8", "12288 chain:segments=8"});
  CHECK(crossing.between[0].choice->segment == Bytes(1024));
}

TEST_CASE(
    "decided without a margin, at each rule's first size and each size that was measured the one that is named is the least") {
  testing::property([] {
    const Texts rows = {"rabenseifner", "recursive_doubling", "ring"};
    std::map<std::int64_t, std::map<std::string, std::int64_t>> times;
    std::vector<Written> results;
    std::int64_t bytes = 32;
    const int sizes = drawn::number(1, 5);
    for (int s = 0; s < sizes; ++s) {
      bytes += 4 * drawn::number<std::int64_t>(1, 5000);
      for (const std::string& row : rows) {
        const std::int64_t us = drawn::number(0, 9) == 0 ? 0 : drawn::number<std::int64_t>(1, 40);
        results.push_back({8, bytes, row, us});
        if (us > 0) times[bytes][row] = us;
      }
    }
    if (times.empty()) return;
    const RankDecisions decisions = decided(results, 0);
    const std::vector<SizeRule> rules = size_rules(decisions);
    for (const auto& [size, of_size] : times) {
      const SizeRule* rule = nullptr;
      for (const SizeRule& one : rules)
        if (one.from <= size) rule = &one;
      RC_ASSERT(rule->decision->choice.has_value());
      const std::int64_t least = std::ranges::min_element(of_size, {}, [](const auto& one) { return one.second; })->second;
      RC_ASSERT(of_size.contains(rule->decision->choice->algorithm));
      RC_ASSERT(of_size.at(rule->decision->choice->algorithm) == least);
    }
    for (const Decision& between : decisions.between) {
      const auto above = times.upper_bound(between.bytes);
      const auto below = std::prev(above);
      const auto at = [&](const std::string& row) -> std::optional<double> {
        if (!below->second.contains(row) || !above->second.contains(row)) return std::nullopt;
        const double part =
            static_cast<double>(between.bytes - below->first) / static_cast<double>(above->first - below->first);
        return static_cast<double>(below->second.at(row)) * (1 - part) + static_cast<double>(above->second.at(row)) * part;
      };
      // A rule begins at the next whole element: lines may have gone on a little.
      for (const std::string& row : rows)
        if (const auto other = at(row))
          RC_ASSERT(*at(between.choice->algorithm) <= *other + 80.0 * 4 / static_cast<double>(above->first - below->first));
    }
  });
}

TEST_CASE("decisions say whether the speeds of their fabrics were fitted to measured runs") {
  NamedSweep sweep = sweep_of("allreduce", {{8, 1024, "ring", 100}});
  const auto speeds = [&] { return decide(openmpi_target(), {sweep}).speeds; };
  CHECK(speeds() == Texts{"the speeds of star:8 are assumed, not fitted to measured runs (heddle fit) (links 50GB/s)"});
  auto& fabric = sweep.document.context["fabrics"][0];
  fabric["preset"] = "file:mine.json";
  CHECK(
      speeds() ==
      Texts{"nothing says that the speeds of star:8 were fitted to measured runs (heddle fit): file:mine.json (links 50GB/s)"});
  fabric["fitted"] = {
      {"topology", "star:8"}, {"runs", "9 of 21 runs of ring"}, {"predicted", "2 % in the median, 4 % at worst"}};
  CHECK(speeds() ==
        Texts{"the speeds of star:8 were fitted to 9 of 21 runs of ring; others are predicted within 2 % in the median, "
              "4 % at worst"});
  fabric["fitted"] = {{"topology", "star:4"}, {"runs", "9 of 9 runs of ring"}, {"predicted", ""}};
  CHECK(speeds() ==
        Texts{"the speeds of star:8 were fitted on another fabric, star:4, to 9 of 9 runs of ring; no run that was not "
              "fitted was predicted"});
}

}  // namespace heddle::decisions
