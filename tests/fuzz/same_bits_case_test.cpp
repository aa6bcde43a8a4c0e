// SPDX-License-Identifier: Apache-2.0
// Fuzzing finds results that are within what roundings allow and still break who uses them: other bits on each rank, or in each run.
#include <string>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/fuzz/case_of.hpp"
#include "tests/fuzz/folding_rows.hpp"

namespace heddle {

namespace {

FuzzFinding finding_of(const Algorithm& row) {
  const FuzzOutcome outcome = fuzz({.rows = {row}, .cases = 300, .most_ranks = 12, .workers = 2});
  INFO(outcome.text());
  REQUIRE(outcome.findings.size() == 1);
  return outcome.findings.front();
}

}  // namespace

TEST_CASE("fuzzing finds that each rank folds in an order of its own, and the fewest ranks on which it does") {
  const FuzzFinding finding = finding_of(testing::folds_from_itself_row());
  CHECK(finding.failure.kind == CheckError::Kind::different_bits);
  CHECK(finding.smallest.type->is_floating());
  CHECK(finding.smallest.ranks.value_or(3) == 3);
  const std::optional<Failure> again =
      failure_of(testing::case_of(finding.smallest.text(), {testing::folds_from_itself_row()}));
  REQUIRE(again);
  CHECK(again->explanation == finding.failure.explanation);
}

TEST_CASE("fuzzing finds that a result changes from run to run, and the line has the order") {
  const FuzzFinding finding = finding_of(testing::folds_as_it_comes_row());
  CHECK(finding.failure.kind == CheckError::Kind::run_to_run);
  CHECK_THAT(finding.smallest.text(), Catch::Contains(" --order"));
  CHECK_THAT(finding.failure.explanation, Catch::Contains("receives from any source"));
}

TEST_CASE("exploring finds it as well, in a case whose own order is the usual one") {
  Experiment what = testing::case_of("allreduce --algo folds_as_it_comes --topo star:4 --size 80 --datatype f32",
                                     {testing::folds_as_it_comes_row()});
  CHECK_FALSE(failure_of(what));
  ExploreBound bound;
  bound.delays = 1;
  const std::optional<Failure> failure = explore_case(what, bound).failure;
  REQUIRE(failure);
  CHECK(failure->kind == CheckError::Kind::run_to_run);
  const std::optional<Failure> again = failure_of(testing::case_of(what.text(), {testing::folds_as_it_comes_row()}));
  REQUIRE(again);
  CHECK(failure->explanation.starts_with(again->explanation));
}

TEST_CASE("rows that promise neither are right") {
  Algorithm own_order = testing::folds_from_itself_row();
  own_order.same_bits = false;
  Algorithm any_order = testing::folds_as_it_comes_row();
  any_order.same_bits_in_any_order = false;
  const FuzzOutcome outcome = fuzz({.rows = {own_order, any_order}, .cases = 300, .most_ranks = 12});
  INFO(outcome.text());
  CHECK(outcome.passed());
}

}  // namespace heddle
