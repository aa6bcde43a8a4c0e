// SPDX-License-Identifier: Apache-2.0
#include "algorithms/families/trivance.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "tests/algorithms/window_simulation.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"

namespace heddle::plans {

namespace {

using testing::failure_of;

std::vector<int> distances(int n) {
  std::vector<int> all;
  for (int step = 0; step < trivance_steps(n); ++step) all.push_back(trivance_distance(step, n));
  return all;
}

/// The busier direction's vectors times distance, over all steps.
int load_of(const WindowPlan& plan) {
  int load = 0;
  for (const WindowPlan::Step& step : plan.steps()) {
    int busier = 0;
    for (const WindowPlan::Message& message : step.messages)
      busier = std::max(busier, std::abs(message.peer) * static_cast<int>(message.sums.size()));
    load += busier;
  }
  return load;
}

/// Of one reduce-scatter, in blocks: what the busier direction sends times how far, over all rounds.
std::int64_t load_of(const SkipPaths& paths) {
  std::int64_t load = 0;
  for (const std::vector<SkipSend>& round : paths.rounds) {
    std::int64_t busier = 0;
    for (const SkipSend& send : round) busier = std::max(busier, std::abs(send.skip) * count(send.offsets));
    load += busier;
  }
  return load;
}

/// Offsets to the right and to the left, by round.
std::vector<std::pair<std::int64_t, std::int64_t>> sent(int n) {
  std::vector<std::pair<std::int64_t, std::int64_t>> all;
  for (const std::vector<SkipSend>& round : trivance_paths(n).rounds)
    all.emplace_back(count(round[0].offsets), count(round[1].offsets));
  return all;
}

}  // namespace

TEST_CASE("Trivance takes the least number of steps, each three times as far") {
  CHECK(distances(1).empty());
  CHECK(distances(3) == std::vector{1});
  CHECK(distances(9) == std::vector{1, 3});
  CHECK(distances(81) == std::vector{1, 3, 9, 27});
  for (int n = 1; n <= 1000; ++n) {
    int steps = 0;
    for (int reached = 1; reached < n; reached *= 3) ++steps;
    REQUIRE(trivance_steps(n) == steps);
  }
}

TEST_CASE("Trivance's last distance is half of what is missing") {
  // Trivance §4.4: n = 7, two far in the last step (Fig. 4); n = 32, five missing.
  CHECK(distances(7) == std::vector{1, 2});
  CHECK(distances(32) == std::vector{1, 3, 9, 3});
  CHECK(distances(8) == std::vector{1, 3});
  CHECK(distances(16) == std::vector{1, 3, 4});
  CHECK(distances(2) == std::vector{1});
  CHECK(distances(4) == std::vector{1, 1});
}

TEST_CASE(
    "Trivance on blocks: every offset has one way in log3 p rounds, for every p, and no side carries more than one more") {
  for (int p = 1; p <= 1000; p += p < 260 ? 1 : 7) {
    const SkipPaths paths = trivance_paths(p);
    INFO("p " << p);
    REQUIRE(paths.reached == RunSet{{0, p}});
    REQUIRE(static_cast<int>(paths.rounds.size()) == trivance_steps(p));
    std::int64_t blocks = 0;
    for (const std::vector<SkipSend>& round : paths.rounds) {
      REQUIRE(round.size() == 2);
      const std::int64_t right = count(round[0].offsets);
      const std::int64_t left = count(round[1].offsets);
      REQUIRE(right + left > 0);
      REQUIRE(std::abs(right - left) <= 1);
      blocks += right + left;
    }
    REQUIRE(blocks == p - 1);
  }
}

TEST_CASE("Trivance on blocks: a third to either side at powers of three") {
  // Trivance §4.1: m/3^(k+1) in step k; congestion 3^k times that is a third in each, log3(p)/3 in all.
  for (int p = 3, s = 1; p <= 2187; p *= 3, ++s) {
    std::int64_t third = p / 3;
    for (const auto& [right, left] : sent(p)) {
      CHECK(right == third);
      CHECK(left == third);
      third /= 3;
    }
    CHECK(3 * load_of(trivance_paths(p)) == s * p);
  }
  // The picture of trivance_bandwidth.cpp.
  const SkipPaths nine = trivance_paths(9);
  CHECK(nine.rounds[0][0].offsets == RunSet{{1, 1}, {4, 1}, {7, 1}});
  CHECK(nine.rounds[0][1].offsets == RunSet{{2, 1}, {5, 1}, {8, 1}});
  CHECK(nine.rounds[1][0].offsets == RunSet{{3, 1}});
  CHECK(nine.rounds[1][1].offsets == RunSet{{6, 1}});
}

TEST_CASE("Trivance on blocks: sizes that are no power of three") {
  using Sides = std::vector<std::pair<std::int64_t, std::int64_t>>;
  CHECK(sent(2) == Sides{{1, 0}});
  CHECK(sent(7) == Sides{{2, 2}, {1, 1}});
  CHECK(trivance_paths(7).rounds[0][0].offsets == RunSet{{1, 1}, {3, 1}});
  CHECK(trivance_paths(7).rounds[0][1].offsets == RunSet{{4, 1}, {6, 1}});
  CHECK(sent(8) == Sides{{3, 2}, {1, 1}});
  CHECK(sent(16) == Sides{{4, 3}, {3, 3}, {1, 1}});
  CHECK(sent(32) == Sides{{11, 10}, {1, 1}, {3, 3}, {1, 1}});
  CHECK(load_of(trivance_paths(8)) == 6);
  CHECK(load_of(trivance_paths(16)) == 17);
  CHECK(load_of(trivance_paths(32)) == 32);
}

TEST_CASE("Trivance on nine ranks: the windows of Fig. 3") {
  const WindowPlan plan = trivance_windows(9);
  REQUIRE(plan.steps().size() == 2);
  CHECK(plan.steps()[0].sums.front().window == Window{-1, 3});
  CHECK(plan.steps()[1].sums.front().window == Window{-4, 9});
  CHECK(plan.steps()[1].messages[0].peer == 3);
  CHECK(plan.steps()[1].messages[1].peer == -3);
}

TEST_CASE("Trivance on whole vectors: every contribution once, in log3 p steps, for every p") {
  for (int p = 1; p <= testing::sampled(testing::sample(100, 300), 82); p += p < 130 ? 1 : 17) {
    const WindowPlan plan = trivance_windows(p);
    INFO("p " << p);
    REQUIRE(plan.ranks() == p);
    REQUIRE(static_cast<int>(plan.steps().size()) == trivance_steps(p));
    for (const WindowPlan::Step& step : plan.steps()) REQUIRE(step.messages.size() <= 2);
    REQUIRE_THAT(failure_of(plan), Catch::Equals(""));
  }
}

TEST_CASE("Trivance on whole vectors: at powers of three one sum and the source's distances") {
  for (int p = 3; p <= 3000; p *= 3) {
    const WindowPlan plan = trivance_windows(p);
    int power = 1;
    for (const WindowPlan::Step& step : plan.steps()) {
      CHECK(step.sums.size() == 1);
      CHECK(step.messages[0].peer == power);
      CHECK(step.messages[1].peer == -power);
      power *= 3;
    }
    CHECK(load_of(plan) == (p - 1) / 2);
  }
}

TEST_CASE("Trivance on whole vectors: at most sizes messages are one vector and a link carries p/2 in all") {
  // Those where they are not: no windows end at seams, sums of parts travel along.
  const std::vector<TrivanceGrowth> sixteen{{1, 1}, {3, 3}, {4, 3}};
  CHECK(trivance_growths(16) == sixteen);
  for (const int p : {4, 5, 6, 7, 8, 10, 16, 20, 28, 32, 45, 54, 60, 72, 90, 100, 128, 162}) {
    INFO("p " << p);
    const WindowPlan plan = trivance_windows(p);
    CHECK(load_of(plan) == p / 2);
    CHECK(plan.vectors() <= 2 * trivance_steps(p));
  }
  std::vector<int> more;
  for (int p = 1; p <= 81; ++p) {
    if (trivance_windows(p).vectors() > 2 * trivance_steps(p)) more.push_back(p);
    // Never more than half as much again.
    CHECK(2 * load_of(trivance_windows(p)) <= 3 * (p / 2));
  }
  CHECK(more == std::vector{25, 26, 61, 62, 65, 70, 71, 73, 74, 75, 76, 77, 78, 79, 80});
}

}  // namespace heddle::plans
