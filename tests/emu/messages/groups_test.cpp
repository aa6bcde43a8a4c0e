// SPDX-License-Identifier: Apache-2.0
// The parts of a communicator, the plans that their ranks share, the grid that they fill.
#include "heddle/communicator.hpp"

#include <array>
#include <atomic>
#include <memory>
#include <set>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "tests/catch.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

namespace {

using namespace literals;

}  // namespace

// ---- split ----

TEST_CASE("ranks of one color are ordered by key, then by rank") {
  //   rank   0  1  2  3  4  5
  //   color  1  0  1  -  0  1
  //   key    5  0 -3     0  5      =>  color 0: 1, 4;  color 1: 2, 0, 5
  constexpr std::array kColors = {1, 0, 1, -1, 0, 1};
  constexpr std::array kKeys = {5, 0, -3, 0, 0, 5};
  std::array<int, 6> ranks{}, sizes{}, heard{};
  const Report report = run_on(
      fabric_of("ring:6"),
      [&](Communicator& comm) {
        const auto rank = static_cast<std::size_t>(comm.rank().value());
        const std::unique_ptr<Communicator> part = comm.split(kColors[rank], kKeys[rank]);
        ranks[rank] = part ? part->rank().value() : -1;
        sizes[rank] = part ? part->size() : 0;
        heard[rank] = part ? swap_numbers(*part, right(*part), left(*part), comm.rank().value()) : -1;
      },
      on(each_kind_of_threads()));
  CHECK(ranks == std::array{1, 0, 0, -1, 1, 2});
  CHECK(sizes == std::array{3, 2, 3, 0, 2, 3});
  CHECK(heard == std::array{2, 4, 5, -1, 1, 0});
  CHECK(report.ranks[3].completion == Time());
}

TEST_CASE("making communicators takes no time") {
  const Report report = run_on(fabric_of("ring:6"), [](Communicator& comm) {
    const auto half = comm.split(comm.rank().value() % 2, 0);
    const auto reversed = half->split(0, -half->rank().value());
  });
  CHECK(report.completion == Time());
  CHECK(report.messages() == 0);
  CHECK(report.rounds_max() == 0);
}

TEST_CASE("a part is split again") {
  // 8 ranks by their highest bit, then by the next one: pairs {0,1}, {2,3}, {4,5}, {6,7}
  std::array<int, 8> partners{};
  run_on(
      fabric_of("ring:8"),
      [&partners](Communicator& comm) {
        const int rank = comm.rank().value();
        const auto half = comm.split(rank / 4, 0);
        const auto pair = half->split(half->rank().value() / 2, 0);
        if (pair->size() != 2) throw std::logic_error("not a pair");
        const int partner = 1 - pair->rank().value();
        partners[static_cast<std::size_t>(rank)] = swap_numbers(*pair, partner, partner, rank);
      },
      on(each_kind_of_threads()));
  CHECK(partners == std::array{1, 0, 3, 2, 5, 4, 7, 6});
}

TEST_CASE("tasks split for themselves") {
  // Task 0 splits into even and odd ranks, task 1 into low and high ones.
  std::array<std::array<int, 4>, 2> partners{};
  run_on(
      fabric_of("ring:4"),
      [&partners](Communicator& comm) {
        comm.concurrently(2, [&partners](int i, Communicator& task) {
          const int rank = task.rank().value();
          const auto pair = task.split(i == 0 ? rank % 2 : rank / 2, 0);
          const int partner = 1 - pair->rank().value();
          partners[static_cast<std::size_t>(i)][static_cast<std::size_t>(rank)] = swap_numbers(*pair, partner, partner, rank);
        });
      },
      on(each_kind_of_threads()));
  CHECK(partners[0] == std::array{2, 3, 0, 1});
  CHECK(partners[1] == std::array{1, 0, 3, 2});
}

// ---- plans ----

TEST_CASE("a plan is made once and shared") {
  std::atomic<int> made{0};
  std::array<std::shared_ptr<const Numbers>, 6> plans;
  run_on(
      fabric_of("ring:6"),
      [&](Communicator& comm) {
        const auto rank = static_cast<std::size_t>(comm.rank().value());
        const auto plan = [&](std::string_view key) {
          return comm.shared_plan<Numbers>(key, [&made, key] {
            ++made;
            return Numbers(key.size());
          });
        };
        plans[rank] = plan("four");
        if (plan("four") != plans[rank] || plan("sixsix")->size() != 6) throw std::logic_error("another plan");
      },
      on(each_kind_of_threads()));
  CHECK(made == 2);
  CHECK(std::set(plans.begin(), plans.end()).size() == 1);
  CHECK(plans[0]->size() == 4);
}

TEST_CASE("each part has plans of its own, its tasks share them") {
  std::atomic<int> made{0};
  std::array<std::atomic<int>, 6> sizes{};  // the tasks of a rank may run at once
  run_on(
      fabric_of("ring:6"),
      [&](Communicator& comm) {
        const int rank = comm.rank().value();
        const auto part = comm.split(rank < 2 ? 0 : 1, 0);
        part->concurrently(3, [&](int, Communicator& task) {
          const auto plan = task.shared_plan<int>("size", [&made, &part] { return ++made, part->size(); });
          sizes[static_cast<std::size_t>(rank)] += *plan;
        });
      },
      on(each_kind_of_threads()));
  CHECK(made == 2);
  CHECK(std::vector<int>(sizes.begin(), sizes.end()) == std::vector{6, 6, 12, 12, 12, 12});
}

