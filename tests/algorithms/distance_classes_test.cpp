// SPDX-License-Identifier: Apache-2.0
// Peers by distance: every pair once, senders and receivers in step, near ones first. Any sizes of groups.
#include "algorithms/executors/hierarchy.hpp"

#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "heddle/registry.hpp"
#include "tests/algorithms/nested_groups.hpp"
#include "tests/algorithms/witness.hpp"
#include "tests/catch.hpp"
#include "tests/every_row.hpp"

namespace heddle::plans {

namespace {

using testing::groups_of;

Hierarchy all_levels_of(const Tiers& tiers) { return {tiers, testing::ranks_of(tiers), 100}; }

/// The innermost level on which two ranks are in one group.
int distance(const Hierarchy& hierarchy, int a, int b) {
  int level = 0;
  while (hierarchy.group(level, a) != hierarchy.group(level, b)) ++level;
  return level;
}

void check_schedule(const Hierarchy& hierarchy) {
  const DistanceClasses classes(hierarchy);
  std::map<std::pair<std::int64_t, int>, int> dest_in_round;  // shift, sender → receiver
  std::map<std::pair<std::int64_t, int>, int> source_in_round;
  for (int rank = 0; rank < hierarchy.ranks(); ++rank) {
    std::set<int> dests;
    std::set<int> sources;
    std::int64_t before = 0;
    for (const DistanceClasses::Round& round : classes.rounds(rank)) {
      REQUIRE(round.shift > before);
      before = round.shift;
      if (round.dest >= 0) {
        REQUIRE(dests.insert(round.dest).second);
        REQUIRE(classes.distance(round.shift) == distance(hierarchy, rank, round.dest));
        dest_in_round[{round.shift, rank}] = round.dest;
      }
      if (round.source >= 0) {
        REQUIRE(sources.insert(round.source).second);
        source_in_round[{round.shift, rank}] = round.source;
      }
    }
    REQUIRE(dests.size() == static_cast<std::size_t>(hierarchy.ranks()) - 1);
    REQUIRE(dests == sources);
    REQUIRE_FALSE(dests.contains(rank));
  }
  REQUIRE(dest_in_round.size() == source_in_round.size());
  for (const auto& [sender, dest] : dest_in_round) REQUIRE(source_in_round.at({sender.first, dest}) == sender.second);
}

}  // namespace

TEST_CASE("peers by distance: every pair once, sender and receiver in one round, near ones first") {
  for (int p = 1; p <= 12; ++p) check_schedule(all_levels_of(testing::flat(p)));
  for (int a = 1; a <= 4; ++a) {
    for (int b = 1; b <= 4; ++b) {
      check_schedule(all_levels_of(groups_of({{a, b}})));
      for (int c = 1; c <= 4; ++c) {
        check_schedule(all_levels_of(groups_of({{a, b, c}})));
        check_schedule(all_levels_of(groups_of({{a, b, c, 2}, {1, 3}})));
        check_schedule(all_levels_of(groups_of({{a, b, c, 2}, {2, 2}})));
      }
    }
  }
  check_schedule(all_levels_of(groups_of({{13, 7, 12}})));
}

TEST_CASE("peers by distance: in even groups every rank sends and receives in every round") {
  const DistanceClasses classes(all_levels_of(groups_of({{3, 3, 3, 3}, {2, 2}})));
  CHECK(classes.longest_chain() == 11);
  std::vector<int> peers(3, 0);
  for (const DistanceClasses::Round& round : classes.rounds(5)) {
    CHECK(round.dest >= 0);
    CHECK(round.source >= 0);
    ++peers[static_cast<std::size_t>(classes.distance(round.shift))];
  }
  CHECK(peers == std::vector<int>{2, 3, 6});
}

TEST_CASE("hierarchical alltoall: right over any tiers, with the rounds and bytes of its formulas") {
  for (const std::string name : {"hierarchical", "hierarchical:tiers=1", "hierarchical:tiers=2"}) {
    const Algorithm algorithm = find_algorithm(Collective::alltoall, name);
    for (const auto& [topology, placement, ranks] :
         {std::tuple("clos:hosts=3,leaves=2,spines=1", "linear", 6),
          std::tuple("clos:hosts=5,leaves=3,spines=1", "groups:5+2+4", 11),
          std::tuple("clos:hosts=6,leaves=3,spines=1", "groups:1+6+3", 10),
          std::tuple("clos:hosts=4,leaves=3,spines=1,pods=2,cores=1", "groups:3+2+0+2+1+4", 12),
          std::tuple("clos:hosts=2,leaves=2,spines=1,pods=2,cores=1", "linear", 8)}) {
      const Experiment what = testing::call_of(algorithm, testing::in_place_on(topology, placement), 3 * ranks);
      const Setup setup = set_up(what);
      INFO(what.text());
      const testing::Witnessed witnessed = testing::witness_one_call(setup, algorithm);
      REQUIRE_THAT(witnessed.failure, Catch::Equals(""));
      CHECK(witnessed.rounds == algorithm.rounds(setup.shape()));
      CHECK(witnessed.bytes == algorithm.bytes(setup.shape()));
    }
  }
}

}  // namespace heddle::plans
