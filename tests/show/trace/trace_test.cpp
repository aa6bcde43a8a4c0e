// SPDX-License-Identifier: Apache-2.0
// Traces of timelines made by hand, event by event; check_trace.py looks at those of real runs.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "show/trace/trace.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "topo/spec/topology_spec.hpp"

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

/// The message in a link so many times, from when to when.
Timeline in_link(LinkId link, const std::vector<std::pair<Time, Time>>& stretches) {
  Timeline timeline;
  timeline.messages = one_message().messages;
  for (const auto& [begin, end] : stretches) {
    const auto use = static_cast<std::uint32_t>(timeline.links.size());
    timeline.links.push_back(link);
    timeline.flows.push_back({.message = 0, .first_link = use, .links = 1, .share = 1, .begin = begin, .end = end});
  }
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

std::string name_of_track(const Json& trace, int track, int group = 1) {
  for (const Json& event : trace["traceEvents"])
    if (event.value("name", "") == "thread_name" && event["pid"] == group && event["tid"] == track)
      return event["args"]["name"];
  return "none";
}

/// "BE": what the format calls the phases of events.
std::string letters_of(const std::vector<Json>& events) {
  std::string letters;
  for (const Json& event : events) letters += event["ph"].get<std::string>();
  return letters;
}

/// "0->1 0.115 1 25000000000": a link, the time, its flows and their rate from then on.
std::vector<std::string> loads_of(const Json& trace) {
  std::vector<std::string> loads;
  for (const Json& event : trace["traceEvents"])
    if (event["ph"] == "C")
      loads.push_back(event["name"].get<std::string>() + " " + event["ts"].dump() + " " + event["args"]["flows"].dump() + " " +
                      event["args"]["bytes_per_second"].dump());
  return loads;
}

}  // namespace

TEST_CASE("a trace has a track per rank, its tasks and its port below it, and arrows between ports") {
  const Json trace = trace_of(one_message(), "mesh:3");
  CHECK(trace["displayTimeUnit"] == "ns");
  CHECK(trace["otherData"]["about"] == "a test");
  CHECK(name_of_track(trace, 1) == "rank 0 on 0");
  CHECK(name_of_track(trace, 2) == "rank 0, task 3");
  CHECK(name_of_track(trace, 3) == "rank 0, sends");
  CHECK(name_of_track(trace, 4) == "rank 1 on 1");
  CHECK(name_of_track(trace, 5) == "rank 2 on 2");
  CHECK(name_of_track(trace, 6) == "rank 2, receives");

  const std::vector<Json> sends = events_of(trace, 1, 3);
  CHECK(letters_of(sends) == "Xs");
  CHECK(sends[0] == Json::parse(R"({"ph":"X","pid":1,"tid":3,"ts":0.015,"dur":0.13,"name":"1KB to 2","cat":"send",
                                    "args":{"message":1,"bytes":1000,"round":1,"tag":7}})"));
  CHECK(sends[1]["id"] == 1);

  const std::vector<Json> receives = events_of(trace, 1, 6);
  CHECK(letters_of(receives) == "Xf");
  CHECK(receives[0] == Json::parse(R"({"ph":"X","pid":1,"tid":6,"ts":0.315001,"dur":0.03,"name":"1KB from 0","cat":"receive",
                                       "args":{"message":1,"bytes":1000,"round":1,"tag":7,"waited_us":0.005,"startup_us":0.1,
                                               "serialisation_us":0.02,"contention_us":0.01,"propagation_us":0.200001}})"));
  CHECK(receives[1]["bp"] == "e");

  const std::vector<Json> receiver = events_of(trace, 1, 5);
  CHECK(letters_of(receiver) == "BEBE");
  CHECK(receiver[0]["name"] == "wait: receive from 0");
  CHECK(receiver[1]["ts"] == 0.345001);
  CHECK(receiver[2]["name"] == "reduce or copy");
  CHECK(receiver[3]["ts"] == 0.4);
  CHECK(events_of(trace, 1, 2)[0]["name"] == "wait: send to 2");
}

