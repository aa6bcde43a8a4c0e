// SPDX-License-Identifier: Apache-2.0
// run(): machine, workload and settings make an outcome, whatever the workload is.
#include <cstddef>
#include <cstring>

#include "heddle/errors.hpp"
#include "lab/run/run_algorithm.hpp"
#include "lab/studies/schedule_picture.hpp"
#include "tests/catch.hpp"

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

}  // namespace heddle
