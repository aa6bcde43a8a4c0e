// SPDX-License-Identifier: Apache-2.0
#include "emu/messages/message_store.hpp"

#include <set>

#include "tests/catch.hpp"

namespace heddle::emu {

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

}  // namespace heddle::emu
