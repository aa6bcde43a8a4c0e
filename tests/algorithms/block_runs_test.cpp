// SPDX-License-Identifier: Apache-2.0
#include "algorithms/executors/blocks.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "tests/catch.hpp"
#include "tests/drawn.hpp"

namespace heddle::plans {

namespace {

RunSet as_runs(const std::set<std::int32_t>& positions) {
  RunSet runs;
  for (const std::int32_t position : positions) append(runs, {position, 1});
  return runs;
}

std::set<std::int32_t> few_positions() {
  const auto positions = drawn::list([] { return drawn::number<std::int32_t>(0, 40); });
  return {positions.begin(), positions.end()};
}

}  // namespace

TEST_CASE("touching runs become one") {
  CHECK(unite({{0, 2}, {6, 1}}, {{2, 3}}) == RunSet{{0, 5}, {6, 1}});
  CHECK(unite({{0, 9}}, {{2, 3}}) == RunSet{{0, 9}});
  CHECK(subtract({{0, 9}}, {{0, 2}, {4, 1}, {8, 5}}) == RunSet{{2, 2}, {5, 3}});
  CHECK(subtract({{0, 2}, {3, 2}, {6, 2}}, {{1, 6}}) == RunSet{{0, 1}, {7, 1}});
  CHECK(filter(RunSet{{0, 6}, {8, 1}}, [](std::int32_t position) { return position % 4 != 2; }) ==
        RunSet{{0, 2}, {3, 3}, {8, 1}});
}

TEST_CASE("runs are sets") {
  testing::property("union, difference and filter are those of sets", [] {
    const std::set<std::int32_t> a = few_positions();
    const std::set<std::int32_t> b = few_positions();
    std::set<std::int32_t> both;
    std::set<std::int32_t> rest;
    std::set<std::int32_t> shared;
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::inserter(both, both.end()));
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(rest, rest.end()));
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(shared, shared.end()));
    RC_ASSERT(unite(as_runs(a), as_runs(b)) == as_runs(both));
    RC_ASSERT(subtract(as_runs(a), as_runs(b)) == as_runs(rest));
    RC_ASSERT(filter(as_runs(a), [&b](std::int32_t position) { return b.count(position) > 0; }) == as_runs(shared));
  });
}

TEST_CASE("turned round a circle, runs part and join at its ends") {
  CHECK(rotate({{0, 2}, {5, 3}}, 2, 8) == RunSet{{0, 4}, {7, 1}});
  CHECK(rotate({{0, 8}}, 3, 8) == RunSet{{0, 8}});
  CHECK(rotate({}, 3, 8).empty());
  std::vector<Run> sets{{0, 2}};
  append_rotated(sets, {{0, 1}}, 2, 8);
  CHECK(sets == std::vector<Run>{{0, 2}, {2, 1}});  // a set of its own, though it touches the one before
  testing::property("each position moves on, none is lost", [] {
    const std::set<std::int32_t> positions = few_positions();
    const auto shift = drawn::number<std::int32_t>(0, 40);
    std::set<std::int32_t> moved;
    for (const std::int32_t position : positions) moved.insert((position + shift) % 40);
    const RunSet runs = as_runs(positions);
    RC_ASSERT(rotate(runs, shift, 40) == as_runs(moved));
    RC_ASSERT(count(runs) == static_cast<std::int64_t>(positions.size()));
    for (std::int32_t position = 0; position < 40; ++position)
      RC_ASSERT(contains(runs, position) == (positions.count(position) > 0));
  });
}

}  // namespace heddle::plans
