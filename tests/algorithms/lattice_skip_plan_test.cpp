// SPDX-License-Identifier: Apache-2.0
#include "algorithms/executors/skips.hpp"

#include <numeric>
#include <stdexcept>

#include "algorithms/families/bruck.hpp"
#include "algorithms/families/trivance.hpp"
#include "tests/algorithms/plan_simulation.hpp"
#include "tests/catch.hpp"

namespace heddle::plans {

namespace {

using BlockLayout = LatticeSkipPlan::Layout;
using testing::blocks_of;
using testing::failure_of;

LatticeSkipPlan trivance(const Lattice& lattice, int first_dimension, BlockLayout layout) {
  return LatticeSkipPlan(lattice, trivance_pattern(), first_dimension, layout);
}

std::size_t most_runs(const LatticeSkipPlan& plan) {
  std::size_t most = 0;
  BlockStepPool pool;
  for (int step = 0; step < plan.steps(); ++step) {
    for (int rank = 0; rank < plan.ranks(); ++rank) {
      for (const BlockTransfer& send : plan.step(rank, step, pool).sends) most = std::max(most, send.runs.size());
    }
  }
  return most;
}

}  // namespace

TEST_CASE("lattice skips: every contribution once, on any grid, however blocks lie") {
  for (const std::vector<int>& dims : {std::vector{5},
                                       {9},
                                       {27},
                                       {32},
                                       {2, 2},
                                       {3, 3},
                                       {2, 3},
                                       {3, 5},
                                       {9, 3},
                                       {8, 8},
                                       {7, 1, 4},
                                       {2, 3, 4},
                                       {3, 3, 3},
                                       {2, 2, 2, 5}}) {
    const Grid grid(dims, true);
    const Lattice lattice(&grid, grid.size());
    for (int first = 0; first < lattice.dimensions(); ++first) {
      for (const BlockLayout layout : {BlockLayout::compact, BlockLayout::rank_order}) {
        INFO("dims " << Catch::Detail::stringify(dims) << ", from " << first
                     << (layout == BlockLayout::compact ? ", compact" : ""));
        REQUIRE_THAT(failure_of(trivance(lattice, first, layout)), Catch::Equals(""));
        REQUIRE_THAT(failure_of(LatticeSkipPlan(lattice, bruck_pattern(2), first, layout)), Catch::Equals(""));
      }
    }
  }
}

TEST_CASE("lattice skips: ranks need not count row-major") {
  std::vector<int> nodes(15);
  for (std::size_t rank = 0; rank < nodes.size(); ++rank) nodes[rank] = static_cast<int>(rank * 7 % 15);
  const Grid grid({3, 5}, true, nodes);
  const Lattice lattice(&grid, 15);
  for (const BlockLayout layout : {BlockLayout::compact, BlockLayout::rank_order}) {
    const LatticeSkipPlan plan = trivance(lattice, 1, layout);
    REQUIRE_THAT(failure_of(plan), Catch::Equals(""));
    if (layout == BlockLayout::rank_order) CHECK(plan.block_at(4) == 4);
  }
}

TEST_CASE("lattice skips: dimensions take turns, and what is sent shrinks to a third each time") {
  // Trivance Fig. 5: on 9x9, the first collective goes along one dimension, then the other, then three times as far.
  const Grid grid({9, 9}, true);
  const LatticeSkipPlan plan = trivance(Lattice(&grid, 81), 1, BlockLayout::compact);
  REQUIRE(plan.steps() == 4);
  BlockStepPool pool;
  const std::vector<std::vector<int>> peers{{1, 8}, {9, 72}, {3, 6}, {27, 54}};
  for (int step = 0; step < 4; ++step) {
    const auto sends = plan.step(0, step, pool).sends;
    REQUIRE(sends.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(sends[i].peer == peers[static_cast<std::size_t>(step)][i]);
      CHECK(static_cast<int>(blocks_of(plan, sends[i]).size()) == (step == 0 ? 27 : step == 1 ? 9 : step == 2 ? 3 : 1));
    }
  }
}

TEST_CASE("lattice skips: blocks laid out compactly travel in few runs") {
  const auto runs = [](std::vector<int> dims) {
    const Grid grid(std::move(dims), true);
    return most_runs(trivance(Lattice(&grid, grid.size()), 0, BlockLayout::compact));
  };
  CHECK(runs({27}) == 1);
  CHECK(runs({81}) == 1);
  CHECK(runs({27, 27}) == 9);
  CHECK(runs({9, 9, 9}) == 9);
  CHECK(runs({16, 16}) <= 60);
}

TEST_CASE("lattice skips: paths that miss someone make no schedule") {
  const Lattice lattice(nullptr, 5);
  const SkipPattern too_short{"too short", [](int n) { return skip_paths(n, {{1}, {2}}); }};
  CHECK_THROWS_AS(LatticeSkipPlan(lattice, too_short, 0, BlockLayout::compact), std::logic_error);
}

}  // namespace heddle::plans
