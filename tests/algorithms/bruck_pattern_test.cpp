// SPDX-License-Identifier: Apache-2.0
#include "algorithms/families/bruck.hpp"

#include <cstdlib>

#include "tests/algorithms/window_simulation.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"

namespace heddle::plans {

using testing::failure_of;

TEST_CASE("Bruck with two ports goes 3^i and 2·3^i far") {
  CHECK(bruck_skips(27, 2) == std::vector<std::vector<int>>{{1, 2}, {3, 6}, {9, 18}});
  CHECK(bruck_skips(10, 2) == std::vector<std::vector<int>>{{1, 2}, {3, 6}, {9}});
  CHECK(bruck_skips(8, 1) == std::vector<std::vector<int>>{{1}, {2}, {4}});
  CHECK(bruck_skips(5, 7) == std::vector<std::vector<int>>{{1, 2, 3, 4}});
  CHECK(bruck_skips(1, 2).empty());

  const auto steps = bruck_windows(27, 2).steps();
  REQUIRE(steps.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    REQUIRE(steps[i].messages.size() == 2);
    CHECK(steps[i].messages[0].peer == bruck_skips(27, 2)[i][0]);
    CHECK(steps[i].messages[1].peer == bruck_skips(27, 2)[i][1]);
    CHECK(steps[i].sums.size() == 1);
  }
}

TEST_CASE("Bruck on blocks: an offset's digits say how far it goes in which round") {
  for (int ports = 1; ports <= 7; ++ports) {
    for (int p = 1; p <= testing::sampled(300, 100); p += p < 130 ? 1 : 17) {
      const SkipPaths paths = bruck_paths(p, ports);
      INFO("p " << p << ", ports " << ports);
      REQUIRE(paths.reached == RunSet{{0, p}});
      RunSet all{{0, 1}};
      int distance = 1;
      for (const std::vector<SkipSend>& round : paths.rounds) {
        for (const SkipSend& send : round) {
          for (const Run& run : send.offsets) {
            for (int offset = run.first; offset < run.end(); ++offset) {
              REQUIRE(offset % distance == 0);
              REQUIRE(offset / distance % (ports + 1) * distance == send.skip);
            }
          }
          REQUIRE(subtract(send.offsets, all) == send.offsets);
          all = unite(all, send.offsets);
        }
        distance *= ports + 1;
      }
      REQUIRE(all == paths.reached);
    }
  }
}

TEST_CASE("Bruck on whole vectors: every contribution once, in log_{k+1} p steps, one vector a message, for every p") {
  for (int ports = 1; ports <= 7; ++ports) {
    for (int p = 1; p <= testing::sampled(testing::sample(60, 300), 40); p += p < 130 ? 1 : 17) {
      const WindowPlan plan = bruck_windows(p, ports);
      INFO("p " << p << ", ports " << ports);
      REQUIRE(plan.ranks() == p);
      REQUIRE(static_cast<int>(plan.steps().size()) == bruck_steps(p, ports));
      for (const WindowPlan::Step& step : plan.steps()) {
        REQUIRE(static_cast<int>(step.messages.size()) <= ports);
        REQUIRE(step.sums.size() <= 2);
        for (const WindowPlan::Message& message : step.messages) REQUIRE(message.sums.size() == 1);
      }
      REQUIRE_THAT(failure_of(plan), Catch::Equals(""));
    }
  }
}

TEST_CASE("Bruck's steps are the least number of times that k + 1 makes p") {
  for (int ports = 1; ports <= 9; ++ports) {
    for (int p = 1; p <= 1000; ++p) {
      int steps = 0;
      for (int reached = 1; reached < p; reached *= ports + 1) ++steps;
      REQUIRE(bruck_steps(p, ports) == steps);
      REQUIRE(static_cast<int>(bruck_skips(p, ports).size()) == steps);
    }
  }
}

}  // namespace heddle::plans
