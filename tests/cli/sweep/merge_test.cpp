// SPDX-License-Identifier: Apache-2.0
// A sweep in shards, and what puts them together.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "tests/cli/sweep/small_sweep.hpp"
#include "tests/cli/temporary_directory.hpp"

namespace heddle {

using namespace test;
using Json = nlohmann::json;

TEST_CASE("shards together are the whole, to the byte") {
  const TemporaryDirectory directory("shards");
  const Outputs whole = run_sweep_in(directory, "");
  for (const int n : {1, 2, 5, 40}) {
    std::string files;
    std::size_t runs = 0;
    for (int i = n; i >= 1; --i) {
      const std::string file = directory / fmt::format("part{}.json", i);
      const CommandResult part = run_heddle(fmt::format("{} --shard {}/{} --json {}", kSweep, i, n, file));
      CHECK(part.status == 0);
      runs += Json::parse(file_content(file))["runs"].size();
      files += " " + file;
    }
    CHECK(runs == 30);
    const CommandResult merge =
        run_heddle(fmt::format("merge{} --json {} --csv {}", files, directory / "m.json", directory / "m.csv"));
    CHECK(merge.err == "");
    CHECK(merge.status == 0);
    CHECK(Outputs{merge.out, file_content(directory / "m.json"), file_content(directory / "m.csv")} == whole);
  }
}

TEST_CASE("a sweep's file of lists in lists without end is refused, not followed") {
  const TemporaryDirectory directory("sweep_deep");
  const std::size_t depth = 1'000'000;
  write_file(directory / "deep.json", "{\"context\": " + std::string(depth, '[') + std::string(depth, ']') + "}");
  const CommandResult result = run_heddle(fmt::format("merge {} --csv {}", directory / "deep.json", directory / "x.csv"));
  CHECK(result.status == 2);
  CHECK_THAT(result.err, Catch::Contains("deep.json': line 1: lists and objects more than 64 deep in each other\n"));
}

TEST_CASE("merge refuses what does not belong together, and says what is missing") {
  const TemporaryDirectory directory("merge");
  for (int i = 1; i <= 4; ++i)
    CHECK(run_heddle(fmt::format("{} --shard {}/4 --json {}", kSweep, i, directory / fmt::format("{}", i))).status == 0);
  CHECK(run_heddle(fmt::format("{} --shard 1/4 --seed 9 --json {}", kSweep, directory / "other")).status == 0);
  const auto check_refused = [&](const std::string& files, const std::string& expected) {
    const CommandResult result = run_heddle("merge " + files);
    CHECK(result.status == 2);
    CHECK(result.out == "");
    CHECK(result.err == "heddle: " + expected + "\n");
  };
  const std::string one = directory / "1";
  check_refused(one + " " + (directory / "3"), "parts 2/4, 4/4 of the sweep are missing; give the files of --shard 2/4");
  check_refused(fmt::format("{} {} {}", one, directory / "2", directory / "4"),
                "part 3/4 of the sweep is missing; give the file of --shard 3/4");
  check_refused(one + " " + one, fmt::format("'{0}' and '{0}' are both part 1/4", one));
  check_refused(one + " " + (directory / "other"),
                fmt::format("'{}' is of another sweep: its --seed is '9', here it is '1'", directory / "other"));
  check_refused(one + " /nowhere", "'/nowhere': cannot be read: No such file or directory");
  check_refused("", "the files are missing; try: heddle merge part1.json part2.json --csv whole.csv");
}

}  // namespace heddle
