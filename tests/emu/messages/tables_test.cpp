// SPDX-License-Identifier: Apache-2.0
// Where a run keeps its channels, messages and tasks.
#include "emu/messages/channel_table.hpp"

#include <set>
#include <vector>

#include "emu/messages/message_store.hpp"
#include "emu/messages/task_state.hpp"
#include "tests/catch.hpp"
#include "tests/drawn.hpp"

namespace heddle::emu {

TEST_CASE("a channel table finds what was added, and nothing else") {
  ChannelTable table;
  const auto is = [](ChannelId wanted) { return [wanted](ChannelId id) { return id == wanted; }; };
  CHECK(table.find(7, is(0)) == ChannelTable::kNone);

  // A thousand channels, four of each hash: the table grows many times, and probes pass each other.
  for (ChannelId id = 0; id < 1000; ++id) table.add(id / 4, id);
  for (ChannelId id = 0; id < 1000; ++id) REQUIRE(table.find(id / 4, is(id)) == id);
  CHECK(table.find(0, is(4)) == ChannelTable::kNone);
  CHECK(table.find(250, is(1000)) == ChannelTable::kNone);

  table.clear();
  CHECK(table.find(0, is(0)) == ChannelTable::kNone);
  table.add(0, 5);
  CHECK(table.find(0, is(5)) == 5);
}

TEST_CASE("a channel table works with any hashes") {
  testing::property("each channel is found by its hash", [] {
    const auto hashes = drawn::list([] { return drawn::any<std::uint32_t>(); });
    ChannelTable table;
    for (ChannelId id = 0; id < hashes.size(); ++id) table.add(hashes[id], id);
    for (ChannelId id = 0; id < hashes.size(); ++id)
      RC_ASSERT(table.find(hashes[id], [id](ChannelId found) { return found == id; }) == id);
  });
}

TEST_CASE("each part of a key changes its hash") {
  const ChannelKey key{1, 2, 3, 4};
  CHECK(ChannelTable::hash(key) == ChannelTable::hash({1, 2, 3, 4}));
  for (const ChannelKey& other :
       {ChannelKey{2, 2, 3, 4}, ChannelKey{1, 3, 3, 4}, ChannelKey{1, 2, 4, 4}, ChannelKey{1, 2, 3, 5}, ChannelKey{1, 3, 2, 4}})
    CHECK(ChannelTable::hash(other) != ChannelTable::hash(key));
}

TEST_CASE("message store: the last given back is taken first, and messages stay where they are") {
  MessageStore store(false);
  std::set<const Message*> places;
  for (MessageId id = 0; id < 100; ++id) {
    const auto [taken, message] = store.take();
    CHECK(taken == id);
    places.insert(message);
  }
  CHECK(places.size() == 100);
  store.give_back(7);
  store.give_back(50);
  const auto [again, message] = store.take();
  CHECK(again == 50);
  CHECK(message == &store[50]);
  CHECK(places.contains(message));
  CHECK(store.take().first == 7);
  CHECK(store.take().first == 100);
}

TEST_CASE("task table: a new task's state is as new, though another had its id") {
  TaskTable tasks;
  tasks.begin(3).round = 5;
  CHECK(tasks.size() == 4);
  CHECK(tasks.is_live(3));
  CHECK_FALSE(tasks.is_live(2));
  tasks.end(3);
  CHECK_FALSE(tasks.is_live(3));
  CHECK(tasks[3].round == 5);
  CHECK(tasks.begin(3).round == 0);
}

TEST_CASE("task table: the peak leaves out who waits for branches of its own") {
  TaskTable tasks;
  tasks.begin(0);
  CHECK(tasks.peak() == 1);
  tasks.waits_for_branches();
  tasks.begin(1);
  tasks.begin(2);
  CHECK(tasks.peak() == 2);
  tasks.end(1);
  tasks.end(2);
  tasks.goes_on();
  CHECK(tasks.peak() == 2);
}

TEST_CASE("task state: a slot that is free is taken again before there are more") {
  TaskState task;
  CHECK(task.take_slot() == 0);
  CHECK(task.take_slot() == 1);
  task.slots[0].next_free = TaskState::kNoSlot;
  task.free_slot = 0;
  CHECK(task.take_slot() == 0);
  CHECK(task.take_slot() == 2);
}

}  // namespace heddle::emu