TEST_CASE("messages lie in the links that they cross for as long as they drain") {
  const Json trace = trace_of(one_message(), "mesh:3");
  for (const int link : {1, 2}) {
    const std::vector<Json> slices = events_of(trace, 2, link);
    REQUIRE(slices.size() == 1);
    CHECK(slices[0]["name"] == "1KB from 0 to 2");
    CHECK(slices[0]["ts"] == 0.115);
    CHECK(slices[0]["dur"] == 0.03);
  }
}

TEST_CASE("messages that are in a link at once have lanes, as few as there can be") {
  const Json trace = trace_of(in_link(0, {{0_ns, 10_ns}, {5_ns, 8_ns}, {8_ns, 9_ns}, {9_ns, 20_ns}, {10_ns, 11_ns}}), "mesh:3");
  CHECK(letters_of(events_of(trace, 2, 1)) == "XX");
  CHECK(letters_of(events_of(trace, 2, 2)) == std::string(3, 'X'));
  CHECK(name_of_track(trace, 1, 2) == "0->1");
  CHECK(name_of_track(trace, 2, 2) == "0->1 (2)");
}

TEST_CASE("phases are stretches around what a rank does, parts of phases within them") {
  Timeline timeline;
  timeline.phases = {{"inner", CriticalPath::kNoRecord, 0}, {"ring", 0, 1}, {"outer", CriticalPath::kNoRecord, 0}};
  timeline.phase_records = {{0, 0, 0, 0_ns, 10_ns}, {0, 0, 1, 10_ns, 20_ns}, {0, 0, 2, 30_ns, 40_ns}};
  timeline.spans.push_back({0, 0, SpanRecord::Kind::split, 12_ns, 20_ns, CriticalPath::kNoRecord});
  timeline.spans.push_back({0, 0, SpanRecord::Kind::work, 20_ns, 30_ns, CriticalPath::kNoRecord});
  std::string text;
  for (const Json& event : events_of(trace_of(timeline, "mesh:3"), 1, 1))
    text += event["ph"].get<std::string>() + " " + event.value("name", "") + " " + event["ts"].dump() + "; ";
  CHECK(text ==
        "B inner 0.0; B ring 0.01; B split 0.012; E  0.02; E  0.02; E  0.02; B reduce or copy 0.02; E  0.03; "
        "B outer 0.03; E  0.04; ");
}

TEST_CASE("a trace has each link's load over time") {
  CHECK(loads_of(trace_of(one_message(), "mesh:3")) ==
        std::vector<std::string>{"0->1 0.115 1 25000000000", "0->1 0.125 1 37500000000", "0->1 0.145 0 0",
                                 "1->2 0.115 1 25000000000", "1->2 0.125 1 37500000000", "1->2 0.145 0 0"});
}

TEST_CASE("flows of a link add up, and leave nothing behind") {
  Timeline timeline = in_link(2, {{1_ns, 2_ns}, {1_ns, 3_ns}, {1_ns, 4_ns}});
  for (std::uint32_t f = 0; f < 3; ++f) timeline.rates.push_back({f, 1_ns, 50e9 / 3});
  timeline.rates.push_back({1, 2_ns, 25e9});
  timeline.rates.push_back({2, 2_ns, 25e9});
  timeline.rates.push_back({2, 3_ns, 50e9});
  CHECK(loads_of(trace_of(timeline, "mesh:3")) == std::vector<std::string>{"1->2 0.001 3 50000000000",
                                                                           "1->2 0.002 2 50000000000",
                                                                           "1->2 0.003 1 50000000000", "1->2 0.004 0 0"});
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
  CHECK(letters_of(events_of(trace, 3, 1)) == "BEBE");
  CHECK(letters_of(events_of(trace, 3, 2)) == "BE");
  CHECK(events_of(trace, 3, 2)[0]["name"] == "allreduce of 3 ranks");
  CHECK(events_of(trace, 3, 2)[0]["ts"] == 0.005);
}

TEST_CASE("trunks have a name") {
  Timeline timeline = one_message();
  timeline.links = {0, parse_topology("clos:hosts=2,leaves=2,spines=2")->links()};
  const Json trace = trace_of(timeline, "clos:hosts=2,leaves=2,spines=2");
  CHECK(name_of_track(trace, 1, 2) == "0->leaf0");
  CHECK(name_of_track(trace, 2, 2) == "leaf0->spine0 to leaf0->spine1 (2 links)");
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
