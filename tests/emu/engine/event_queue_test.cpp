// SPDX-License-Identifier: Apache-2.0
#include "emu/engine/event_queue.hpp"

#include <map>
#include <vector>

#include "tests/catch.hpp"
#include "tests/drawn.hpp"

namespace heddle::emu {

TEST_CASE("an event queue gives the events of the earliest time, in the order in which they were added") {
  EventQueue<int> queue;
  CHECK(queue.empty());
  queue.push(Time::ps(5), 1);
  queue.push(Time::ps(3), 2);
  queue.push(Time::ps(5), 3);
  queue.push(Time::ps(3), 4);
  std::vector<int> events = {99};
  REQUIRE(queue.next() == Time::ps(3));
  queue.pop(events);
  CHECK(events == std::vector{2, 4});
  queue.push(Time::ps(3), 5);  // the same timestamp again
  queue.pop(events);
  CHECK(events == std::vector{5});
  REQUIRE(queue.next() == Time::ps(5));
  queue.pop(events);
  CHECK(events == std::vector{1, 3});
  CHECK(queue.empty());
}

TEST_CASE("an event queue does as a multimap does") {
  testing::property("same times, same events, same order", [] {
    // A negative number takes the earliest events out, another one adds an event so many ps after the last ones taken: often at few
    // times, and at many that may take a place from them.
    const auto steps = drawn::list([] { return drawn::any<bool>() ? drawn::number(0, 200) : drawn::number(-4, 8); });
    EventQueue<int> queue;
    std::multimap<Time, int> model;  // equal keys keep the order of insertion
    Time now;
    int number = 0;
    std::vector<int> events;
    for (const int step : steps) {
      if (step >= 0) {
        queue.push(now + Time::ps(step), number);
        model.emplace(now + Time::ps(step), number++);
      } else if (!model.empty()) {
        now = model.begin()->first;
        RC_ASSERT(queue.next() == now);
        std::vector<int> expected;
        for (auto [event, end] = model.equal_range(now); event != end; ++event) expected.push_back(event->second);
        model.erase(now);
        queue.pop(events);
        RC_ASSERT(events == expected);
      }
      RC_ASSERT(queue.empty() == model.empty());
    }
  });
}

}  // namespace heddle::emu
