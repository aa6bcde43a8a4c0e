// SPDX-License-Identifier: Apache-2.0
#include "algorithms/executors/skips.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "algorithms/executors/blocks.hpp"
#include "tests/algorithms/plan_simulation.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"

namespace heddle::plans {

using testing::blocks_of;
using testing::failure_of;

namespace {

/// Träff: p halved and rounded up until it is 1.
SkipRounds halving(int p) {
  SkipRounds rounds;
  for (int skip = p; skip > 1;) rounds.push_back({skip = (skip + 1) / 2});
  return rounds;
}

/// Bruck of radix k + 1: 1 … k times each power of it below p, the greatest first.
SkipRounds bruck(int p, int k) {
  SkipRounds rounds;
  for (int power = 1; power < p; power *= k + 1) {
    std::vector<int> skips;
    for (int i = 1; i <= k && i * power < p; ++i) skips.push_back(i * power);
    rounds.insert(rounds.begin(), skips);
  }
  return rounds;
}

/// A power of three to either side, the smallest last.
SkipRounds both_sides(int p) {
  SkipRounds rounds;
  for (int power = 1; power < p; power *= 3) rounds.insert(rounds.begin(), {power, -power});
  return rounds;
}

std::vector<std::int64_t> loads(const std::vector<SkipSend>& round) {
  std::vector<std::int64_t> sizes;
  for (const SkipSend& send : round) sizes.push_back(count(send.offsets));
  return sizes;
}

}  // namespace

TEST_CASE("offsets that skips carry, by hand") {
  // Träff at p = 22, skips 11, 6, 3, 2, 1: a rank sends R[s … s'-1], where s' is the skip before.
  const SkipPlan plan(22, halving(22), {22, 11, 6, 3, 2});
  REQUIRE(plan.steps() == 5);
  const std::vector<Run> sent{{11, 11}, {6, 5}, {3, 3}, {2, 1}, {1, 1}};
  const std::vector<int> skips{11, 6, 3, 2, 1};
  for (std::size_t i = 0; i < 5; ++i) {
    REQUIRE(plan.round(static_cast<int>(i)).size() == 1);
    CHECK(plan.round(static_cast<int>(i))[0].skip == skips[i]);
    CHECK(plan.round(static_cast<int>(i))[0].offsets == RunSet{sent[i]});
  }
  // Without horizons offsets wait: 3, say, goes as 2 + 1 in place of 3, and the longest skip carries 9 in place of 11.
  const SkipPlan later(22, halving(22));
  const std::vector<Run> sent_later{{13, 9}, {7, 6}, {4, 3}, {2, 2}, {1, 1}};
  for (std::size_t i = 0; i < 5; ++i) CHECK(later.round(static_cast<int>(i))[0].offsets == RunSet{sent_later[i]});

  BlockStepPool pool;
  const BlockStep first = plan.step(20, 0, pool);  // blocks 31 … 41 modulo 22 to rank 31; from rank 9 blocks 20 … 30
  REQUIRE(first.sends.size() == 1);
  CHECK(first.sends[0].peer == 9);
  CHECK(RunSet(first.sends[0].runs.begin(), first.sends[0].runs.end()) == RunSet{{9, 11}});
  REQUIRE(first.receives.size() == 1);
  CHECK(first.receives[0].peer == 9);
  CHECK(RunSet(first.receives[0].runs.begin(), first.receives[0].runs.end()) == RunSet{{0, 9}, {20, 2}});
}

TEST_CASE("an offset that either side could carry goes on the side with less to carry") {
  // Skips ±3, then ±1, at p = 8: after the round of ±3 offsets 0, 1, 7 are held. +3 alone could carry 2, -3 alone 6; 3, 4 both
  // could not: 3 = 0 + 3 and 4 = 1 + 3 = 7 - 3, 5 = 0 - 3.
  const SkipPaths paths = skip_paths(8, {{3, -3}, {1, -1}});
  CHECK(paths.reached == RunSet{{0, 8}});
  CHECK(paths.rounds[1][0].offsets == RunSet{{1, 1}});
  CHECK(paths.rounds[1][1].offsets == RunSet{{7, 1}});
  CHECK(paths.rounds[0][0].offsets == RunSet{{2, 3}});
  CHECK(paths.rounds[0][1].offsets == RunSet{{5, 2}});
  for (int p = 2; p <= testing::sampled(300, 100); ++p) {
    INFO("p " << p);
    for (const auto& round : skip_paths(p, both_sides(p)).rounds) REQUIRE(std::abs(loads(round)[0] - loads(round)[1]) <= 1);
  }
}

TEST_CASE("shared offsets fill up the skips that have less, whole pieces at a time") {
  // After the last round 0 and 5 are held. Of the first round's skips 1 could carry 1 and 6, 6 could carry 6 and 11 = 3 (mod
  // 8).
  const SkipPaths paths = skip_paths(8, {{1, 6}, {5}});
  CHECK(paths.rounds[1][0].offsets == RunSet{{5, 1}});
  CHECK(paths.rounds[0][0].offsets == RunSet{{1, 1}, {6, 1}});
  CHECK(paths.rounds[0][1].offsets == RunSet{{3, 1}});
  CHECK(paths.reached == RunSet{{0, 2}, {3, 1}, {5, 2}});
  // Three skips to the same rank: each a third.
  CHECK(loads(skip_paths(14, {{7, 7, -7}, {1}, {1}, {1}, {1}, {1}, {1}}).rounds[0]) == std::vector<std::int64_t>{3, 2, 2});
}

TEST_CASE("every contribution reaches every owner exactly once, by skips of one side, of several and of both") {
  for (int p = 1; p <= testing::sampled(40, 24); ++p) {
    INFO("p " << p);
    REQUIRE_THAT(failure_of(SkipPlan(p, halving(p))), Catch::Equals(""));
    REQUIRE_THAT(failure_of(SkipPlan(p, SkipRounds(static_cast<std::size_t>(p), {1}))), Catch::Equals(""));
    REQUIRE_THAT(failure_of(SkipPlan(p, both_sides(p))), Catch::Equals(""));
    for (int k = 1; k <= 4; ++k) REQUIRE_THAT(failure_of(SkipPlan(p, bruck(p, k))), Catch::Equals(""));
  }
}

TEST_CASE("one list for all ranks says what block sets derived rank by rank say") {
  for (int p = 2; p <= testing::sampled(40, 24); ++p) {
    const SkipRounds rounds = halving(p);
    const SkipPlan skips(p, rounds);
    const BlockPlan blocks(
        p, static_cast<int>(rounds.size()),
        [&](int rank, int step, std::vector<BlockPlan::Target>& targets) {
          targets.push_back({moved_by(rank, rounds[static_cast<std::size_t>(step)][0], p)});
        },
        BlockPlan::Layout::rank_order);
    REQUIRE(skips.steps() == blocks.steps());
    BlockStepPool pool;
    for (int rank = 0; rank < p; ++rank) {
      for (int step = 0; step < blocks.steps(); ++step) {
        const BlockTransfer& expected = blocks.sends(rank, step)[0];
        const BlockStep found = skips.step(rank, step, pool);
        REQUIRE(found.sends[0].peer == expected.peer);
        REQUIRE(blocks_of(skips, found.sends[0]) == blocks_of(blocks, expected));
      }
    }
  }
}

TEST_CASE("skips that do not reach everyone make no schedule; rounds without use are left out") {
  CHECK_FALSE(reaches_everyone(9, {{4}, {2}, {1}}));
  CHECK(reaches_everyone(8, {{4}, {2}, {1}}));
  CHECK(reaches_everyone(1, {}));
  CHECK_FALSE(reaches_everyone(2, {}));
  CHECK_THROWS_WITH(SkipPlan(9, {{4}, {2}, {1}}), "skip schedule: no way leads 8 ranks further");
  CHECK(SkipPlan(8, {{5}, {8}, {4}, {2}, {1, 2}}).steps() == 3);
}

}  // namespace heddle::plans
