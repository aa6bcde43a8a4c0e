// SPDX-License-Identifier: Apache-2.0
#include "algorithms/families/pat.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "tests/algorithms/numbers.hpp"
#include "tests/algorithms/plan_simulation.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"

namespace heddle::plans {

using testing::blocks_of;
using testing::failure_of;

namespace {

int lowest_bit(int number) { return number & -number; }

std::vector<int> aggregations(int p) {
  std::vector<int> all{kAggregateAll};
  for (int a = 1; a < 2 * p; a *= 2) all.push_back(a);
  return all;
}

/// The most blocks that wait to be passed on between two messages of the allgather, the rank's own aside.
int most_waiting(int p, int aggregation) {
  const std::vector<PatMessage> messages = pat_messages(p, aggregation);
  std::vector<int> children_left(static_cast<std::size_t>(p));
  for (int node = 1; node < p; ++node) ++children_left[static_cast<std::size_t>(node - lowest_bit(node))];
  std::set<int> waiting;
  std::size_t most = 0;
  for (const PatMessage& message : messages) {
    for (const int node : message) {
      const int parent = node - lowest_bit(node);
      if (--children_left[static_cast<std::size_t>(parent)] == 0) waiting.erase(parent);
      if (children_left[static_cast<std::size_t>(node)] > 0) waiting.insert(node);
    }
    most = std::max(most, waiting.size());
  }
  return static_cast<int>(most);
}

}  // namespace

TEST_CASE("PAT at 8 ranks: the explainer's tree, farthest first, and its parts with less aggregation") {
  // 01 App. A: round 1 leaps 4, 0 -> 4; round 2 leaps 2, 0 -> 2 and 4 -> 6; round 3 leaps 1 to all odd nodes.
  CHECK(pat_messages(8, kAggregateAll) == std::vector<PatMessage>{{4}, {2, 6}, {1, 3, 5, 7}});
  CHECK(pat_messages(8, 4) == pat_messages(8, kAggregateAll));
  CHECK(pat_messages(8, 2) == std::vector<PatMessage>{{4}, {2, 6}, {3, 7}, {1, 5}});
  CHECK(pat_messages(8, 1) == std::vector<PatMessage>{{4}, {6}, {7}, {5}, {2}, {3}, {1}});
  CHECK(pat_messages(6, kAggregateAll) == std::vector<PatMessage>{{4}, {2}, {1, 3, 5}});
  CHECK(pat_messages(2, 1) == std::vector<PatMessage>{{1}});
  CHECK(pat_messages(1, 1).empty());
}

TEST_CASE("the pictures of pat.cpp and sparbit.cpp") {
  const SkipPlan plan = pat_plan(8, kAggregateAll);
  BlockStepPool pool;
  const std::vector<int> peers{7, 6, 4};
  const std::vector<int> sources{1, 2, 4};
  const std::vector<std::set<int>> sent{{7, 5, 3, 1}, {6, 2}, {4}};
  const std::vector<std::set<int>> gotten{{0, 6, 4, 2}, {0, 4}, {0}};
  for (int round = 0; round < 3; ++round) {
    const auto at = static_cast<std::size_t>(round);
    const BlockStep step = plan.step(0, round, pool);
    REQUIRE(step.sends.size() == 1);
    CHECK(step.sends[0].peer == peers[at]);
    CHECK(blocks_of(plan, step.sends[0]) == sent[at]);
    CHECK(step.receives[0].peer == sources[at]);
    CHECK(blocks_of(plan, step.receives[0]) == gotten[at]);
  }

  // An allgather takes the steps backwards and gets what the reduce-scatter would have sent.
  const SkipPlan sparbit = pat_plan_block_by_block(6);
  const std::vector<std::set<int>> got{{2}, {4}, {1, 3, 5}};
  for (int step = 0; step < 3; ++step) {
    std::set<int> blocks;
    for (const BlockTransfer& transfer : sparbit.step(0, 2 - step, pool).sends) {
      CHECK(blocks_of(sparbit, transfer).size() == 1);
      blocks.merge(blocks_of(sparbit, transfer));
    }
    CHECK(blocks == got[static_cast<std::size_t>(step)]);
  }
}

TEST_CASE("PAT reaches every node once, after its parent, with as many blocks in a message as may be") {
  for (int p = 1; p <= testing::sampled(130, 65); ++p) {
    for (const int aggregation : aggregations(p)) {
      CAPTURE(p, aggregation);
      std::set<int> reached{0};
      for (const PatMessage& message : pat_messages(p, aggregation)) {
        REQUIRE(!message.empty());
        REQUIRE(static_cast<int>(message.size()) <= aggregation);
        REQUIRE(std::is_sorted(message.begin(), message.end()));
        const std::set<int> before = reached;
        for (const int node : message) {
          REQUIRE(lowest_bit(node) == lowest_bit(message.front()));
          REQUIRE(before.count(node - lowest_bit(node)) == 1);
          REQUIRE(reached.insert(node).second);
        }
      }
      REQUIRE(static_cast<int>(reached.size()) == p);
      REQUIRE(*reached.rbegin() == p - 1);
    }
  }
}

TEST_CASE("rounds of PAT: logarithmic in full, one block per round at aggregation 1") {
  for (int p = 1; p <= testing::sampled(300, 100); ++p) {
    CAPTURE(p);
    for (const int aggregation : aggregations(p))
      REQUIRE(pat_rounds(p, aggregation) == static_cast<int>(pat_messages(p, aggregation).size()));
    REQUIRE(pat_rounds(p, kAggregateAll) == testing::doublings(p));
    REQUIRE(pat_rounds(p, 1) == p - 1);
  }
  CHECK(pat_rounds(64, 8) == 3 + 7);
  CHECK(pat_levels(64, 11) == 3);
}

TEST_CASE("PAT's blocks in waiting are few: 2^a on each of the lower levels") {
  for (int p = 2; p <= testing::sampled(200, 80); ++p) {
    const int levels = testing::doublings(p);
    for (const int aggregation : aggregations(p)) {
      CAPTURE(p, aggregation);
      const int a = pat_levels(p, aggregation);
      REQUIRE(most_waiting(p, aggregation) <= (1 << a) * (levels - a));
    }
  }
  CHECK(most_waiting(1024, 1) == 9);
}

TEST_CASE("PAT's and Sparbit's contributions reach every owner exactly once") {
  for (int p = 2; p <= testing::sampled(testing::sample(33, 96), 17); ++p) {
    INFO("p " << p);
    for (const int aggregation : {1, 2, 4, kAggregateAll})
      REQUIRE_THAT(failure_of(pat_plan(p, aggregation)), Catch::Equals(""));
    REQUIRE_THAT(failure_of(pat_plan_block_by_block(p)), Catch::Equals(""));
  }
}

}  // namespace heddle::plans
