// SPDX-License-Identifier: Apache-2.0
// heddle run --clock wall. What is measured differs from run to run, so only its form is looked at.
#include <csignal>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "heddle/errors.hpp"
#include "lab/describe/experiment.hpp"
#include "lab/run/run_algorithm.hpp"
#include "show/reports/run_table.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "topo/fabric/routing.hpp"

namespace heddle {

using namespace test;

namespace {

const std::string kWallRun = "run allreduce --algo ring --topo ring:4 --size 1KiB --clock wall";

void check_wall_refused(const std::string& flags, const std::string& complaint) {
  const CommandResult result = run_heddle("run allreduce --topo ring:4 --size 1KiB " + flags);
  CHECK(result.status == 2);
  CHECK(result.err == "heddle: " + complaint + "\n");
}

}  // namespace

TEST_CASE("clock wall: a row like any other, and what it is held against") {
  const CommandResult result = run_heddle(kWallRun + " --time-scale 100 --wide");
  CHECK(result.status == 0);
  CHECK_THAT(result.out, Catch::Contains("# wall clock, dilated 100 times: times are measured, and differ from run to run\n"));
  CHECK_THAT(result.out, Catch::Contains("dilated 100 times; the virtual clock says 630.7ns: +"));
  CHECK_THAT(result.out, Catch::EndsWith("# 1 result right\n"));
}

TEST_CASE("clock wall: the dilation is chosen where none is given") {
  const nlohmann::json report = nlohmann::json::parse(run_heddle(kWallRun + " --json -").out);
  CHECK(report["context"]["clock"] == "wall");
  const nlohmann::json& run = report["runs"][0];
  CHECK(run["wall_clock"]["dilation"] > 1);
  CHECK(run["wall_clock"]["lateness_s"] > 0);
  CHECK(run["wall_clock"]["expected_error"] > 0);
  CHECK(run["wall_clock"]["error"] >= 0);
  CHECK(run["wall_clock"]["virtual_time_s"] <= run["time_s"]);
  CHECK(run["host"]["threads"] == "kernel");
  CHECK(run["messages"] == 24);
}

TEST_CASE("clock wall: a deadline ends an algorithm's run, keeps what was measured and goes on with the next") {
  const CommandResult result = run_heddle(
      "run allreduce --algo ring,recursive_doubling --topo ring:4 --size 1MiB --clock wall --time-scale 1e9 --deadline 10ms");
  CHECK(result.status == 1);
  CHECK_THAT(result.out, Catch::Contains("STOPPED") && Catch::EndsWith("# 0 results right, 2 STOPPED\n"));
  CHECK_THAT(result.err, Catch::StartsWith("heddle: ring was stopped by its deadline after "));
  const CommandResult json = run_heddle(kWallRun + " --time-scale 1e9 --deadline 10ms --json -");
  const nlohmann::json stopped = nlohmann::json::parse(json.out)["runs"][0]["stopped"];
  CHECK(stopped["reason"] == "deadline");
  CHECK(stopped["dilation"] == 1e9);
}

TEST_CASE("clock wall: a deadline ends warming up, and one iteration is measured all the same") {
  const CommandResult result = run_heddle(
      "run allreduce --algo ring --topo ring:2 --bw inf --latency 0 --size 4 --clock wall --warmup_iters 1000000000 --deadline "
      "50ms --json -");
  CHECK(result.status == 0);
  CHECK(nlohmann::json::parse(result.out)["runs"][0]["wall_clock"]["times_s"].size() == 1);
}

TEST_CASE("clock wall: groups are held against their contention under the virtual clock") {
  const CommandResult result =
      run_heddle("run allreduce --algo ring --topo torus:2x2 --groups rows+columns --size 1KiB --clock wall --time-scale 10");
  CHECK(result.status == 0);
  CHECK_THAT(result.out, Catch::EndsWith("# 1 result right\n"));
}

TEST_CASE("clock wall: where a chosen dilation falls short of what was aimed at, the error to expect is reported") {
  const Setup setup = set_up(Experiment::parse("allreduce --algo ring --topo ring:4 --size 1KiB --clock wall --time-scale 10"),
                             Unfitting::refused);
  Outcome outcome = run_algorithm(setup, setup.algorithms.chosen.front());
  const auto table_of = [&setup](const Outcome& shown) {
    std::ostringstream out;
    TableReporter table(out, TableReporter::kWide);
    table.begin(setup);
    table.add(shown);
    return out.str();
  };
  CHECK_THAT(table_of(outcome), !Catch::Contains("late here"));
  outcome.wall->lateness = 0.052;
  outcome.wall->expected_error = 0.0413;
  CHECK_THAT(table_of(outcome), Catch::EndsWith("# ring: threads go on 52ms late here, and auto stretches to 60 s at most: "
                                                "expect +4.1 %, not 2 %; --time-scale sets more\n"));
}

TEST_CASE("clock wall on links without limits: ranks share their memory, and the time is the machine's") {
  const std::string free =
      "run allreduce --algo ring,rabenseifner --topo star:3 --size 30000 --bw inf --latency 0 --clock wall";
  const CommandResult table = run_heddle(free + " -n 3 -w 0");
  CHECK(table.status == 0);
  CHECK_THAT(table.out, Catch::Contains("time is the median of 3 runs after 0 to warm up") &&
                            Catch::Contains("# ring: 3 runs in memory, ") && Catch::Contains("payload full"));
  const nlohmann::json report = nlohmann::json::parse(run_heddle(free + " --json -").out);
  for (const nlohmann::json& run : report["runs"]) {
    CHECK(run["wall_clock"]["times_s"].size() == 5);
    CHECK(run["algbw_Bps"] > 0);
    CHECK(run["payload_scale"] == 1);
  }
  CHECK_THAT(run_heddle(free + " --time-scale 2").out, Catch::Contains("dilated 2 times"));
}

TEST_CASE("flags of the clock") {
  check_wall_refused("--clock sun", "--clock 'sun' is no clock; virtual or wall");
  check_wall_refused("--time-scale 10", "--time-scale: the virtual clock knows no wall time; add --clock wall");
  check_wall_refused("--deadline 1s", "--deadline: the virtual clock knows no wall time; add --clock wall");
  check_wall_refused("--clock wall --time-scale 0",
                     "--time-scale '0' is no time scale; auto, or wall time per emulated time such as 1000");
  check_wall_refused("--clock wall --deadline 0", "--deadline '0': it must be more than 0; try 30s");
  check_wall_refused("--clock wall --threads user",
                     "--threads user: under --clock wall ranks run on kernel threads; leave --threads out");
  check_wall_refused("--clock wall --order-seed 1",
                     "--order-seed: under --clock wall the machine orders what happens; leave --order-seed out");
}

}  // namespace heddle
