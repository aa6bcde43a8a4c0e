// SPDX-License-Identifier: Apache-2.0
#include "algorithms/families/bine.hpp"

#include <algorithm>
#include <bit>
#include <set>
#include <vector>

#include "tests/algorithms/plan_simulation.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"

namespace heddle::plans {

namespace {

using testing::blocks_of;
using testing::failure_of;

bool is_power_of_two(int n) { return std::has_single_bit(static_cast<unsigned>(n)); }

std::vector<int> partners(const BlockPlan& plan, int rank) {
  std::vector<int> all;
  for (int step = 0; step < plan.steps(); ++step) {
    for (const BlockTransfer& transfer : plan.sends(rank, step)) all.push_back(transfer.peer);
  }
  return all;
}

std::set<int> sent(const BlockPlan& plan, int rank, int step) {
  REQUIRE(plan.sends(rank, step).size() == 1);
  return blocks_of(plan, plan.sends(rank, step)[0]);
}

/// Of all messages but those of extra ranks to partners, who send nearly all.
std::size_t most_runs_in_a_message(const BlockPlan& plan, int first_step) {
  std::size_t most = 0;
  for (int step = first_step; step < plan.steps(); ++step) {
    for (int rank = 0; rank < plan.ranks(); ++rank) {
      for (const BlockTransfer& transfer : plan.sends(rank, step)) most = std::max(most, transfer.runs.size());
    }
  }
  return most;
}

}  // namespace

TEST_CASE("the butterflies of 8 ranks") {
  // Bine Fig. 6: distances 3, 1, 1 on the left, 1, 1, 3 on the right; odd ranks go the other way.
  const BlockPlan halving = bine_halving_plan(8);
  CHECK(partners(halving, 0) == std::vector{3, 7, 1});
  CHECK(partners(halving, 2) == std::vector{5, 1, 3});
  CHECK(partners(halving, 3) == std::vector{0, 4, 2});
  const BlockPlan doubling = bine_block_plan(8);
  CHECK(partners(doubling, 0) == std::vector{1, 7, 3});
  CHECK(partners(doubling, 3) == std::vector{2, 4, 0});
}

TEST_CASE("Bine block sets of 8 ranks, by ways and by halves") {
  // Bine §4.3.1, Fig. 8: in step 0 rank 0 sends blocks 1, 6, 2 and 5, which lie at positions 4 … 7. Fig. 7 backwards: if
  // distances halve, it keeps 6 7 0 1 and sends 2 3 4 5.
  const BlockPlan by_ways = bine_by_ways_plan(8);
  CHECK(sent(by_ways, 0, 0) == std::set{1, 2, 5, 6});
  CHECK(std::vector(by_ways.sends(0, 0)[0].runs.begin(), by_ways.sends(0, 0)[0].runs.end()) == RunSet{{4, 4}});
  CHECK(by_ways.position(1) == 4);
  const BlockPlan halving = bine_halving_plan(8);
  CHECK(sent(halving, 0, 0) == std::set{2, 3, 4, 5});
  CHECK(sent(halving, 0, 1) == std::set{6, 7});
  CHECK(sent(halving, 0, 2) == std::set{1});
}

TEST_CASE("Bine: every contribution reaches every owner exactly once, for every p") {
  for (int p = 1; p <= testing::sampled(testing::sample(64, 130), 33); ++p) {
    INFO("p " << p);
    const BlockPlan doubling = bine_block_plan(p);
    const BlockPlan halving = bine_halving_plan(p);
    const BlockPlan by_ways = bine_by_ways_plan(p);
    for (const BlockPlan* plan : {&doubling, &halving, &by_ways}) REQUIRE_THAT(failure_of(*plan), Catch::Equals(""));
    CHECK(doubling.steps() == bine_block_steps(p));
    CHECK(halving.steps() == bine_block_steps(p));
    CHECK(by_ways.steps() == bine_by_ways_steps(p));
  }
}

TEST_CASE("Bine: every contribution reaches every owner exactly once, in several dimensions") {
  for (const std::vector<int>& dims : {std::vector{2, 2},
                                       {2, 3},
                                       {3, 3},
                                       {4, 4},
                                       {3, 5},
                                       {5, 4},
                                       {2, 6},
                                       {6, 6},
                                       {7, 5},
                                       {8, 8},
                                       {2, 3, 4},
                                       {3, 3, 3},
                                       {1, 6, 1},
                                       {2, 2, 2, 3}}) {
    const Grid grid(dims, true);
    const Lattice lattice(&grid, grid.size());
    for (int port = 0; port < 2 * lattice.dimensions(); ++port) {
      INFO("dims " << Catch::Detail::stringify(dims) << ", port " << port);
      REQUIRE_THAT(failure_of(bine_block_plan(lattice, bine_port(port, lattice.dimensions()))), Catch::Equals(""));
    }
  }
}

TEST_CASE("with an even number of ranks all receive what they send") {
  for (int p = 2; p <= 200; p += 2) {
    INFO("p " << p);
    for (const std::int64_t blocks : blocks_received(bine_halving_plan(p))) REQUIRE(blocks == p - 1);
    for (const std::int64_t blocks : blocks_received(bine_block_plan(p))) REQUIRE(blocks == p - 1);
  }
}

TEST_CASE("by ways every message is one run; by halving distances it is one round the circle") {
  for (int p = 2; p <= 300; ++p) {
    INFO("p " << p);
    REQUIRE(most_runs_in_a_message(bine_by_ways_plan(p), is_power_of_two(p) ? 0 : 1) == 1);
    const BlockPlan halving = bine_halving_plan(p);
    for (int step = p % 2; step < halving.steps(); ++step) {
      for (int rank = 0; rank < p; ++rank) {
        for (const auto& [peer, runs] : halving.sends(rank, step)) {
          const bool wraps = runs.size() == 2 && runs[0].first == 0 && runs[1].end() == p;
          REQUIRE((runs.size() == 1 || wraps));
        }
      }
    }
  }
}

TEST_CASE("a doubling tree's subtrees are runs of blocks by ways, and those of any root") {
  for (int p = 2; p <= 256; p *= 2) {
    const BlockPlan plan = bine_block_plan(p);
    for (const int root : {0, 1, p / 2, p - 1}) {
      for (const RunSet& below : bine_block_tree(plan, root).subtrees) REQUIRE(below.size() == 1);
    }
  }
}

TEST_CASE("on a 4x4 torus ports turn through east, north, west, south") {
  // Bine Fig. 16: rank 0 exchanges with ranks 3, 12, 1, 4 if distances halve, so with 4, 1, 12, 3 if they double. Fig. 18: the
  // ports begin with the four directions and go on in the same sense; here a step along dimension 0 is 4 ranks, +0 is 4.
  const Grid grid({4, 4}, true);
  const Lattice lattice(&grid, 16);
  const auto partners_on = [&](int port) { return partners(bine_block_plan(lattice, bine_port(port, 2)), 0); };
  CHECK(partners_on(0) == std::vector{4, 1, 12, 3});
  CHECK(partners_on(1) == std::vector{1, 12, 3, 4});
  CHECK(partners_on(2) == std::vector{12, 3, 4, 1});
  CHECK(partners_on(3) == std::vector{3, 4, 1, 12});
}

TEST_CASE("in each step all ports of a cube take other directions") {
  const Grid grid({4, 4, 4}, true);
  const Lattice lattice(&grid, 64);
  std::vector<std::vector<int>> by_port;
  for (int port = 0; port < 6; ++port) by_port.push_back(partners(bine_block_plan(lattice, bine_port(port, 3)), 0));
  for (std::size_t step = 0; step < 6; ++step) {
    std::set<int> peers;
    for (const std::vector<int>& port : by_port) peers.insert(port[step]);
    CHECK(peers == std::set{1, 3, 4, 12, 16, 48});
  }
}

}  // namespace heddle::plans
