// SPDX-License-Identifier: Apache-2.0
#include "emu/network/fluid_network.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "tests/catch.hpp"

namespace heddle::emu {

namespace {

std::vector<FlowId> due(DrainTimes& times) {
  std::vector<FlowId> flows{99};
  times.due(flows);
  return flows;
}

}  // namespace

TEST_CASE("drain times: none, one, and those that share an instant") {
  DrainTimes times;
  CHECK(times.empty());
  CHECK(due(times).empty());
  CHECK_FALSE(times.is(0, Time()));
  CHECK_FALSE(times.is(7, Time()));

  times.set(0, Time());
  CHECK(times.next() == Time());
  CHECK(due(times) == std::vector<FlowId>{0});
  times.set(5, Time::ps(30));
  times.set(2, Time::ps(30));
  times.set(0, Time::ps(40));
  CHECK(times.next() == Time::ps(30));
  CHECK(due(times) == std::vector<FlowId>{2, 5});
  CHECK(times.is(5, Time::ps(30)));
  CHECK_FALSE(times.is(5, Time::ps(40)));

  times.remove(2);
  times.remove(5);
  CHECK(due(times) == std::vector<FlowId>{0});
  CHECK_FALSE(times.is(2, Time::ps(30)));
  times.remove(0);
  CHECK(times.empty());
}

TEST_CASE("drain times are those of a plain map, however many change at once") {
  std::mt19937 random(1);
  const auto below = [&random](std::size_t n) { return static_cast<std::int64_t>(random() % n); };
  for (const std::size_t flows : {1, 3, 64, 65, 700}) {
    DrainTimes times;
    std::map<FlowId, std::int64_t> plain;
    for (int turn = 0; turn < 400; ++turn) {
      for (std::int64_t writes = below(turn % 3 == 0 ? 2 * flows : 4); writes >= 0; --writes) {
        const auto flow = static_cast<FlowId>(below(flows));
        if (below(3) == 0) {
          times.remove(flow);
          plain.erase(flow);
        } else {
          const std::int64_t time = below(20);
          times.set(flow, Time::ps(time));
          plain[flow] = time;
        }
      }
      REQUIRE(times.empty() == plain.empty());
      if (plain.empty()) continue;
      const auto less = [](const auto& a, const auto& b) { return a.second < b.second; };
      const std::int64_t earliest = std::min_element(plain.begin(), plain.end(), less)->second;
      std::vector<FlowId> expected;
      for (const auto& [flow, time] : plain) {
        if (time == earliest) expected.push_back(flow);
        REQUIRE(times.is(flow, Time::ps(time)));
      }
      REQUIRE(times.next() == Time::ps(earliest));
      REQUIRE(due(times) == expected);
    }
  }
}

}  // namespace heddle::emu
