// SPDX-License-Identifier: Apache-2.0
// The relays of alltoall: ways, what links carry, and that the formulas hold on meshes too.
#include "algorithms/families/relays.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "heddle/registry.hpp"
#include "tests/algorithms/thread_communicator.hpp"
#include "tests/algorithms/witness.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/every_row.hpp"

namespace heddle::plans {

namespace {

using testing::SentMessage;
using testing::ThreadWorld;

/// What is sent when everyone's block to t, one element, is 100·rank + t.
std::vector<SentMessage> sent_by(const std::string& name, int ranks, const std::shared_ptr<const Grid>& grid, int block = 1) {
  const Algorithm algorithm = find_algorithm(Collective::alltoall, name);
  ThreadWorld world(ranks, grid);
  world.run([&](Communicator& comm) {
    std::vector<int> outgoing, incoming(static_cast<std::size_t>(ranks * block));
    for (int to = 0; to < ranks; ++to)
      outgoing.insert(outgoing.end(), static_cast<std::size_t>(block), 100 * comm.rank().value() + to);
    const BlockPartition blocks(ranks * block, ranks);
    algorithm.run(comm, {.input = outgoing, .output = incoming, .blocks = blocks, .received = blocks});
  });
  return world.sent();
}

/// Elements sent over each link, by (from, to).
std::map<std::pair<int, int>, std::size_t> loads(const std::vector<SentMessage>& sent) {
  std::map<std::pair<int, int>, std::size_t> loads;
  for (const SentMessage& message : sent) loads[{message.from, message.to}] += message.as<int>().size();
  return loads;
}

}  // namespace

TEST_CASE("the shorter way: everyone is reached once, by way of the distance") {
  for (const Ways kind : {Ways{1, true, +1}, Ways{1, true, -1}, Ways{1, false}}) {
    for (int size = 1; size <= 64; ++size) {
      const Ways ways{size, kind.wraps, kind.opposite};
      int longest = 0;
      for (int from = 0; from < size; ++from) {
        std::set<int> reached{from};
        for (const int direction : {+1, -1}) {
          for (int n = 1; n <= ways.reach(from, direction); ++n) {
            const int to = ((from + direction * n) % size + size) % size;
            REQUIRE(reached.insert(to).second);
            REQUIRE(ways.distance(from, to) == n);
            longest = std::max(longest, n);
          }
        }
        REQUIRE(reached.size() == static_cast<std::size_t>(size));
      }
      REQUIRE(ways.longest() == longest);
    }
  }
}

TEST_CASE("the picture of ring_relay.cpp: blocks passed upwards round a ring of 5") {
  std::map<std::pair<int, int>, std::vector<int>> upwards;  // (round, rank)
  for (const SentMessage& message : sent_by("ring_relay", 5, nullptr)) {
    if (message.to == (message.from + 1) % 5) upwards[{message.round, message.from}] = message.as<int>();
  }
  CHECK(upwards.size() == 10);
  CHECK(upwards[{1, 0}] == std::vector{1, 2});
  CHECK(upwards[{1, 3}] == std::vector{304, 300});
  CHECK(upwards[{1, 4}] == std::vector{400, 401});
  CHECK(upwards[{2, 0}] == std::vector{401});
  CHECK(upwards[{2, 4}] == std::vector{300});
}

TEST_CASE("the picture of torus_relay.cpp: what rank 0 of a 4x4 torus sends first") {
  std::map<int, std::vector<std::vector<int>>> first;
  const auto grid = std::make_shared<const Grid>(std::vector{4, 4}, true);
  for (const SentMessage& message : sent_by("torus_relay", 16, grid, 4)) {
    if (message.from == 0 && message.round == 1) first[message.to].push_back(message.as<int>());
  }
  // Of four parts, 0 is that of the picture, 1 begins along its row and 2 takes the other way to opposite coordinates.
  const auto has = [&](int to, const std::vector<int>& data) {
    return std::count(first[to].begin(), first[to].end(), data) == 1;
  };
  CHECK(has(4, {4, 5, 6, 7, 8, 9, 10, 11}));
  CHECK(has(12, {12, 13, 14, 15}));
  CHECK(has(1, {1, 2}));
  CHECK(has(3, {3}));
  CHECK(has(1, {1, 5, 9, 13, 2, 6, 10, 14}));
  CHECK(has(4, {4, 5, 6, 7}));
  CHECK(has(12, {8, 9, 10, 11, 12, 13, 14, 15}));
}

TEST_CASE("no message goes farther than to a neighbour, and each link carries d/8 of the vector, on a line d/4 at most") {
  for (const std::string name : {"torus_relay", "torus_decomposed"}) {
    for (const bool wraps : {true, false}) {
      for (const std::vector<int>& dims : std::vector<std::vector<int>>{{8}, {4, 4}, {6, 8}, {5, 3}, {4, 3, 4}}) {
        const auto grid = std::make_shared<const Grid>(dims, wraps);
        const int p = grid->size();
        const int block = 2 * static_cast<int>(dims.size());
        CAPTURE(name, wraps, dims);
        for (const auto& [link, load] : loads(sent_by(name, p, grid, block))) {
          int differ = 0;
          for (int i = 0; i < grid->dimensions(); ++i) {
            const int from = grid->coordinate(Rank(link.first), i);
            const int to = grid->coordinate(Rank(link.second), i);
            if (from == to) continue;
            ++differ;
            const int d = dims[static_cast<std::size_t>(i)];
            REQUIRE(Ways{d, wraps}.distance(from, to) == 1);
            const auto vector = static_cast<std::size_t>(p * block);
            const auto square = static_cast<std::size_t>(d) * static_cast<std::size_t>(d);
            const auto size = static_cast<std::size_t>(d);
            if (!wraps) {
              REQUIRE(load <= vector * (square / 4) / size);
            } else if (d % 2 == 0) {
              REQUIRE(load * 8 == vector * size);
            } else {
              REQUIRE(load == vector * ((square - 1) / 8) / size);
            }
          }
          REQUIRE(differ == 1);
        }
      }
    }
  }
}

TEST_CASE("relays are right on meshes, with the rounds and bytes of the formulas") {
  for (const std::string name : {"torus_relay", "torus_decomposed"}) {
    const Algorithm algorithm = find_algorithm(Collective::alltoall, name);
    for (const std::string& dims : testing::sample<std::vector<std::string>>(
             {"1", "5", "3x4", "1x6"}, {"1", "2", "5", "8", "2x2", "3x4", "5x3", "1x6", "2x3x4", "3x3x3", "2x2x2x3"})) {
      Experiment what = testing::call_of(
          algorithm, {{.fabric = {.topology = "mesh:" + dims}}, {.type = Datatype::u64(), .in_place = true}, {}});
      const Shape shape = what.shape();
      const std::int64_t block_count = algorithm.block_count(shape);
      for (const std::int64_t count : {std::int64_t{0}, std::int64_t{shape.ranks}, 2 * block_count}) {
        set_count(what, count);
        INFO(what.text());
        REQUIRE_THAT(testing::witness(set_up(what), algorithm).failure, Catch::Equals(""));
      }
      set_count(what, block_count);
      INFO(what.text());
      const Setup setup = set_up(what);
      const testing::Witnessed witnessed = testing::witness_one_call(setup, algorithm);
      REQUIRE(witnessed.rounds == algorithm.rounds(setup.shape()));
      REQUIRE(witnessed.bytes == algorithm.bytes(setup.shape()));
    }
  }
}

}  // namespace heddle::plans
