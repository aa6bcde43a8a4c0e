// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/process/process.hpp"
#include "fuzz/cases/draw_case.hpp"
#include "fuzz/cases/run_case.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "tests/effort.hpp"

namespace heddle {

using namespace test;

namespace {

const auto kDrawnRuns = testing::sampled<std::uint64_t>(testing::sample(40, 2000), testing::sample(40, 2000), 8);

std::string without_host_times(const std::string& text) {
  std::string kept;
  for (const std::string& line : lines_of(text)) {
    if (line.find(" a second") == std::string::npos) kept += line + '\n';
  }
  return kept;
}

}  // namespace

TEST_CASE("fuzz shows which rows were run on which kinds of rank counts, and that all was right") {
  const test::CommandResult result = run_heddle("fuzz barrier --cases 30 --max-ranks 12 --faults 0 --jobs 2");
  CHECK(result.status == kExitOk);
  CHECK(result.err.empty());
  const std::vector<std::string> lines = lines_of(result.out);
  REQUIRE(lines.size() == 6);
  CHECK(lines[0].ends_with(": fuzz, seed 1, up to 12 ranks"));
  CHECK(lines[1] == "# rows run on p of  rows  1  2^k  prime  odd  even");
  CHECK(lines[3].starts_with("# 2 rows of 2, "));
  CHECK(lines[5] == "# 30 cases right");
  CHECK(without_host_times(run_heddle("fuzz barrier --cases 30 --max-ranks 12 --faults 0 --jobs 1").out) ==
        without_host_times(result.out));
  CHECK(run_heddle("fuzz barrier --cases 30 --max-ranks 12 --faults 0 --rows").out.find("\n  barrier dissemination ") !=
        std::string::npos);
}

TEST_CASE("the line of a drawn case repeats it: with heddle run, and with heddle fuzz --case") {
  const auto rows = std::make_shared<const std::vector<Algorithm>>(registry_copy());
  for (std::uint64_t i = 0; i < kDrawnRuns; ++i) {
    const std::string text = draw_case(11, i, rows, {.most_ranks = 16}).text();
    INFO(text);
    const test::CommandResult result = run_heddle("run " + text);
    INFO(result.err);
    CHECK(result.status == kExitOk);
    CHECK(result.out.ends_with("# 1 result right\n"));
  }
  const test::CommandResult one = run_heddle({"fuzz", "--case", "allreduce --algo ring --topo star:3 --size 28"});
  CHECK(one.status == kExitOk);
  CHECK(one.out == "# right: allreduce --algo ring --topo star:3 --size 28\n");
}

TEST_CASE("what cannot be fuzzed is refused") {
  const auto complaint_about = [](const std::vector<std::string>& arguments) {
    const test::CommandResult result = run_heddle(arguments);
    CHECK(result.status == kExitBadInput);
    return result.err;
  };
  CHECK(complaint_about({"fuzz", "barrier", "--algo", "disseminaton"}) ==
        "heddle: --algo: unknown algorithm 'disseminaton': did you mean 'dissemination'? Known: dissemination, binomial\n");
  CHECK(complaint_about({"fuzz", "--seconds", "-1"}) ==
        "heddle: --seconds '-1': a number of seconds is expected, e.g. 60 or 0.5\n");
  CHECK(complaint_about({"fuzz", "--case", "allreduce --algo ring --topo star:3 --sizes 28"})
            .starts_with("heddle: --case: unknown flag of an experiment '--sizes': did you mean '--size'?"));
  CHECK(complaint_about({"fuzz", "--case", "allreduce --algo ring --topo star:3"})
            .starts_with("heddle: --case: --size is missing; "));
}

TEST_CASE("what is given is not drawn, and rows that serve nothing of it are left out") {
  const auto drawn_with = [](const std::string& flags) {
    const test::CommandResult result = run_heddle("fuzz allreduce --cases 60 --faults 0 --large 0 --jobs 1 --json - " + flags);
    INFO(result.err);
    CHECK(result.status == kExitOk);
    return nlohmann::json::parse(result.out);
  };
  const nlohmann::json drawn = drawn_with("--topo star:6 --ranks 3,5 --datatype f32,i64 --op max --out-of-place");
  CHECK(std::ranges::count(drawn["left_out"], "allreduce bucket") == 1);
  CHECK(drawn["cases"] == 60);
  const auto rows = std::make_shared<const std::vector<Algorithm>>(1, find_algorithm(Collective::allreduce, "ring"));
  const DrawOnly only{.topology = "star:6",
                      .ranks = {3, 5},
                      .types = {Datatype::f32(), Datatype::i64()},
                      .ops = {&ReduceOp::max()},
                      .in_place = false};
  for (std::uint64_t i = 0; i < 100; ++i) {
    const Experiment what = draw_case(1, i, rows, {.only = only});
    INFO(what.text());
    CHECK(what.fabric.topology == "star:6");
    CHECK((what.ranks == 3 || what.ranks == 5));
    CHECK((*what.type == Datatype::f32() || *what.type == Datatype::i64()));
    CHECK(what.op == &ReduceOp::max());
    CHECK(what.in_place == false);
  }
  const test::CommandResult none = run_heddle("fuzz allreduce --algo bucket --topo star:4 --cases 10");
  CHECK(none.status == kExitBadInput);
  CHECK_THAT(none.err, Catch::Contains("none of 1 row serves a call of those that are given"));
  CHECK(run_heddle("fuzz --topo star:4 --ranks 5 --cases 1").err == "heddle: --ranks 5: star:4 has 4 endpoints\n");
}

TEST_CASE("a row that says which types and operations it serves is drawn with these alone") {
  Algorithm row = find_algorithm(Collective::allreduce, "ring");
  row.name = "floats";
  row.parameters.clear();  // with an option it would be the registry's row again
  row.needs.types = {Datatype::f32(), Datatype::f64()};
  row.needs.ops = {&ReduceOp::sum()};
  const auto rows = std::make_shared<const std::vector<Algorithm>>(1, row);
  for (std::uint64_t i = 0; i < 50; ++i) {
    const Experiment what = draw_case(1, i, rows);
    CHECK((*what.type == Datatype::f32() || *what.type == Datatype::f64()));
    CHECK(what.op == &ReduceOp::sum());
  }
  Shape shape{.ranks = 4, .type = Datatype::i32()};
  CHECK(why_not(row, shape, ReduceOp::sum()) == "it serves elements of f32, f64 alone");
  shape.type = Datatype::f64();
  CHECK(why_not(row, shape, ReduceOp::max()) == "it serves sum alone");
  CHECK(why_not(row, shape, ReduceOp::sum()).empty());
}

}  // namespace heddle
