// SPDX-License-Identifier: Apache-2.0
// What makes communicators, without a run: calls of split(), contexts, groups.
#include <memory>
#include <vector>

#include "emu/messages/groups.hpp"
#include "tests/catch.hpp"
#include "tests/emu/runs.hpp"

namespace heddle::emu {

namespace {

std::shared_ptr<const Group> group_of(std::vector<int> members) {
  auto group = std::make_shared<Group>();
  group->members = std::move(members);
  return group;
}

}  // namespace

TEST_CASE(
    "split: a call is whole once every rank of the group has made it, and each call on a communicator is one of its own") {
  const auto group = group_of({4, 5, 6});
  SplitCalls<char> splits;
  CHECK_FALSE(splits.add({group, 0, 1, 0, 0, 0}, 'a'));
  CHECK_FALSE(splits.add({group, 0, 1, 1, 0, 0}, 'A'));  // the rank's next call
  CHECK_FALSE(splits.add({group, 2, 1, 0, 0, 0}, 'c'));
  CHECK(splits.under_way().size() == 2);
  const auto whole = splits.add({group, 1, 1, 0, 0, 0}, 'b');
  REQUIRE(whole);
  CHECK(whole->members == std::vector<char>{'a', 'c', 'b'});
  CHECK(whole->calls.back().rank == 1);
  REQUIRE(splits.under_way().size() == 1);
  CHECK(splits.under_way().begin()->second.members == std::vector<char>{'A'});
}

TEST_CASE("split: parts by color, ranks by key and then as before; a color below 0 has none") {
  const auto group = group_of({0, 1, 2, 3, 4});
  const std::vector<SplitCall> calls = {
      {group, 3, 0, 0, 1, 5}, {group, 0, 0, 0, 1, 9}, {group, 1, 0, 0, 0, 0}, {group, 2, 0, 0, 1, 5}, {group, 4, 0, 0, -1, 0}};
  CHECK(split_parts(calls) == std::vector<std::vector<std::size_t>>{{2}, {3, 0, 1}});
}

TEST_CASE("contexts: branches of one call have the same on each rank, and no two communicators share one") {
  Contexts contexts;
  CHECK(contexts.take(0, 0) == 1);
  const Contexts::Branches& first = contexts.branches(0, 0, 3, 7);
  CHECK(first.first == 2);
  CHECK(contexts.take(0, 1) == 5);
  const Contexts::Branches& same = contexts.branches(0, 0, 2, 1);
  CHECK(same.first == 2);
  CHECK(same.tasks == 3);  // what the first rank asked for: the caller compares
  CHECK(same.by_rank == 7);
  CHECK(contexts.branches(0, 1, 3, 7).first == 6);
  CHECK(contexts.branches(1, 0, 1, 7).first == 9);
  CHECK(contexts.path(5) == part_path(kWorldPath, 1));
  CHECK(contexts.path(4) == branch_path(kWorldPath, 0, 3, 2));
  CHECK(contexts.path(9) == branch_path(part_path(kWorldPath, 0), 0, 1, 0));
}

TEST_CASE("groups: ids in turn, costs of a message from the first rank to the second, scaled") {
  const Fabric fabric = fabric_of("ring:4");
  const Placement placement = linear_placement(4, fabric.topology());
  GroupMaker plain(fabric, placement);
  GroupMaker scaled(fabric, placement, 8);
  const auto world = plain.make_world();
  CHECK(world->id == 0);
  CHECK(world->members == std::vector<int>{0, 1, 2, 3});
  const auto pair = plain.make({3, 1});
  CHECK(pair->id == 1);
  CHECK(pair->members == std::vector<int>{3, 1});
  CHECK_FALSE(pair->in_network);
  CHECK(scaled.make({3, 1})->message_cost.seconds_per_byte == 8 * pair->message_cost.seconds_per_byte);
  CHECK(plain.make({2})->message_cost.seconds_per_byte == 0);
}

TEST_CASE("shared plans: made once for each key") {
  SharedPlans plans;
  int made = 0;
  const auto make = [&made]() -> std::shared_ptr<const void> { return std::make_shared<int>(++made); };
  const auto first = plans.get(0, "a", make);
  CHECK(plans.get(0, "a", make) == first);
  CHECK(plans.get(0, "b", make) != first);
  CHECK(made == 2);
}

}  // namespace heddle::emu
