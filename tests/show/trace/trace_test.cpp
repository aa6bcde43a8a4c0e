// SPDX-License-Identifier: Apache-2.0
// Traces of timelines made by hand, event by event; check_trace.py looks at those of real runs.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "show/trace/trace_links.hpp"
#include "show/trace/trace_writer.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"

namespace heddle::pictures {

using namespace literals;
using Json = nlohmann::json;

namespace {

/// Rank 0 sends 1,000 bytes over both links of mesh:3 to rank 2, which waits for them and then reduces.
Timeline one_message() {
  Timeline timeline;
  timeline.messages.push_back({.source = 0,
                               .dest = 2,
                               .tag = 7,
                               .round = 1,
                               .bytes = 1000,
                               .posted = 10_ns,
                               .started = 15_ns,
                               .entered = 115_ns,
                               .drained = 145_ns,
                               .arrived = Time::ps(345'001),
                               .full_rate = 20_ns});
  timeline.links = {0, 2};
  timeline.flows.push_back({.message = 0, .first_link = 0, .links = 2, .share = 1, .begin = 115_ns, .end = 145_ns});
  timeline.rates = {{0, 115_ns, 25e9}, {0, 125_ns, 37.5e9}};
  timeline.spans.push_back(
      {.rank = 2, .task = 0, .kind = SpanRecord::Kind::requests, .begin = Time(), .end = Time::ps(345'001), .message = 0});
  timeline.spans.push_back(
      {.rank = 2, .task = 0, .kind = SpanRecord::Kind::work, .begin = Time::ps(345'001), .end = 400_ns, .message = 0});
  timeline.spans.push_back(
      {.rank = 0, .task = 3, .kind = SpanRecord::Kind::requests, .begin = 10_ns, .end = 145_ns, .message = 0});
  return timeline;
}

Json trace_of(const Timeline& timeline, const char* topology) {
  const std::shared_ptr<const Topology> fabric = parse_topology(topology);
  std::ostringstream out;
  write_trace(timeline, *fabric, linear_placement(fabric->endpoints(), *fabric), {{"about", "a test"}}, out);
  return Json::parse(out.str());
}

/// Events of a track without its names.
std::vector<Json> events_of(const Json& trace, int group, int track) {
  std::vector<Json> events;
  for (const Json& event : trace["traceEvents"])
    if (event["pid"] == group && event.value("tid", -1) == track && event["ph"] != "M") events.push_back(event);
  return events;
}

std::string name_of_track(const Json& trace, int track) {
  for (const Json& event : trace["traceEvents"])
    if (event.value("name", "") == "thread_name" && event["pid"] == 1 && event["tid"] == track) return event["args"]["name"];
  return "none";
}

std::string phases_of(const std::vector<Json>& events) {
  std::string phases;
  for (const Json& event : events) phases += event["ph"].get<std::string>();
  return phases;
}

}  // namespace

TEST_CASE("a trace has a track per rank, its tasks below it, and arrows between them") {
  const Json trace = trace_of(one_message(), "mesh:3");
  CHECK(trace["displayTimeUnit"] == "ns");
  CHECK(trace["otherData"]["about"] == "a test");
  CHECK(name_of_track(trace, 1) == "rank 0 on 0");
  CHECK(name_of_track(trace, 2) == "rank 0, task 3");
  CHECK(name_of_track(trace, 3) == "rank 1 on 1");
  CHECK(name_of_track(trace, 4) == "rank 2 on 2");

  const std::vector<Json> sender = events_of(trace, 1, 1);
  CHECK(phases_of(sender) == "Xs");
  CHECK(sender[0] == Json::parse(R"({"ph":"X","pid":1,"tid":1,"ts":0.01,"dur":0,"name":"1KB to 2","cat":"send",
                                     "args":{"message":1,"bytes":1000,"round":1,"tag":7}})"));
  CHECK(sender[1]["id"] == 1);

  const std::vector<Json> receiver = events_of(trace, 1, 4);
  CHECK(phases_of(receiver) == "BXfEBE");
  CHECK(receiver[0]["name"] == "wait: receive from 0");
  CHECK(receiver[1] == Json::parse(R"({"ph":"X","pid":1,"tid":4,"ts":0.345001,"dur":0,"name":"1KB from 0","cat":"arrival",
                                       "args":{"message":1,"bytes":1000,"round":1,"tag":7,"waited_us":0.005,"startup_us":0.1,
                                               "serialisation_us":0.02,"contention_us":0.01,"propagation_us":0.200001}})"));
  CHECK(receiver[2]["bp"] == "e");
  CHECK(receiver[3]["ts"] == 0.345001);
  CHECK(receiver[4]["name"] == "reduce or copy");
  CHECK(receiver[5]["ts"] == 0.4);
  CHECK(events_of(trace, 1, 2)[0]["name"] == "wait: send to 2");
}

TEST_CASE("a trace has each link's load over time") {
  const Json trace = trace_of(one_message(), "mesh:3");
  std::vector<std::string> loads;
  for (const Json& event : trace["traceEvents"])
    if (event["ph"] == "C")
      loads.push_back(event["name"].get<std::string>() + " " + event["ts"].dump() + " " + event["args"]["flows"].dump() + " " +
                      event["args"]["bytes_per_second"].dump());
  CHECK(loads == std::vector<std::string>{"0->1 0.115 1 25000000000", "0->1 0.125 1 37500000000", "0->1 0.145 0 0",
                                          "1->2 0.115 1 25000000000", "1->2 0.125 1 37500000000", "1->2 0.145 0 0"});
}

TEST_CASE("flows of a link add up, and leave nothing behind") {
  Timeline timeline;
  timeline.links = {5, 5, 5};
  const double third = 50e9 / 3;
  for (std::uint32_t f = 0; f < 3; ++f) {
    timeline.flows.push_back(
        {.message = 0, .first_link = f, .links = 1, .share = 1, .begin = 1_ns, .end = Time::ps(2'000 + f * 1'000)});
    timeline.rates.push_back({f, 1_ns, third});
  }
  timeline.rates.push_back({1, 2_ns, 25e9});
  timeline.rates.push_back({2, 2_ns, 25e9});
  timeline.rates.push_back({2, 3_ns, 50e9});
  const FlowsByLink flows(timeline);
  REQUIRE(flows.links() == std::vector<LinkId>{5});
  CHECK(flows.steps(0) == std::vector<LinkLoadStep>{
                              {1_ns, 3, 50'000'000'000}, {2_ns, 2, 50'000'000'000}, {3_ns, 1, 50'000'000'000}, {4_ns, 0, 0}});
}

TEST_CASE("operations of the switches that overlap have tracks of their own") {
  Timeline timeline;
  for (const auto& [posted, arrived] : {std::pair{0_ns, 10_ns}, {5_ns, 12_ns}, {10_ns, 20_ns}}) {
    timeline.messages.push_back({.source = MessageRecord::kSwitches,
                                 .dest = MessageRecord::kSwitches,
                                 .posted = posted,
                                 .started = posted,
                                 .entered = posted,
                                 .drained = arrived,
                                 .arrived = arrived,
                                 .full_rate = arrived - posted,
                                 .operation = static_cast<std::uint32_t>(timeline.operations.size())});
    timeline.operations.push_back({Collective::allreduce, {0, 1, 2}});
  }
  const Json trace = trace_of(timeline, "star:3,alu,multicast");
  CHECK(phases_of(events_of(trace, 3, 1)) == "BEBE");
  CHECK(phases_of(events_of(trace, 3, 2)) == "BE");
  CHECK(events_of(trace, 3, 2)[0]["name"] == "allreduce of 3 ranks");
  CHECK(events_of(trace, 3, 2)[0]["ts"] == 0.005);
}

TEST_CASE("trunks have a name") {
  const std::shared_ptr<const Topology> clos = parse_topology("clos:hosts=2,leaves=2,spines=2");
  CHECK(link_or_trunk_name(*clos, 0) == "0->leaf0");
  CHECK(link_or_trunk_name(*clos, clos->links()) == "leaf0->spine0 to leaf0->spine1 (2 links)");
}

TEST_CASE("a trace that cannot be written is refused before the run") {
  for (const char* path : {"-", "/no/such/trace.json", "/"}) {
    const test::CommandResult result =
        test::run_heddle(std::vector<std::string>{"run", "allreduce", "--topo", "ring:4", "--size", "4KiB", "--trace", path});
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    CHECK_THAT(result.err, Catch::StartsWith("heddle: --trace '"));
    CHECK(test::lines_of(result.err).size() == 1);
  }
}

TEST_CASE("a full disk is one line, and leaves nothing half") {
  if (!std::filesystem::exists("/dev/full")) return;
  const test::CommandResult result = test::run_heddle("run allreduce --algo ring --topo ring:4 --size 4KiB --trace /dev/full");
  CHECK(result.status == 1);
  CHECK_THAT(result.err, Catch::Contains("/dev/full") && Catch::Contains("No space left"));
  CHECK_THAT(result.out, Catch::Contains("# 1 result right"));
}

}  // namespace heddle::pictures
