// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz.hpp"

#include <algorithm>
#include <atomic>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/fuzz/faulty_rows.hpp"

namespace heddle {

namespace {

using namespace heddle::testing;

const auto kFuzzCases = sampled<std::int64_t>(sample(150, 2000), 100, 25);
constexpr int kFuzzRanks = sampled(64, 64, 9);

}  // namespace

TEST_CASE("drawn calls of all of heddle's rows are right") {
  const FuzzOutcome outcome = fuzz({.cases = kFuzzCases, .most_ranks = kFuzzRanks});
  INFO(outcome.text());
  CHECK(outcome.passed());
  CHECK(outcome.coverage.cases() == kFuzzCases);
  CHECK(outcome.text() == std::to_string(kFuzzCases) + " cases right");
}

TEST_CASE("rows of one's own are fuzzed with nothing said but what they are") {
  const FuzzOutcome outcome = fuzz({.rows = {right_row()}, .cases = 40, .most_ranks = 12});
  INFO(outcome.text());
  CHECK(outcome.passed());
  CHECK(outcome.coverage.rows().size() == 1);
}

TEST_CASE("any number of workers finds the same") {
  FuzzSettings settings{
      .seed = 4, .rows = {right_row(), forgetful_row(), waiting_row()}, .cases = 60, .most_ranks = 12, .shrink_attempts = 60};
  for (const bool keep_going : {false, true}) {
    settings.keep_going = keep_going;
    settings.workers = 1;
    const FuzzOutcome alone = fuzz(settings);
    settings.workers = 4;
    const FuzzOutcome together = fuzz(settings);
    CHECK_FALSE(alone.passed());
    CHECK(alone.findings.size() == (keep_going ? 2 : 1));
    CHECK(alone.text() == together.text());
    CHECK(alone.coverage.rows() == together.coverage.rows());
    CHECK(alone.coverage.ranks() == together.coverage.ranks());
    CHECK((alone.coverage.cases() == 60) == keep_going);
  }
}

TEST_CASE("the finding is the first case that fails") {
  const FuzzSettings settings{.rows = {right_row(), forgetful_row()}, .cases = 100, .most_ranks = 12, .workers = 2};
  const FuzzOutcome outcome = fuzz(settings);
  REQUIRE(outcome.findings.size() == 1);
  const std::uint64_t index = outcome.findings.front().index;
  CHECK(outcome.coverage.cases() == static_cast<std::int64_t>(index) + 1);
  FuzzSettings before = settings;
  before.cases = static_cast<std::int64_t>(index);
  CHECK(fuzz(before).passed());
}

TEST_CASE("a failure is explained with the line that repeats it") {
  const FuzzOutcome outcome = fuzz({.rows = {waiting_row()}, .cases = 20, .most_ranks = 12});
  REQUIRE(outcome.findings.size() == 1);
  const std::string text = to_text(outcome.findings.front(), outcome.seed, "heddle fuzz --plugin mine.so --case");
  INFO(text);
  CHECK(text.starts_with("barrier waiting: deadlock\n  "));
  CHECK(text.find("cycle") != std::string::npos);
  CHECK(text.ends_with("\n  repeat: heddle fuzz --plugin mine.so --case 'barrier --algo waiting --topo star:2'\n"));
  FuzzFinding of_chance = outcome.findings.front();
  of_chance.depends_on = "earlier calls";
  CHECK_THAT(to_text(of_chance, outcome.seed),
             Catch::Contains("\n  the case, which need not fail so by itself: ") && !Catch::Contains("repeat:"));
}

TEST_CASE("a finding in a test's own row is repeated by the call that its line names, or as a saved case") {
  FuzzSettings settings{.seed = 3, .rows = {waiting_row()}, .cases = 20, .most_ranks = 12};
  const FuzzOutcome outcome = fuzz(settings);
  REQUIRE(outcome.findings.size() == 1);
  const std::string name = "case " + std::to_string(outcome.findings.front().index) + " of seed 3";
  INFO(outcome.text());
  CHECK_THAT(outcome.text(), Catch::EndsWith("\n  repeat: " + name +
                                             ", in the test that has found it: heddle::check_case("
                                             "\"barrier --algo waiting --topo star:2\", …)\n"));
  CHECK(outcome.failed == std::map<CheckError::Kind, std::int64_t>{{CheckError::Kind::deadlock, 1}});
  settings.cases = 0;
  settings.saved = {{"barrier --algo waiting --topo star:2", name}};
  const FuzzOutcome again = fuzz(settings);
  REQUIRE(again.findings.size() == 1);
  CHECK(again.findings.front().failure == outcome.findings.front().failure);
}

TEST_CASE("a finding in heddle's own rows is repeated by the command that looks for it") {
  FuzzFinding finding;
  finding.smallest = Experiment::parse("allreduce --algo ring --topo star:3 --size 28");
  finding.failure.kind = CheckError::Kind::deadlock;
  CHECK(repeating_line(finding, 1) == "heddle run allreduce --algo ring --topo star:3 --size 28");
  for (const CheckError::Kind kind : {CheckError::Kind::formula, CheckError::Kind::endless, CheckError::Kind::run_to_run}) {
    finding.failure.kind = kind;
    CHECK(repeating_line(finding, 1) == "heddle fuzz --case 'allreduce --algo ring --topo star:3 --size 28'");
  }
}

TEST_CASE("a promise that a run does not keep is a finding") {
  const FuzzOutcome outcome = fuzz({.rows = {boastful_row()}, .cases = 40, .most_ranks = 12});
  REQUIRE(outcome.findings.size() == 1);
  CHECK(outcome.findings.front().failure.kind == CheckError::Kind::formula);
  CHECK(outcome.findings.front().failure.explanation ==
        "allreduce boastful: the run counted 2 rounds, its formula says 1 (p-2)");
}

TEST_CASE("fuzzing ends when the time is over or somebody says so") {
  CHECK(fuzz({.rows = {right_row()}, .time = std::chrono::seconds(0)}).coverage.cases() == 0);
  std::atomic<int> asked = 0;
  const FuzzOutcome outcome = fuzz({.rows = {right_row()}, .most_ranks = 5, .is_stopped = [&] { return ++asked > 10; }});
  CHECK(outcome.coverage.cases() == 10);
}

TEST_CASE("settings and rows that make no sense are refused") {
  const auto complaint_about = [](const FuzzSettings& settings) -> std::string {
    try {
      fuzz(settings);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(complaint_about({.rows = {}}) == "no row to fuzz");
  CHECK(complaint_about({.cases = -1}) == "-1 cases: there must be at least 0");
  CHECK(complaint_about({.most_ranks = 0}) == "0 ranks at most: there must be at least 1");
  CHECK(complaint_about({.workers = -2}) == "-2 workers: at least 1, or 0 for one on each core");
  CHECK(complaint_about({.rows = {{.name = "mine"}}}) == "allreduce algorithm 'mine' has no function to run");
  CHECK(complaint_about({.rows = {right_row(), right_row()}}) == "allreduce algorithm 'right' is there twice");
  Algorithm two_words = right_row();
  two_words.name = "two words";
  CHECK(complaint_about({.rows = {two_words}}) ==
        "allreduce algorithm 'two words': a row's name is one word without blanks, colons and commas");
}

TEST_CASE("fuzzing is usually of a row's own kind: plugins are run twice, explored cases are few and without faults") {
  const FuzzSettings own = usual_settings(false, std::nullopt);
  CHECK(own.twice_once_in == 0);
  CHECK(own.compared_once_in == UsualFuzzing::kComparedOnceIn);
  CHECK(own.fault_once_in == UsualFuzzing::kFaultOnceIn);
  CHECK_FALSE(own.explore);
  const FuzzSettings plugins = usual_settings(true, std::nullopt);
  CHECK(plugins.twice_once_in == UsualFuzzing::kTwiceOnceIn);
  CHECK(plugins.large_once_in == UsualFuzzing::kLargeOnceInOfPlugins);
  CHECK(plugins.positions_once_in == UsualFuzzing::kLargeOnceInOfPlugins);
  const FuzzSettings explored = usual_settings(true, 2);
  REQUIRE(explored.explore);
  CHECK(explored.explore->delays == 2);
  CHECK(explored.cases == UsualFuzzing::kExploredCases);
  CHECK(explored.fault_once_in == 0);
  CHECK(explored.twice_once_in == 0);
}

TEST_CASE("rows to fuzz are those of a collective, some names and tags") {
  const std::vector<Algorithm> rows = fuzzed_entries({.collective = "allreduce", .algorithms = "ring,bucket"});
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].collective == Collective::allreduce);
  for (const Algorithm& row : fuzzed_entries({.tags = "hierarchical"})) CHECK(bare_name(row.name) == "hierarchical");
  CHECK_THROWS_WITH(fuzzed_entries({.tags = "hierarchicl"}),
                    Catch::StartsWith("--tag: unknown tag 'hierarchicl': did you mean 'hierarchical'?"));
  CHECK_THROWS_WITH(fuzzed_entries({.algorithms = "rink"}),
                    Catch::StartsWith("--algo: unknown algorithm 'rink': did you mean 'ring'?"));
}

}  // namespace heddle
