// SPDX-License-Identifier: Apache-2.0
// A sweep over several axes at once: one table, one CSV with a column for each axis, times held against a base.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "tests/cli/sweep/small_sweep.hpp"
#include "tests/cli/temporary_directory.hpp"

namespace heddle {

using Catch::Contains;
using namespace test;
using Json = nlohmann::json;

namespace {

const std::string kAxes =
    "sweep allreduce --algo ring,rabenseifner --topo ring:8,star:8 --topo clos:hosts=4,leaves=2,spines=2 "
    "--placement linear,random:3 --ranks 2,4,6,8 --size 1KiB ";

const std::string kFaults =
    "sweep allreduce --algo ring --topo ring:4 --fault none,link:0->1,slow=4 --fault link:0->1,slow=2+rank:3,late=20us "
    "--size 1KiB,64KiB ";

std::size_t lines_beginning(const std::string& text, const std::string& begin) {
  const std::vector<std::string> lines = lines_of(text);
  return static_cast<std::size_t>(
      std::ranges::count_if(lines, [&](const std::string& line) { return line.starts_with(begin); }));
}

/// No cell of these sweeps has a comma within quotes before the columns that are asked for, but the fabric.
std::vector<std::string> titles_of(const std::string& csv) {
  std::vector<std::string> titles;
  std::istringstream line(lines_of(csv).front());
  for (std::string title; std::getline(line, title, ',');) titles.push_back(title);
  return titles;
}

}  // namespace

TEST_CASE("three fabrics, two placements and four numbers of ranks are one table and one CSV") {
  const TemporaryDirectory directory("axes");
  const CommandResult result = run_heddle(kAxes + fmt::format("--csv {} --json {}", directory / "a.csv", directory / "a.json"));
  CHECK(result.err == "");
  CHECK(result.status == 0);
  CHECK_THAT(result.out, Catch::Contains("# 24 fabrics: topology (3) x placement (2) x ranks (4)\n"));
  CHECK(lines_beginning(result.out, "#topology") == 2);  // of the times and of the best
  CHECK(lines_beginning(result.out, " clos:hosts=4,leaves=2,spines=2  random:3   6") > 0);
  const std::string csv = file_content(directory / "a.csv");
  CHECK(lines_of(csv).size() == 1 + 48);
  const std::vector<std::string> titles = titles_of(csv);
  for (const std::string axis : {"topology", "placement", "ranks", "bytes", "algorithm", "preset"})
    CHECK(std::ranges::count(titles, axis) == 1);
  const Json report = Json::parse(file_content(directory / "a.json"));
  for (const Json& run : report["runs"])
    for (const std::string axis : {"topology", "placement", "ranks", "bytes", "algorithm"}) CHECK(run.contains(axis));
}

TEST_CASE("nobody is the best alone where others are as fast") {
  const CommandResult two = run_heddle("sweep broadcast --algo chain,binomial_halving,bine_halving --topo star:4 --size 4");
  CHECK_THAT(two.out, Contains(" binomial_halving  400.2ns*\n bine_halving      400.2ns*\n"));
  CHECK_THAT(two.out, Contains("  binomial_halving or bine_halving "));
  CHECK_THAT(two.out, Contains("  chain              +50.0 %\n"));
  const CommandResult all = run_heddle(
      "sweep allreduce --algo ring,recursive_doubling,swing_bandwidth --topo star:4 --bw inf --latency 0 --size 1KiB");
  CHECK_THAT(all.out, Contains("  ring or 2 more "));
  CHECK_THAT(all.out, Contains("# as fast as each other at 1KiB: ring, recursive_doubling, swing_bandwidth\n"));
}

TEST_CASE("faults are points of a sweep, each with what a run with them measures") {
  const CommandResult swept = run_heddle(kFaults + "--json -");
  CHECK(swept.err == "");
  CHECK(swept.status == 0);
  const Json report = Json::parse(swept.out);
  REQUIRE(report["runs"].size() == 6);
  for (const Json& run : report["runs"]) {
    std::string flags;
    if (run["fault"] == "link:0->1,slow=4") flags = "--fault link:0->1,slow=4";
    if (run["fault"] == "link:0->1,slow=2+rank:3,late=20us") flags = "--fault link:0->1,slow=2 --fault rank:3,late=20us";
    CHECK(flags.empty() == (run["fault"] == "none"));
    const CommandResult alone = run_heddle(
        fmt::format("run allreduce --algo ring --topo ring:4 --size {} {} --json -", run["bytes"].get<std::int64_t>(), flags));
    REQUIRE(alone.status == 0);
    CHECK(Json::parse(alone.out)["runs"][0]["time_s"] == run["time_s"]);
  }
}

TEST_CASE("a column of the CSV and of the table holds times against a base") {
  const TemporaryDirectory directory("base");
  const CommandResult result =
      run_heddle(kFaults + fmt::format("--base none --csv {} --json {}", directory / "b.csv", directory / "b.json"));
  CHECK(result.status == 0);
  CHECK_THAT(result.out, Catch::Contains("# x: the time in proportion to that with fault none\n"));
  const Json report = Json::parse(file_content(directory / "b.json"));
  CHECK(report["context"]["base"] == Json({{"axis", "fault"}, {"value", "none"}}));
  for (const Json& run : report["runs"]) {
    for (const Json& other : report["runs"]) {
      if (other["fault"] != "none" || other["bytes"] != run["bytes"]) continue;
      CHECK(run["time_to_base"].get<double>() == Approx(run["time_s"].get<double>() / other["time_s"].get<double>()));
    }
  }
  CHECK(titles_of(file_content(directory / "b.csv")).back() == "time_to_base");
}

TEST_CASE("shards of a sweep with faults and a base are merged to the bytes of the whole") {
  const TemporaryDirectory directory("axes_shards");
  const auto sweep = [&](const std::string& flags, const std::string& name) {
    return run_heddle(fmt::format("{} --base none {} --json {}", kFaults, flags, directory / name)).status;
  };
  CHECK(sweep("", "whole.json") == 0);
  CHECK(sweep("--shard 1/2", "1.json") == 0);
  CHECK(sweep("--shard 2/2", "2.json") == 0);
  const CommandResult merged =
      run_heddle(fmt::format("merge {} {} --json {}", directory / "1.json", directory / "2.json", directory / "m.json"));
  CHECK(merged.status == 0);
  CHECK(file_content(directory / "m.json") == file_content(directory / "whole.json"));
}

TEST_CASE("a journal of a sweep over faults goes on, and is refused by one over others") {
  const TemporaryDirectory directory("axes_journal");
  const CommandResult begun =
      run_heddle(fmt::format("{} --base none --json {} --csv /dev/full", kFaults, directory / "s.json"));
  CHECK(begun.status == 1);
  const std::string journal = directory / "s.json.partial";
  const CommandResult other =
      run_heddle(fmt::format("sweep allreduce --algo ring --topo ring:4 --fault none --size 1KiB,64KiB --resume {}", journal));
  CHECK(other.status == 2);
  CHECK_THAT(other.err, Catch::Contains("is of another sweep: its --fault is "));
  const CommandResult resumed =
      run_heddle(fmt::format("{} --base none --json {} --resume {}", kFaults, directory / "s.json", journal));
  CHECK(resumed.status == 0);
  CHECK_THAT(resumed.out, Catch::EndsWith("# 6 results right\n"));
}

TEST_CASE("an axis' value that cannot be is refused in one line that names the flag") {
  const std::string sweep = "sweep allreduce --algo ring --topo ring:4 --size 1KiB ";
  expect_refused(sweep + "--fault none,lnik:0,down",
                 "--fault 'none,lnik:0,down': no fault; try none, or one that begins with link:");
  expect_refused(sweep + "--fault none,rank:9,stops", "--fault 'rank:9,stops'");
  expect_refused(sweep + "--base star:4", "--base 'star:4': no value of this sweep, which has topology ring:4; ");
}

TEST_CASE("routings are an axis, and seeds of ECMP stand together with their quartiles") {
  const std::string sweep =
      "sweep allreduce --algo ring,recursive_doubling --topo clos:hosts=2,leaves=4,spines=2 --size 64KiB,1MiB ";
  const auto run = run_heddle(sweep + "--routing adaptive,ecmp:1:7 --base routing=adaptive");
  CHECK(run.status == 0);
  CHECK_THAT(run.out, Contains("# 2 fabrics: routing (2); ranks 8; placement linear\n") && Contains("\n ecmp:1:7  ring") &&
                          Contains("\n adaptive  ring") && Contains("# over the seeds of ECMP, of which the times above are") &&
                          Contains("# 32 results right\n"));
  // Of seven times, sorted, the second and third have the first quartile between them, the fourth is the median.
  std::vector<double> times;
  for (int seed = 1; seed <= 7; ++seed) {
    const auto one =
        run_heddle("run allreduce --algo ring --topo clos:hosts=2,leaves=4,spines=2 --size 1MiB --json - --routing ecmp:" +
                   std::to_string(seed));
    times.push_back(nlohmann::json::parse(one.out)["runs"][0]["time_s"].get<double>());
  }
  std::ranges::sort(times);
  const auto document = nlohmann::json::parse(run_heddle(sweep + "--routing adaptive,ecmp:1:7 --json -").out);
  CHECK(document["runs"].size() == 32);
  bool is_found = false;
  for (const auto& result : document["runs"]) {
    CHECK(result.contains("over_seeds") == (result["routing"] != "adaptive"));
    if (result["routing"] != "ecmp:5" || result["algorithm"] != "ring" || result["bytes"] != 1 << 20) continue;
    is_found = true;
    const auto& spread = result["over_seeds"];
    CHECK(spread["seeds"] == 7);
    CHECK(spread["least_s"] == times.front());
    CHECK(std::abs(spread["first_quartile_s"].get<double>() - (times[1] + times[2]) / 2) < 1e-11);
    CHECK(spread["median_s"] == times[3]);
    CHECK(std::abs(spread["third_quartile_s"].get<double>() - (times[4] + times[5]) / 2) < 1e-11);
    CHECK(spread["most_s"] == times.back());
  }
  CHECK(is_found);
  const std::string csv = run_heddle(sweep + "--routing adaptive,ecmp:1:7 --csv -").out;
  CHECK_THAT(csv, Contains(",over_seeds_least_s,over_seeds_first_quartile_s,over_seeds_median_s,over_seeds_third_quartile_s,"
                           "over_seeds_most_s\n"));
  CHECK(std::ranges::count(csv, '\n') == 33);
  CHECK(run_heddle(sweep + "--routing ecmp:7:1").status == 2);
  // One routing is no axis.
  CHECK_THAT(run_heddle(sweep + "--routing ecmp:3").out, Contains("; routing ecmp:3\n") && !Contains("over the seeds"));
}

TEST_CASE("a sweep says which faults hit nothing, and where") {
  const auto run = run_heddle(
      "sweep allreduce --algo ring,recursive_doubling --topo ring:4 --size 1KiB --fault none,link:1->0,slow=4 --base "
      "fault=none");
  CHECK(run.status == 0);
  CHECK_THAT(run.out, Contains("never struck: link:1->0,slow=4 (no message crossed it) (ring)\n"));
  const auto worst = run_heddle("sweep allreduce --algo ring --topo ring:4 --size 1KiB,1MiB --fault link:worst,slow=4");
  CHECK_THAT(worst.out, Contains("# the worst link: link:0->1,slow=4\n"));
  const auto gone_round = run_heddle(
      "sweep allreduce --algo ring --topo clos:hosts=2,leaves=2,spines=2 --size 1KiB --fault link:leaf0->spine0,down");
  CHECK_THAT(gone_round.out, Contains("# adaptive routing goes round link:leaf0->spine0,down: "));
}

}  // namespace heddle
