// SPDX-License-Identifier: Apache-2.0
// run(): machine, workload and settings make an outcome, whatever the workload is.
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "heddle/errors.hpp"
#include "lab/run/run_algorithm.hpp"
#include "lab/studies/schedule_picture.hpp"
#include "tests/catch.hpp"
#include "topo/files/file_graph.hpp"

namespace heddle {

using namespace literals;

namespace {

/// Each has 4,000 B for its right neighbour.
void pass_on(Communicator& comm) {
  const Rank left((comm.rank().value() + comm.size() - 1) % comm.size());
  const Rank right((comm.rank().value() + 1) % comm.size());
  Buffer mine(Datatype::i32(), 1000);
  Buffer theirs(Datatype::i32(), 1000);
  std::memset(mine.view().data(), comm.rank().value(), mine.view().size_bytes());
  comm.sendrecv(right, mine.view(), left, theirs.view());
  if (theirs.view().data()[0] != std::byte(left.value())) throw Error("from somebody else");
}

const MachineSpec kRing = {.fabric = {.topology = "ring:4", .bandwidth = {1_GBps}, .latency = {1_us}}};

}  // namespace

TEST_CASE("a program is timed on a machine, under any settings, and its check decides") {
  const Outcome right = run(kRing, ProgramSpec{pass_on}, {.explore = 1});
  REQUIRE(right.report() != nullptr);
  CHECK(right.report()->completion == 5_us);  // latency + 4,000 B at 1 GB/s
  CHECK(right.exploration->passed());
  const Outcome lost = run(kRing, ProgramSpec{pass_on, "pass"}, {.faults = {"message:0->1,lost"}});
  REQUIRE(lost.failure() != nullptr);
  CHECK(lost.failure()->kind == CheckError::Kind::deadlock);
  const ProgramSpec wrong{pass_on, "pass", [] { throw CheckError(CheckError::Kind::wrong_result, "not that"); }};
  CHECK(run(kRing, wrong).failure()->explanation == "not that");
}

TEST_CASE("a call and its schedule take the same time") {
  const CallSpec call{.algorithm = "ring", .size = Bytes(4096)};
  const RecordedSchedule recorded = record_schedule(Experiment{kRing, call, {}});
  const Outcome called = run(kRing, call);
  const Outcome scheduled = run(kRing, ScheduledCall{recorded.program, call});
  REQUIRE(scheduled.report() != nullptr);
  CHECK(scheduled.report()->completion == called.report()->completion);
}

TEST_CASE("a fabric and a placement that a program has are run without a file, and a text says that it cannot") {
  const std::string text =
      "{\"endpoints\": 3, \"tiers\": [{\"name\": \"cable\", \"bandwidth\": \"1GB/s\", \"latency\": \"1us\"}],"
      " \"links\": [{\"from\": 0, \"to\": 1}, {\"from\": 1, \"to\": 2}, {\"from\": 2, \"to\": 0}]}";
  Experiment what;
  what.algorithm = "ring";
  what.size = Bytes(12'000);
  what.fabric.topology = "given:triangle";
  what.fabric.given = std::make_shared<const GivenFabrics>(GivenFabrics{{"triangle", fabric_from_text(text, "triangle")}});
  what.placement = "endpoints:2+0+1";
  const Outcome outcome = what.run();
  REQUIRE(outcome.report() != nullptr);
  CHECK(outcome.report()->completion == 20_us);  // 4 rounds of 1 us and 4,000 B at 1 GB/s
  CHECK(what.text() == "allreduce --algo ring --topo given:triangle --placement endpoints:2+0+1 --size 12000");
  CHECK_THROWS_WITH(Experiment::parse(what.text()).run(),
                    "--topo: topology 'given:triangle': a program gave that fabric as a value, which a text cannot "
                    "repeat; write it to a file, and name that: file:triangle.json");
}

TEST_CASE(
    "an entry that was made when the program ran keeps its texts alive, and one in Python is no algorithm of the command's") {
  Experiment what;
  what.fabric.topology = "ring:4";
  what.algorithm = "python:mine:my_ring";
  what.size = Bytes(4000);
  CHECK_THROWS_WITH(what.run(),
                    Catch::Contains("'python:mine:my_ring' is an algorithm in Python, which only the program in Python "
                                    "that has it can run"));
  std::weak_ptr<const std::string> summary;
  {
    const auto text = std::make_shared<const std::string>("mine");
    Algorithm entry = find_algorithm(Collective::allreduce, "ring");
    entry.name = "python:mine:my_ring";
    entry.summary = *text;
    entry.owner = text;
    summary = text;
    what.own = std::make_shared<const std::vector<Algorithm>>(std::vector<Algorithm>{std::move(entry)});
  }
  Outcome outcome = what.run();
  REQUIRE(outcome.report() != nullptr);
  what.own = nullptr;
  CHECK(outcome.algorithm->summary == "mine");
  outcome = {};
  CHECK(summary.expired());
}

}  // namespace heddle
