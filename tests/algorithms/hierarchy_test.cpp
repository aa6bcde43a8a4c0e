// SPDX-License-Identifier: Apache-2.0
// Who shares a sub-communicator with whom in groups of groups: any sizes, without a communicator.
#include "algorithms/executors/hierarchy.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "heddle/errors.hpp"
#include "tests/algorithms/nested_groups.hpp"
#include "tests/catch.hpp"
#include "tests/drawn.hpp"

namespace heddle::plans {

namespace {

using testing::groups_of;
using testing::ranks_of;

constexpr int kAll = 100;

Hierarchy hierarchy_of(const Tiers& tiers, int most_levels = kAll) { return {tiers, ranks_of(tiers), most_levels}; }

/// Up to four levels of up to five parts, ranks shuffled over the groups.
Tiers draw_tiers() {
  const int levels = drawn::number(0, 4);
  std::vector<std::vector<int>> sizes;
  int groups = drawn::number(1, 5);
  for (int level = 0; level < levels; ++level) {
    std::vector<int> parts(static_cast<std::size_t>(groups));
    for (int& size : parts) size = drawn::number(1, 5);
    sizes.insert(sizes.begin(), parts);
    groups = std::accumulate(sizes.front().begin(), sizes.front().end(), 0);
  }
  if (sizes.empty()) return testing::flat(groups);
  Tiers tiers = groups_of(sizes);
  const auto seed = drawn::number(0, 3);
  for (std::vector<int>& tier : tiers.group) {
    std::vector<int> moved(tier.size());
    const std::size_t stride = seed == 0 || tier.size() % 2 == 0 ? 1 : 2;
    for (std::size_t rank = 0; rank < tier.size(); ++rank) moved[rank * stride % tier.size()] = tier[rank];
    tier = moved;
  }
  return tiers;
}

std::vector<Membership> memberships_by_index(const Hierarchy& hierarchy, int level) {
  std::vector<Membership> memberships;
  for (int rank = 0; rank < hierarchy.ranks(); ++rank) memberships.push_back(hierarchy.by_index(level, rank));
  return memberships;
}

}  // namespace

TEST_CASE("13 + 7 + 12 ranks: seven indices, and the first seven of each group share a sub-communicator with their like") {
  const Hierarchy hierarchy = hierarchy_of(groups_of({{13, 7, 12}}));
  CHECK(hierarchy.levels() == 2);
  CHECK_FALSE(hierarchy.even());
  CHECK(hierarchy.indices(0) == 7);
  CHECK(hierarchy.indices(1) == 3);
  CHECK(hierarchy.parts(0, 0) == 13);
  CHECK(hierarchy.position(0, 20) == 0);
  CHECK(hierarchy.position(1, 20) == 2);
  CHECK(hierarchy.by_index(1, 7).color == -1);
  const std::vector<std::vector<int>> groups = hierarchy.sub_communicators(memberships_by_index(hierarchy, 1));
  REQUIRE(groups.size() == 7);
  for (int index = 0; index < 7; ++index)
    CHECK(groups[static_cast<std::size_t>(index)] == std::vector<int>{index, 13 + index, 20 + index});
}

TEST_CASE("most levels: the tiers beyond are one") {
  const Tiers tiers = groups_of({{2, 2, 2, 2, 2, 2, 2, 2}, {2, 2, 2, 2}, {2, 2}});
  CHECK(hierarchy_of(tiers).levels() == 4);
  const Hierarchy two = hierarchy_of(tiers, 2);
  CHECK(two.levels() == 2);
  CHECK(two.indices(0) == 2);
  CHECK(two.indices(1) == 8);
  CHECK(hierarchy_of(tiers, 1).indices(0) == 16);
  CHECK(Hierarchy({}, 5, kAll).levels() == 1);
}

TEST_CASE("tiers that are not nested are refused") {
  CHECK_THROWS_AS(Hierarchy(Tiers{{{0, 0, 1, 1}, {0, 1, 1, 0}, {0, 0, 0, 0}}}, 4, kAll), UsageError);
}

TEST_CASE("by index: from each group of a level one part each, no rank twice, surplus ranks nowhere further out") {
  testing::property([] {
    const Hierarchy hierarchy = hierarchy_of(draw_tiers());
    std::size_t placed_before = static_cast<std::size_t>(hierarchy.ranks());
    for (int level = 0; level < hierarchy.levels(); ++level) {
      std::set<int> placed;
      for (const std::vector<int>& members : hierarchy.sub_communicators(memberships_by_index(hierarchy, level))) {
        RC_ASSERT(static_cast<int>(members.size()) == hierarchy.parts(level, members.front()));
        for (std::size_t i = 0; i < members.size(); ++i) {
          RC_ASSERT(placed.insert(members[i]).second);
          RC_ASSERT(hierarchy.position(level, members[i]) == static_cast<int>(i));
          RC_ASSERT(hierarchy.group(level, members[i]) == hierarchy.group(level, members.front()));
          for (int below = 0; below < level; ++below)
            RC_ASSERT(hierarchy.position(below, members[i]) == hierarchy.position(below, members.front()));
        }
      }
      RC_ASSERT(placed.size() <= placed_before);
      if (hierarchy.even()) RC_ASSERT(static_cast<int>(placed.size()) == hierarchy.ranks());
      placed_before = placed.size();
    }
  });
}

TEST_CASE("by leader: word from the root reaches every rank, once, from a rank that has it") {
  testing::property([] {
    const Hierarchy hierarchy = hierarchy_of(draw_tiers());
    const int root = drawn::number(0, hierarchy.ranks());
    std::set<int> informed{root};
    for (int level = hierarchy.levels() - 1; level >= 0; --level) {
      std::vector<Membership> memberships;
      for (int rank = 0; rank < hierarchy.ranks(); ++rank) memberships.push_back(hierarchy.by_leader(level, rank, root));
      std::set<int> now = informed;
      for (const std::vector<int>& members : hierarchy.sub_communicators(memberships)) {
        const int leader = hierarchy.leader(level, members.front(), root);
        RC_ASSERT(informed.contains(members.at(static_cast<std::size_t>(leader))));
        for (const int member : members) {
          RC_ASSERT(hierarchy.leader(level, member, root) == leader);
          RC_ASSERT(now.insert(member).second == (member != members[static_cast<std::size_t>(leader)]));
        }
      }
      informed = now;
    }
    RC_ASSERT(static_cast<int>(informed.size()) == hierarchy.ranks());
  });
}

TEST_CASE("blocks by index: each step's parts are consecutive, and what is left belongs to the holder's own group") {
  testing::property([] {
    const Hierarchy hierarchy = hierarchy_of(draw_tiers());
    const BlocksByIndex blocks(hierarchy);
    const int last = hierarchy.levels() - 1;
    std::vector<int> left(static_cast<std::size_t>(hierarchy.ranks()), -1);  // block → who has it in the end
    for (int rank = 0; rank < hierarchy.ranks(); ++rank) {
      BlocksByIndex::Range range{0, hierarchy.ranks()};
      for (int level = 0; level <= last; ++level) {
        if (hierarchy.by_index(level, rank).color < 0) {
          RC_ASSERT(range.first == range.end);
          break;
        }
        const std::vector<BlocksByIndex::Range> parts = blocks.parts(hierarchy, level, rank, range);
        int place = range.first;
        for (const BlocksByIndex::Range& part : parts) {
          RC_ASSERT(part.first == place || part.first == part.end);
          place = std::max(place, part.end);
        }
        RC_ASSERT(place == range.end);
        range = parts[static_cast<std::size_t>(hierarchy.position(level, rank))];
      }
      for (int place = range.first; place < range.end; ++place) {
        const int block = blocks.order[static_cast<std::size_t>(place)];
        RC_ASSERT(left[static_cast<std::size_t>(block)] == -1);
        left[static_cast<std::size_t>(block)] = rank;
        RC_ASSERT(hierarchy.position(last, block) == hierarchy.position(last, rank));
      }
    }
    RC_ASSERT(left == blocks.holder);
    if (!hierarchy.even()) return;
    for (int rank = 0; rank < hierarchy.ranks(); ++rank) RC_ASSERT(left[static_cast<std::size_t>(rank)] == rank);
  });
}

}  // namespace heddle::plans
