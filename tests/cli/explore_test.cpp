// SPDX-License-Identifier: Apache-2.0
// heddle run --explore and --order; heddle fuzz --explore.
#include <nlohmann/json.hpp>
#include <string>

#include "cli/process/process.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"

namespace heddle {

using namespace test;

namespace {

const std::string kExploredRun = "run allreduce --algo ring --topo star:3 --size 12 ";

void check_order_refused(const std::string& flags, const std::string& complaint) {
  const CommandResult result = run_heddle(kExploredRun + flags);
  CHECK(result.status == kExitBadInput);
  CHECK(result.err == "heddle: " + complaint + "\n");
}

double time_of(const std::string& flags) {
  const CommandResult result = run_heddle(kExploredRun + flags + " --json -");
  REQUIRE(result.status == kExitOk);
  return nlohmann::json::parse(result.out)["runs"][0]["time_s"];
}

}  // namespace

TEST_CASE("explore: a run says under how many orders it is right, and is timed in the usual order") {
  const CommandResult result = run_heddle(kExploredRun + "--explore 1 --wide");
  CHECK(result.status == kExitOk);
  CHECK_THAT(result.out, Catch::Contains("\n# ring: right under ") && Catch::Contains("all with at most 1 delay;") &&
                             Catch::Contains(" points) and 100 seeds\n"));
  CHECK(time_of("--explore 0") == time_of(""));
}

TEST_CASE("order: a run under one that --explore could have named") {
  CHECK(time_of("--order delays:r1.1") > time_of(""));
  CHECK(time_of("--order jitter:1") > time_of(""));
  CHECK(time_of("--order usual") == time_of(""));
  const CommandResult result = run_heddle(kExploredRun + "--order delays:m0-1.1+r1.1,pick:4");
  CHECK_THAT(result.out, Catch::Contains("seed 1, order pick:4,delays:m0-1.1+r1.1\n"));
  const nlohmann::json context = nlohmann::json::parse(run_heddle(kExploredRun + "--order pick:4 --json -").out)["context"];
  CHECK(context["order"] == "pick:4");
}

TEST_CASE("orders that cannot be are refused") {
  check_order_refused("--order delays:r7.1", "--order delays:r7.1: in the run of ring that does not come about");
  check_order_refused("--explore 1 --order pick:1", "--explore tries orders, --order is one; leave one of the two out");
  check_order_refused("--clock wall --explore 1",
                      "--explore: under --clock wall the machine orders what happens; leave --explore out");
  check_order_refused("--clock wall --order pick:1",
                      "--order: under --clock wall the machine orders what happens; leave --order out");
  check_order_refused("--order delays:r1.1,pick:x", "--order 'pick:x': 'x' is no seed: a whole number from 0 is expected");
  check_order_refused("--schedule pick:1", "--schedule is called --order now");
  check_order_refused("--schedule-seed=3", "--schedule-seed is called --order-seed now");
  check_order_refused("--hop 1us", "--hop is called --switch-latency now");
  CHECK(run_heddle(kExploredRun + "--explore -1").status == kExitBadInput);
  CHECK(run_heddle(kExploredRun + "--order backwards").err.starts_with("heddle: --order 'backwards' in an order;"));
}

TEST_CASE("fuzz --explore: each case under many orders") {
  const CommandResult result = run_heddle("fuzz gather --algo linear --cases 4 --max-ranks 3 --explore 1");
  CHECK(result.status == kExitOk);
  CHECK_THAT(result.out, Catch::EndsWith("# 4 cases right\n"));
  CHECK(run_heddle("fuzz --explore x").status == kExitBadInput);
  CHECK(run_heddle("fuzz --case 'gather --algo linear --topo star:2 --size 4' --explore 1").status == kExitBadInput);
}

}  // namespace heddle
