// SPDX-License-Identifier: Apache-2.0
// --tune as its user sees it: what is tried, what is shown, what is written.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "tests/cli/temporary_directory.hpp"

namespace heddle {

using namespace test;
using Json = nlohmann::json;

namespace {

const std::string kTopology = "--topo superpod:pods=2,gpus=4,trays=2 --preset superpod --data-memory 64KiB ";
const std::string kTuned = kTopology + "--algo ring,double_binary_tree,hierarchical --tune options --tune-budget 30 ";

}  // namespace

TEST_CASE("a tuned run shows the best variant of each row, and says beforehand what it tries") {
  const CommandResult result = run_heddle("run allreduce --size 1MiB " + kTuned + "--wide");
  INFO(result.out << result.err);
  CHECK(result.status == 0);
  CHECK_THAT(result.err, Catch::StartsWith("tuning: 3 rows, "));
  CHECK_THAT(result.err,
             Catch::Contains("; 30 are tried, ") && Catch::Contains(" left out by --tune-budget 30 (hierarchical "));
  CHECK_THAT(result.out, Catch::Contains("# " + result.err));
  CHECK_THAT(result.out, Catch::EndsWith("# 3 results right\n"));

  const Json report = Json::parse(run_heddle("run allreduce --size 1MiB " + kTuned + "--json -").out);
  CHECK(report["context"]["tuning"]["tried"] == 30);
  REQUIRE(report["runs"].size() == 30);
  std::vector<std::string> rows;
  for (const std::string& line : lines_of(result.out))
    if (!line.starts_with('#')) rows.push_back(words_of(line)[5]);
  REQUIRE(rows.size() == 3);
  for (const std::string& shown : rows) {
    const std::string row = shown.substr(0, shown.find(':'));
    double best = 1e9;
    double of_shown = 1e9;
    for (const Json& run : report["runs"]) {
      const std::string name = run["algorithm"];
      if (name.substr(0, name.find(':')) == row) best = std::min(best, run["time_s"].get<double>());
      if (name == shown) of_shown = run["time_s"];
    }
    CHECK(of_shown == best);
  }
}

TEST_CASE("a tuned sweep has a line for each row, and names its best variants") {
  const CommandResult result = run_heddle("sweep allreduce --size 1KiB,1MiB " + kTuned);
  INFO(result.out << result.err);
  CHECK(result.status == 0);
  CHECK_THAT(result.err, Catch::StartsWith("tuning at 2 points: 6 rows, "));
  CHECK_THAT(result.out, Catch::Contains("# heddle 0.1.0: sweep of allreduce, 60 runs\n"));
  for (const std::string row : {" ring ", " double_binary_tree ", " hierarchical "})
    CHECK_THAT(result.out, Catch::Contains("\n" + row));
  CHECK_THAT(result.out, Catch::Contains("\n# the best of hierarchical: hierarchical:"));
  CHECK_THAT(result.out, Catch::EndsWith("# 60 results right\n"));
}

TEST_CASE("a tuned sweep's documents are the same in parts, and merged") {
  const TemporaryDirectory directory("tune");
  const std::string sweep = "sweep allreduce --size 1KiB,64KiB " + kTuned;
  REQUIRE(run_heddle(sweep + "--json " + (directory / "whole.json")).status == 0);
  for (const int part : {1, 2})
    REQUIRE(
        run_heddle(fmt::format("{} --shard {}/2 --json {}", sweep, part, directory / fmt::format("{}.json", part))).status ==
        0);
  const CommandResult merged =
      run_heddle(fmt::format("merge {} {} --json {}", directory / "1.json", directory / "2.json", directory / "merged.json"));
  CHECK(merged.status == 0);
  CHECK(file_content(directory / "merged.json") == file_content(directory / "whole.json"));
  CHECK_THAT(merged.out, Catch::Contains("# tuning at 2 points: "));
}

TEST_CASE("options that --algo names stay as they are") {
  const Json report = Json::parse(
      run_heddle("run allreduce --size 64KiB " + kTopology + "--algo hierarchical:inner=circulant --tune options --json -")
          .out);
  CHECK(report["runs"].size() > 5);
  for (const Json& run : report["runs"])
    CHECK_THAT(run["algorithm"].get<std::string>(), Catch::StartsWith("hierarchical:inner=circulant"));
}

TEST_CASE("equivalent algorithms have one line with both names, and an entry each in JSON") {
  const std::string call = "allreduce --algo ring,recursive_doubling,torus_ring --topo ring:8 ";
  const CommandResult run = run_heddle("run " + call + "--size 64KiB");
  CHECK_THAT(run.out, Catch::Contains("\n# torus_ring = ring: the same messages in the same time\n"));
  CHECK_THAT(run.out, Catch::EndsWith("# 3 results right\n"));
  const Json report = Json::parse(run_heddle("run " + call + "--size 64KiB --json -").out);
  REQUIRE(report["runs"].size() == 3);
  CHECK_FALSE(report["runs"][0].contains("same_messages_as"));
  CHECK_FALSE(report["runs"][1].contains("same_messages_as"));
  CHECK(report["runs"][2]["same_messages_as"] == "ring");

  const std::string sweep = run_heddle("sweep " + call + "--size 1KiB,1MiB").out;
  INFO(sweep);
  CHECK_THAT(sweep, Catch::Contains("\n ring = torus_ring "));
  CHECK_THAT(sweep, !Catch::Contains("\n torus_ring "));
  // Of 1 MiB the ring is best, and its equivalent is not the next best.
  CHECK_THAT(sweep,
             Catch::Matches("(.|\n)*\n +1048576  ring = torus_ring +[0-9. ]+ recursive_doubling +[+][0-9.]+ %\n(.|\n)*"));
  const Json runs = Json::parse(run_heddle("sweep " + call + "--size 1KiB,1MiB --json -").out)["runs"];
  CHECK(runs[2]["same_messages_as"] == "ring");
  CHECK(runs[2]["messages_digest"] == runs[0]["messages_digest"]);
  CHECK(runs[5]["same_messages_as"] == "ring");
}

TEST_CASE("where nothing is sent nobody is equivalent") {
  const CommandResult result = run_heddle("run allreduce --algo ring,recursive_doubling --topo ring:1 --size 1KiB");
  CHECK_THAT(result.out, !Catch::Contains("the same messages"));
}

TEST_CASE("what cannot be tuned is refused in one line") {
  const auto check_refused = [](const std::string& words, const std::string& expected) {
    const CommandResult result = run_heddle(words);
    INFO(words);
    CHECK(result.status == 2);
    CHECK(result.out == "");
    CHECK_THAT(result.err, Catch::Equals("heddle: " + expected + "\n"));
  };
  for (const std::string command : {"run", "sweep"}) {
    const std::string call = command + " allreduce --topo ring:4 --size 1KiB ";
    check_refused(call + "--tune size", "--tune 'size': nothing to tune; try --tune options");
    check_refused(call + "--tune options --tune-budget 0", "--tune-budget '0': not a whole number from 1 to 1000000");
    check_refused(call + "--tune-budget 5", "--tune-budget: nothing is tuned; add --tune options");
  }
  check_refused("run allreduce --topo ring:4 --size 1KiB --tune options --heatmap -",
                "--heatmap and --tune: it would be one for each variant; tune first, then draw the best by its name");
  check_refused("run allreduce --topo ring:4 --size 1KiB --tune options --trace t.json",
                "--trace and --tune: it would be one for each variant; tune first, then draw the best by its name");
}

}  // namespace heddle
