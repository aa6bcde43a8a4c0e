// SPDX-License-Identifier: Apache-2.0
#include "algorithms/executors/blocks.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "algorithms/families/swing.hpp"
#include "tests/algorithms/plan_simulation.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"

namespace heddle::plans {

using testing::blocks_of;
using testing::failure_of;

namespace {

using Target = BlockPlan::Target;

BlockPlan swing_blocks(const std::vector<int>& dims, int port) {
  const Grid grid(dims, true);
  const Lattice lattice(&grid, grid.size());
  return swing_block_plan(lattice, swing_port(port, lattice.dimensions()));
}

std::size_t most_runs_in_a_message(const BlockPlan& plan) {
  std::size_t most = 0;
  for (int step = 0; step < plan.steps(); ++step) {
    for (int rank = 0; rank < plan.ranks(); ++rank) {
      for (const auto& transfer : plan.sends(rank, step)) most = std::max(most, transfer.runs.size());
    }
  }
  return most;
}

}  // namespace

TEST_CASE("block sets of Swing on a ring of 8, by hand") {
  // Partners: ρ = 1, -1, 3. Last step: 0-3, 1-6, 2-5, 4-7. Held before it: {0,3}, {1,6}, {2,5}, {4,7}; before step 1: rank 0
  // with 7, so {0,3,4,7}, and rank 1 with 2, so {1,2,5,6}.
  const BlockPlan plan = swing_blocks({8}, 0);
  REQUIRE(plan.steps() == 3);
  const auto sent = [&](int rank, int step) {
    REQUIRE(plan.sends(rank, step).size() == 1);
    return blocks_of(plan, plan.sends(rank, step)[0]);
  };
  CHECK(plan.sends(0, 0)[0].peer == 1);
  CHECK(sent(0, 0) == std::set{1, 2, 5, 6});
  CHECK(plan.sends(0, 1)[0].peer == 7);
  CHECK(sent(0, 1) == std::set{4, 7});
  CHECK(plan.sends(0, 2)[0].peer == 3);
  CHECK(sent(0, 2) == std::set{3});
  CHECK(sent(1, 0) == std::set{0, 3, 4, 7});
  CHECK(sent(1, 1) == std::set{2, 5});
  CHECK(sent(1, 2) == std::set{6});
}

TEST_CASE("on a ring of 6 a block that two steps could carry goes in the later one") {
  // Partners: ρ = 1, -1, 3. Held before the last step: {0,3}, {1,4}, {2,5}; before step 1: rank 0 with 5, so {0,2,3,5}, and
  // rank 1 with 2, so {1,2,4,5}. Blocks 2 and 5 could go to rank 1 in step 0; rank 0 keeps them for rank 5 in step 1.
  const BlockPlan plan = swing_blocks({6}, 0);
  CHECK(blocks_of(plan, plan.sends(0, 0)[0]) == std::set{1, 4});
  CHECK(blocks_of(plan, plan.sends(0, 1)[0]) == std::set{2, 5});
  CHECK(blocks_of(plan, plan.sends(0, 2)[0]) == std::set{3});
}

TEST_CASE("on a ring of 7 the last rank exchanges one block with each of the others") {
  // Swing Fig. 3: rank 6 sends blocks 0, 1, 2 to their owners in step 0, then 3 and 4, then 5; each of them sends it block 6.
  const BlockPlan plan = swing_blocks({7}, 0);
  std::vector<std::vector<int>> direct(3);
  for (int step = 0; step < 3; ++step) {
    for (const auto& transfer : plan.sends(6, step)) {
      CHECK(blocks_of(plan, transfer) == std::set{transfer.peer});
      direct[static_cast<std::size_t>(step)].push_back(transfer.peer);
    }
    for (const auto& transfer : plan.receives(6, step)) CHECK(blocks_of(plan, transfer) == std::set{6});
  }
  CHECK(direct == std::vector<std::vector<int>>{{0, 1, 2}, {3, 4}, {5}});
}

TEST_CASE("every contribution reaches every owner exactly once, in one dimension") {
  for (int p = 2; p <= testing::sampled(64, 33); ++p) {
    for (const int port : {0, 1}) {
      INFO("p " << p << ", port " << port);
      const BlockPlan plan = swing_blocks({p}, port);
      REQUIRE(plan.steps() == swing_steps(p));
      REQUIRE_THAT(failure_of(plan), Catch::Equals(""));
    }
  }
}

TEST_CASE("every contribution reaches every owner exactly once, in several dimensions") {
  const std::vector<std::vector<int>> boxes{{2, 2},    {2, 3},    {3, 2},    {3, 3},    {2, 4},      {4, 4},
                                            {3, 5},    {5, 4},    {6, 6},    {7, 5},    {8, 8},      {2, 3, 4},
                                            {3, 3, 3}, {4, 2, 2}, {2, 5, 3}, {1, 6, 1}, {2, 2, 2, 3}};
  for (const std::vector<int>& dims : boxes) {
    const int long_ones = static_cast<int>(std::count_if(dims.begin(), dims.end(), [](int size) { return size > 1; }));
    int steps = 0;
    for (const int size : dims) steps += swing_steps(size);
    for (int port = 0; port < 2 * long_ones; ++port) {
      INFO("dims " << Catch::Detail::stringify(dims) << ", port " << port);
      const BlockPlan plan = swing_blocks(dims, port);
      REQUIRE(plan.steps() == steps);
      REQUIRE_THAT(failure_of(plan), Catch::Equals(""));
    }
  }
}

TEST_CASE("in rank order every contribution of Swing reaches every owner exactly once, too") {
  for (const std::vector<int>& dims : {std::vector{8}, {7}, {12}, {4, 4}, {3, 5}, {2, 3, 4}}) {
    const Grid grid(dims, true);
    const Lattice lattice(&grid, grid.size());
    for (int port = 0; port < 2 * lattice.dimensions(); ++port) {
      INFO("dims " << Catch::Detail::stringify(dims) << ", port " << port);
      const BlockPlan plan = swing_block_plan(lattice, swing_port(port, lattice.dimensions()), BlockPlan::Layout::rank_order);
      for (int block = 0; block < grid.size(); ++block) REQUIRE(plan.block_at(block) == block);
      REQUIRE_THAT(failure_of(plan), Catch::Equals(""));
    }
  }
}

TEST_CASE("at powers of two each message is one run of the vector") {
  for (const std::vector<int>& dims : {std::vector{8}, {64}, {256}, {4, 4}, {2, 4}, {8, 8}, {16, 4}, {4, 4, 4}, {2, 8, 4}}) {
    for (int port = 0; port < 2 * static_cast<int>(dims.size()); ++port) {
      INFO("dims " << Catch::Detail::stringify(dims) << ", port " << port);
      CHECK(most_runs_in_a_message(swing_blocks(dims, port)) == 1);
    }
  }
}

TEST_CASE("any partners that reach everyone make a schedule: skips on a circle, one way, for every p") {
  // Round skips halve, rounded up, from p to 1 (Träff): ⌈log2 p⌉ steps, not symmetric: r sends to r + skip and hears from r -
  // skip.
  for (int p = 2; p <= testing::sampled(40, 24); ++p) {
    std::vector<int> skips;
    for (int skip = p; skip > 1;) skips.push_back(skip = (skip + 1) / 2);
    const BlockPlan plan(p, static_cast<int>(skips.size()), [&](int rank, int step, std::vector<Target>& targets) {
      targets.push_back({(rank + skips[static_cast<std::size_t>(step)]) % p});
    });
    INFO("p " << p);
    REQUIRE_THAT(failure_of(plan), Catch::Equals(""));
  }
}

TEST_CASE("partners that do not reach everyone are refused") {
  const auto only_neighbours = [](int rank, int, std::vector<Target>& targets) { targets.push_back({rank ^ 1}); };
  CHECK_THROWS_WITH(BlockPlan(4, 2, only_neighbours), Catch::Contains("does not reach everyone"));
}

TEST_CASE("one rank has its block and nothing to do") {
  const BlockPlan plan(1, 0, [](int, int, std::vector<Target>&) {});
  CHECK(plan.steps() == 0);
  CHECK(plan.block_at(0) == 0);
}

}  // namespace heddle::plans