// ---- where a rank is ----

TEST_CASE("the grid is there when the ranks fill it, wherever they sit") {
  const Fabric fabric = fabric_of("torus:2x3");
  std::array<std::vector<int>, 6> coordinates;
  const RankFunction note_coordinates = [&coordinates](Communicator& comm) {
    const Grid* grid = comm.grid();
    coordinates[static_cast<std::size_t>(comm.rank().value())] = grid ? grid->coordinates(comm.rank()) : std::vector<int>{};
  };
  SECTION("linear") {
    run_on(fabric, note_coordinates);
    CHECK(coordinates == std::array<std::vector<int>, 6>{{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}});
  }
  SECTION("permuted: rank r on endpoint 5 - r") {
    emulate(fabric, {5, 4, 3, 2, 1, 0}, note_coordinates);
    CHECK(coordinates == std::array<std::vector<int>, 6>{{{1, 2}, {1, 1}, {1, 0}, {0, 2}, {0, 1}, {0, 0}}});
  }
  SECTION("not filled") {
    emulate(fabric, {0, 1, 2, 3, 4}, note_coordinates);
    CHECK(coordinates == std::array<std::vector<int>, 6>{});
  }
  SECTION("no grid") {
    run_on(fabric_of("star:6"), note_coordinates);
    CHECK(coordinates == std::array<std::vector<int>, 6>{});
  }
}

TEST_CASE("a part that is a row, a plane or a box of the fabric has that as its grid, in a part of a part too") {
  std::array<std::vector<int>, 12> rows;
  std::array<std::vector<int>, 12> halves;
  std::array<std::vector<int>, 12> diagonals;
  run_on(fabric_of("torus:3x4"), [&](Communicator& comm) {
    const int rank = comm.rank().value();
    const auto at = static_cast<std::size_t>(rank);
    const auto row = comm.split(rank / 4, -rank);  // keys reverse the order
    rows[at] = row->grid()->coordinates(row->rank());
    const auto half = row->split(rank % 4 / 2, rank);
    halves[at] = half->grid()->coordinates(half->rank());
    const auto diagonal = comm.split((rank / 4 + rank) % 4, 0);
    if (diagonal->grid()) diagonals[at] = {diagonal->grid()->size()};
  });
  for (int rank = 0; rank < 12; ++rank) {
    INFO("rank " << rank);
    CHECK(rows[static_cast<std::size_t>(rank)] == std::vector{rank % 4});
    CHECK(halves[static_cast<std::size_t>(rank)] == std::vector{rank % 2});
    CHECK(diagonals[static_cast<std::size_t>(rank)].empty());
  }
}

TEST_CASE("neighbours on the grid are neighbours in time, wherever they sit") {
  // Along the last dimension of torus:3x4 a message takes one link: α + 1·400 ns, though ranks are shuffled.
  const Fabric fabric = fabric_of("torus:3x4");
  const Placement shuffled = random_placement(12, fabric.topology(), 3);
  const Report report = emulate(fabric, shuffled, [](Communicator& comm) {
    const Grid& grid = *comm.grid();
    const int at = grid.coordinate(comm.rank(), 1);
    const Numbers none;
    Numbers empty;
    comm.sendrecv(grid.neighbor(comm.rank(), 1, (at + 1) % 4), none, grid.neighbor(comm.rank(), 1, (at + 3) % 4), empty);
  });
  CHECK(report.completion == 1'400_ns);
}

TEST_CASE("tasks have their rank's grid, parts that fill no box have none, and a flat fabric has one tier") {
  struct Seen {
    bool same = false;
    bool wraps = true;
    bool part_has_grid = true;
    std::vector<std::vector<int>> tiers = {};
    std::vector<std::vector<int>> tiers_of_part = {};
  };
  std::array<Seen, 4> all;
  run_on(fabric_of("mesh:2x2"), [&all](Communicator& comm) {
    const auto part = comm.split(comm.rank().value() / 3, 0);
    Seen& seen = all[static_cast<std::size_t>(comm.rank().value())];
    comm.concurrently(1, [&](int, Communicator& task) { seen.same = task.grid() == comm.grid(); });
    seen.wraps = comm.grid()->wraps();
    seen.part_has_grid = part->grid() != nullptr;
    seen.tiers = comm.tiers().group;
    seen.tiers_of_part = part->tiers().group;
  });
  for (std::size_t rank = 0; rank < 4; ++rank) {
    INFO("rank " << rank);
    CHECK(all[rank].same);
    CHECK_FALSE(all[rank].wraps);
    if (rank < 3) CHECK_FALSE(all[rank].part_has_grid);
    CHECK(all[rank].tiers == std::vector<std::vector<int>>{{0, 0, 0, 0}});
    CHECK(all[rank].tiers_of_part == std::vector<std::vector<int>>{std::vector<int>(rank < 3 ? 3 : 1, 0)});
  }
}

}  // namespace heddle
