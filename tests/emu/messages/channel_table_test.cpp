// SPDX-License-Identifier: Apache-2.0
#include "emu/messages/channel_table.hpp"

#include <vector>

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

}  // namespace heddle::emu
