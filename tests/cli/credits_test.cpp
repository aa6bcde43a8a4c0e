// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"

namespace heddle {

using namespace test;
using Json = nlohmann::json;

namespace {

Json credits_json(const std::string& arguments) {
  const CommandResult result = run_heddle("credits " + arguments + " --json -");
  INFO(result.err);
  REQUIRE(result.status == 0);
  return Json::parse(result.out);
}

void check_credits_refused(const std::string& arguments, const std::string& expected) {
  const CommandResult result = run_heddle("credits " + arguments);
  INFO(arguments);
  CHECK(result.status == 2);
  CHECK(result.out == "");
  CHECK(lines_of(result.err).size() == 1);
  CHECK_THAT(result.err, Catch::StartsWith("heddle: " + expected));
}

}  // namespace

TEST_CASE("credits: what needs no buffers, because it receives while it sends") {
  const Json document = credits_json("allreduce --algo ring,recursive_doubling --ranks 2:6");
  CHECK(document["context"]["topology"] == "star:{p}");
  CHECK(document["context"]["ranks"] == "2:6");
  REQUIRE(document["runs"].size() == 10);
  for (const Json& run : document["runs"]) {
    CHECK(run["topology"] == fmt::format("star:{}", run["ranks"].get<int>()));
    CHECK(run["least"] == 0);
    CHECK(run["order_is_fixed"] == true);
    CHECK(run["safe"] == 0);
    CHECK(run["deadlock"].is_null());
    CHECK(run["credits"][0]["credits"] == 0);
    CHECK(run["credits"][0]["time_s"].get<double>() > 0);
  }
  CHECK(document["runs"][0]["algorithm"] == "ring");
  CHECK(document["runs"][4]["ranks"] == 6);
  CHECK(document["runs"][5]["algorithm"] == "recursive_doubling");
}

TEST_CASE("credits: a run's time with so many credits is heddle run's") {
  const Json document =
      credits_json("broadcast --algo chain:segments=16 --topo ring:5 --size 64KiB --bw 100Gbps --latency 2us");
  const Json& run = document["runs"][0];
  REQUIRE(run["credits"].size() > 2);
  for (const Json& outcome : run["credits"]) {
    const CommandResult one =
        run_heddle(fmt::format("run broadcast --algo chain:segments=16 --topo ring:5 --size 64KiB --bw 100Gbps --latency 2us "
                               "--buffering {} --json -",
                               outcome["credits"].get<int>()));
    CHECK(Json::parse(one.out)["runs"][0]["time_s"] == outcome["time_s"]);
  }
}

TEST_CASE("credits: an algorithm on several ports ends without credits and locks up with one") {
  // Its tasks share the credits of a pair, and the message that came first is not the one that is asked for first.
  const Json run = credits_json("allreduce --algo swing_bandwidth --topo torus:5x5")["runs"][0];
  CHECK(run["least"] == 0);
  CHECK(run["locked"] == Json::array({1}));
  CHECK(run["safe"] == 2);
  CHECK(run["least_is_fixed"] == true);
  CHECK(run["order_is_fixed"] == false);
  CHECK(run["credits"][1]["time_s"].is_null());
  CHECK(run["deadlock"]["credits"] == 1);
  const std::string explanation = run["deadlock"]["explanation"];
  const std::vector<int> cycle = run["deadlock"]["cycle"];
  REQUIRE(cycle.size() >= 2);
  CHECK_THAT(explanation, Catch::Contains(fmt::format("cycle: rank {} -> {}", cycle[0], cycle[1])));
  CHECK_THAT(explanation, Catch::Contains("1 of 1 credits are taken"));

  const CommandResult table = run_heddle("credits allreduce --algo swing_bandwidth --topo torus:5x5 --explain");
  CHECK_THAT(table.out, Catch::Contains("  locks  "));
  CHECK_THAT(table.out, Catch::Contains("# swing_bandwidth on 25 ranks locks up with 1; with 1: ") &&
                            Catch::Contains(" of 25 ranks are blocked"));
  CHECK_THAT(table.out, Catch::Contains("#   cycle: rank "));
  CHECK_THAT(table.out, Catch::Contains("# *: tasks of a rank share its credits"));
  for (const std::string& line : lines_of(table.out)) CHECK((line[0] == '#' || line[0] == ' '));
}

TEST_CASE("credits: the same bytes again, in another order of events too") {
  const std::string arguments = "credits alltoall --algo all --ranks 5 --explain";
  const CommandResult once = run_heddle(arguments);
  CHECK(once.status == 0);
  CHECK(run_heddle(arguments).out == once.out);
  CHECK(run_heddle(arguments + " --order-seed 3").status == 0);
}

TEST_CASE("credits: what does not fit is left out and said, of those ranks alone") {
  const CommandResult result = run_heddle("credits allreduce --algo bucket,ring --topo torus:4x4 --ranks 3:9");
  CHECK(result.status == 0);
  CHECK_THAT(result.out, Catch::Contains("# left out: bucket on 5-7, 9 ranks: it needs a grid\n"));
  CHECK_THAT(result.out, Catch::Contains("\n bucket         8 "));
  CHECK_THAT(result.out, Catch::EndsWith("# 10 found\n"));
  CHECK_THAT(run_heddle("credits broadcast --ranks 2:3").out,
             Catch::Contains("# left out: in_network on 2-3 ranks: star:{p} has no switch with multicast\n"));
}

TEST_CASE("credits: one fabric for all ranks, or one made for each") {
  CHECK(credits_json("allreduce --algo ring --topo torus:2x4")["runs"][0]["ranks"] == 8);
  const Json document = credits_json("allreduce --algo ring --topo ring:{p} --ranks 3,5 --size 1KiB");
  CHECK(document["runs"][1]["topology"] == "ring:5");
  CHECK(credits_json("allreduce --algo ring --topo torus:4x4 --ranks 3,5")["runs"][1]["topology"] == "torus:4x4");
  CHECK(credits_json("allreduce --algo ring --topo torus:4x4 --groups rows")["runs"][0]["least"] == 0);
  CHECK(credits_json("barrier --ranks 3")["runs"].size() > 1);
}

TEST_CASE("credits: errors in one line") {
  check_credits_refused("", "the collective is missing; try: heddle credits");
  check_credits_refused("allredoce --ranks 4", "unknown collective 'allredoce'");
  check_credits_refused("allreduce --algo ring", "--ranks is missing, which star:{p} needs; try: heddle credits");
  check_credits_refused("allreduce --algo ring --ranks 4:2", "--ranks '4:2': ends before it begins");
  check_credits_refused("allreduce --algo ring --ranks 0:2", "--ranks '0'");
  check_credits_refused("allreduce --algo rang --ranks 4", "--algo: unknown");
  check_credits_refused("allreduce --algo bucket --ranks 3,5", "--algo 'bucket': fits nowhere, it needs a grid");
  check_credits_refused("allreduce --algo ring --topo torus:4x4 --ranks 17", "--ranks '17'");
  check_credits_refused("allreduce --algo ring --topo starr:{p} --ranks 4", "--topo");
  check_credits_refused("broadcast --algo binomial_halving --root 3 --ranks 2:8", "--root '3'");
  check_credits_refused("allreduce --algo ring --ranks 4 --buffering 2", "--buffering is no flag of 'heddle credits'");
  check_credits_refused("allreduce --algo ring --ranks 4 --size 3parsecs", "--size '3parsecs'");
  check_credits_refused("allreduce --algo ring --ranks 4 --json /nowhere/at/all", "--json '/nowhere/at/all'");
}

}  // namespace heddle
