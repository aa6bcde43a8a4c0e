// SPDX-License-Identifier: Apache-2.0
// Cases under many orders: an algorithm that relies on an order of messages is found, and the case names its order.
#include <algorithm>

#include "emu/studies/explore.hpp"
#include "fuzz/fuzz.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/fuzz/case_of.hpp"
#include "tests/fuzz/hasty_row.hpp"

namespace heddle {

namespace {

const auto kExploredCases = testing::sampled<std::int64_t>(testing::sample(12, 300), testing::sample(12, 300), 3);
constexpr auto kExploredOrders = testing::sampled<std::int64_t>(400, 400, 60);

ExploreBound few_delays(int delays) {
  ExploreBound bound;
  bound.delays = delays;
  bound.orders = kExploredOrders;
  bound.seeds = 10;
  return bound;
}

}  // namespace

TEST_CASE("a case that is right in the usual order is explored, and its failure names the order") {
  const std::vector<Algorithm> rows = {testing::hasty_row()};
  Experiment what = testing::case_of("gather --algo hasty --topo star:3 --size 48", rows);
  CHECK_FALSE(failure_of(what));
  const std::optional<Failure> failed = explore_case(what, few_delays(1)).failure;
  REQUIRE(failed);
  CHECK(failed->kind == CheckError::Kind::wrong_result);
  CHECK(failed->explanation.find("until nothing else can happen") != std::string::npos);
  REQUIRE(what.text().find(" --order delays:") != std::string::npos);
  const std::optional<Failure> again = failure_of(testing::case_of(what.text(), rows));
  REQUIRE(again);
  CHECK(again->kind == failed->kind);
  CHECK(failed->explanation.starts_with(again->explanation));
}

TEST_CASE("fuzzing with exploration finds what relies on an order, small and with its order") {
  const FuzzOutcome outcome = fuzz({.rows = {testing::hasty_row()},
                                    .cases = 20,
                                    .most_ranks = 4,
                                    .workers = 2,
                                    .explore = few_delays(1),
                                    .shrink_attempts = 60});
  REQUIRE(outcome.findings.size() == 1);
  const FuzzFinding& found = outcome.findings.front();
  INFO(outcome.text());
  CHECK(failure_of(found.smallest));
  CHECK(found.smallest.text().size() < 120);
}

TEST_CASE("heddle's rows are right under every order with one delay") {
  const FuzzOutcome outcome = fuzz({.seed = 3, .cases = kExploredCases, .most_ranks = 4, .explore = few_delays(1)});
  INFO(outcome.text());
  CHECK(outcome.passed());
  CHECK(outcome.coverage.cases() == kExploredCases);
}

}  // namespace heddle
