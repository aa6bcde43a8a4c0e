// SPDX-License-Identifier: Apache-2.0
// What a user sees of the packet model: its lines and columns, several models beside each other, what is refused.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"

namespace heddle {

using namespace test;

namespace {

using RunJson = nlohmann::ordered_json;

constexpr const char* kPacketsIncast =
    "run gather --algo linear --topo clos:hosts=4,leaves=2,spines=1 --bw 50GB/s,200GB/s --size 1MiB ";

RunJson packets_json(const std::string& arguments) {
  const CommandResult result = run_heddle(arguments + " --json -");
  INFO(result.err);
  REQUIRE(result.status == 0);
  return RunJson::parse(result.out);
}

}  // namespace

TEST_CASE("a run in packets says what room there is, and which buffers cannot keep their links busy") {
  const CommandResult usual = run_heddle(std::string(kPacketsIncast) + "--model packets --wide");
  CHECK(usual.status == 0);
  CHECK_THAT(usual.out,
             Catch::Contains("# packets of 4KiB, head forwarding, buffers ") && Catch::Contains(", voq, transit, 1 VC\n"));
  CHECK_THAT(usual.out, !Catch::Contains("# buffers of"));
  CHECK_THAT(usual.out, Catch::Contains("queue") && Catch::Contains("stalled"));

  // One slot: a packet of 81.92 ns each round trip of 300 + 100 ns there, 100 ns back.
  const CommandResult one = run_heddle(
      "run allreduce --algo ring --topo mesh:2 --bw 50GB/s --latency 100ns --switch-latency 300ns --size 64KiB "
      "--model packets:buffer=1");
  CHECK_THAT(one.out,
             Catch::Contains("# buffers of 1 hold 'links' (a round trip of 581.9ns) to 14 % of its rate; 8 would not\n"));
}

TEST_CASE("several models: a row of each for each algorithm, held against the first, in table and JSON") {
  const std::string run = std::string(kPacketsIncast) + "--model fluid,packets:buffer=4";
  const CommandResult table = run_heddle(run);
  CHECK(table.status == 0);
  CHECK_THAT(table.out,
             Catch::Contains("x fluid") && Catch::Contains("packets:buffer=4") && Catch::Contains("# 2 results right"));

  const RunJson document = packets_json(run);
  CHECK(document.at("context").at("model") == "fluid,packets:buffer=4");
  CHECK(document.at("complete") == true);
  const RunJson& runs = document.at("runs");
  REQUIRE(runs.size() == 2);
  CHECK(runs[0].at("model") == "fluid");
  CHECK(runs[1].at("model") == "packets:buffer=4");
  CHECK(runs[0].at("time_to_first_model") == 1.0);
  CHECK(runs[1].at("time_to_first_model").get<double>() ==
        runs[1].at("time_s").get<double>() / runs[0].at("time_s").get<double>());
  CHECK_FALSE(runs[0].contains("packets"));
  const RunJson& packets = runs[1].at("packets");
  CHECK(packets.at("settings") == "buffer=4");
  CHECK(packets.at("packet_hops").get<int>() > packets.at("packets").get<int>());
  CHECK(packets.at("queue_max").get<int>() > 0);
  const RunJson& link = runs[1].at("links").at(0);
  for (const char* const key :
       {"queue_max", "queue_mean", "wait_max_ps", "wait_mean_ps", "busy_ps", "stalled_ps", "blocked_ps"})
    CHECK(link.contains(key));
  CHECK_FALSE(runs[0].at("links").at(0).contains("queue_max"));
}

TEST_CASE("under one model a run's document is as without packets") {
  const RunJson run = packets_json("run allreduce --algo ring --topo ring:4 --size 4KiB").at("runs").at(0);
  for (const char* const key : {"model", "packets", "time_to_first_model"}) CHECK_FALSE(run.contains(key));
}

TEST_CASE("switches that compute are left out where one of the models has none") {
  const RunJson document = packets_json("run allreduce --topo star:4,alu,multicast --size 4KiB --model fluid,packets");
  const auto& left = document.at("left_out");
  CHECK(std::ranges::any_of(left, [](const RunJson& one) {
    return one.at("reason").get<std::string>().find("model packets has no switches that compute") != std::string::npos;
  }));
}

TEST_CASE("an explanation in packets names the links that packets waited longest for") {
  const CommandResult result = run_heddle(std::string(kPacketsIncast) + "--model packets --explain");
  CHECK(result.status == 0);
  CHECK_THAT(result.out, Catch::Contains("#   packets waited longest for"));
  CHECK_THAT(result.out, Catch::Contains("% busy") && Catch::Contains("% stalled") && Catch::Contains("% blocked"));
}

TEST_CASE("heat maps of queues and stalls are of packets") {
  const std::string map = std::string(kPacketsIncast) + "--heatmap - --heatmap-of ";
  CHECK_THAT(run_heddle(map + "queue --model packets").out, Catch::Contains(" packets waiting for a link on average, one way"));
  CHECK(run_heddle(map + "stalled --model packets:buffer=2").status == 0);
  expect_refused(map + "queue", "--heatmap-of queue: model fluid has no packets that wait; --model packets");
  expect_refused(map + "contention --model packets", "--heatmap-of contention: ");
}

TEST_CASE("a list of models is refused where one is meant, or one is there twice") {
  expect_refused(std::string(kPacketsIncast) + "--model fluid,fluid", "--model 'fluid,fluid': fluid is there twice");
  expect_refused(std::string(kPacketsIncast) + "--model fluid,packets --tune options",
                 "--model 'fluid,packets': --tune goes with one model");
  expect_refused(std::string(kPacketsIncast) + "--model packets:bufer=3",
                 "--model: packets: no field 'bufer'; did you mean buffer?");
}

TEST_CASE("the model is an axis of a sweep") {
  const std::string sweep = "sweep gather --algo linear --topo star:4 --size 64KiB --model fluid,packets:header=64,buffer=8";
  const RunJson document = packets_json(sweep + " --base fluid");
  const RunJson& runs = document.at("runs");
  REQUIRE(runs.size() == 2);
  CHECK(document.at("context").at("fabrics").at(1).at("model") == "packets:header=64B,buffer=8");
  CHECK(runs[1].at("time_to_base").get<double>() > 1);
  CHECK(runs[1].at("packets").at("packets").get<int>() == 3 * 4);
  CHECK_FALSE(runs[0].contains("packets"));
}

}  // namespace heddle
