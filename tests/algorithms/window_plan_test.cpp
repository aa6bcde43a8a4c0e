// SPDX-License-Identifier: Apache-2.0
#include "algorithms/executors/windows.hpp"

#include <stdexcept>

#include "tests/algorithms/window_simulation.hpp"
#include "tests/catch.hpp"

namespace heddle::plans {

using testing::failure_of;

TEST_CASE("windows: seven ranks in two steps keep three sums and send one at a time") {
  // The picture of window_schedule.hpp.
  const WindowPlan plan({{{1, {1, 1}}, {-1, {-1, 1}}}, {{2, {2, 2}}, {-2, {-3, 2}}}});
  CHECK(plan.ranks() == 7);
  REQUIRE(plan.steps().size() == 2);
  const auto& first = plan.steps().front();
  REQUIRE(first.sums.size() == 3);
  CHECK(first.sums[0].window == Window{-1, 3});
  CHECK(first.sums[1].window == Window{0, 2});
  CHECK(first.sums[2].window == Window{-1, 2});
  CHECK(plan.vectors(0) == 2);
  CHECK(plan.vectors(1) == 2);
  CHECK_THAT(failure_of(plan), Catch::Equals(""));
}

TEST_CASE("windows: where a wanted part ends within a part received, both sums travel") {
  // 9 ranks after two steps of Trivance, then one place from the right only: it came from the right in step 1, in a sum of
  // three.
  const WindowPlan plan({{{1, {1, 1}}, {-1, {-1, 1}}}, {{3, {2, 3}}, {-3, {-4, 3}}}, {{1, {5, 1}}}});
  CHECK(plan.ranks() == 10);
  CHECK(plan.vectors(0) == 2);
  CHECK(plan.vectors(1) == 3);
  CHECK(plan.vectors(2) == 1);
  CHECK(plan.vectors() == 6);
  CHECK_THAT(failure_of(plan), Catch::Equals(""));
}

TEST_CASE("windows: mirrored, a peer's window is seen from the other side") {
  // Swing's first three steps: 1, -1, 3.
  const WindowPlan plan({{{1, {1, 1}}}, {{-1, {-2, 2}}}, {{3, {2, 4}}}}, true);
  CHECK(plan.ranks() == 8);
  CHECK(plan.vectors() == 3);
  CHECK_THAT(failure_of(plan), Catch::Equals(""));
}

TEST_CASE("windows: nobody has more than its window, nothing comes twice, no gaps") {
  using Steps = std::vector<std::vector<WindowPart>>;
  CHECK(WindowPlan(Steps{}).ranks() == 1);
  CHECK_THROWS_AS(WindowPlan(Steps{{{1, {1, 2}}}}), std::logic_error);
  CHECK_THROWS_AS(WindowPlan(Steps{{{1, {0, 1}}}}), std::logic_error);
  CHECK_THROWS_AS(WindowPlan(Steps{{{2, {2, 1}}}}), std::logic_error);
  CHECK_THROWS_AS(WindowPlan(Steps{{{1, {1, 1}}, {1, {1, 1}}}}), std::logic_error);
  CHECK_THROWS_AS(WindowPlan(Steps{{{1, {1, 0}}}}), std::logic_error);
}

}  // namespace heddle::plans
