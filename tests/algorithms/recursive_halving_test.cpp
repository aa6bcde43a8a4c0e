// SPDX-License-Identifier: Apache-2.0
#include "algorithms/families/recursive_doubling.hpp"

#include <set>
#include <vector>

#include "tests/algorithms/numbers.hpp"
#include "tests/algorithms/plan_simulation.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"

namespace heddle::plans {

using testing::blocks_of;
using testing::failure_of;

TEST_CASE("the picture of recursive_halving.cpp: the explainer's trace at 4 ranks") {
  // 01 App. B.4, backwards: partners at distance 2 swap two blocks, then partners at distance 1 one.
  const BlockPlan plan = recursive_halving_plan(4);
  REQUIRE(plan.steps() == 2);
  const std::vector<std::vector<std::set<int>>> sent{{{2, 3}, {2, 3}, {0, 1}, {0, 1}}, {{1}, {0}, {3}, {2}}};
  for (int step = 0; step < 2; ++step) {
    for (int rank = 0; rank < 4; ++rank) {
      REQUIRE(plan.sends(rank, step).size() == 1);
      CHECK(plan.sends(rank, step)[0].peer == (rank ^ (step == 0 ? 2 : 1)));
      CHECK(blocks_of(plan, plan.sends(rank, step)[0]) == sent[static_cast<std::size_t>(step)][static_cast<std::size_t>(rank)]);
    }
  }
}

TEST_CASE("at 6 ranks two extra ranks send all but their own block first and get it last") {
  const BlockPlan plan = recursive_halving_plan(6);
  REQUIRE(plan.steps() == 4);
  REQUIRE(plan.sends(1, 0).size() == 1);
  CHECK(plan.sends(1, 0)[0].peer == 0);
  CHECK(blocks_of(plan, plan.sends(1, 0)[0]) == std::set{0, 2, 3, 4, 5});
  CHECK(plan.sends(4, 0).empty());
  CHECK(blocks_of(plan, plan.sends(0, 1)[0]) == std::set{4, 5});
  CHECK(plan.sends(0, 1)[0].peer == 4);
  CHECK(blocks_of(plan, plan.sends(0, 2)[0]) == std::set{2, 3});
  CHECK(blocks_of(plan, plan.sends(0, 3)[0]) == std::set{1});
}

TEST_CASE("recursive halving reaches every owner exactly once, and between positions each message is one run") {
  for (int p = 1; p <= testing::sampled(testing::sample(66, 300), 33); p += p < 66 ? 1 : 39) {
    INFO("p " << p);
    const BlockPlan plan = recursive_halving_plan(p);
    const bool folds = testing::halvings(p) != testing::doublings(p);
    REQUIRE(plan.steps() == testing::halvings(p) + (folds ? 2 : 0));
    REQUIRE_THAT(failure_of(plan), Catch::Equals(""));
    for (int step = folds ? 1 : 0; step < plan.steps(); ++step) {
      for (int rank = 0; rank < p; ++rank) {
        for (const auto& transfer : plan.sends(rank, step)) REQUIRE(transfer.runs.size() == 1);
      }
    }
  }
}

}  // namespace heddle::plans
