// SPDX-License-Identifier: Apache-2.0
// What a run says of itself that cannot go on: states made by hand.
#include "emu/run/emulation.hpp"

#include <exception>
#include <optional>
#include <stdexcept>

#include "tests/catch.hpp"
#include "tests/emu/run/run_parts.hpp"

namespace heddle::emu {

namespace {

struct DiagnosisTest : RunParts {
  explicit DiagnosisTest(std::optional<int> credits = {})
      : RunParts(3), flow(run, placement, network, alone, credits, nullptr) {}

  RequestSlot& wait(int rank, bool is_send, int peer) {
    TaskState& task = run.tasks[static_cast<TaskId>(rank)];
    task.blocked = TaskState::Blocked::requests;
    RequestSlot& slot = task.slots[task.take_slot()];
    slot.state = RequestSlot::State::pending;
    slot.is_send = is_send;
    slot.awaited = true;
    slot.peer = peer;
    slot.count = 4;
    slot.type = Datatype::i32();
    return slot;
  }

  MessageFlow flow;
  SwitchCalls switches{run, network, alone};
  TaskRunner runner{run, false, [](TaskId) {}};
  CommunicatorCalls communicators{run, groups, runner};
  RunDiagnosis diagnosis{run, flow, switches, communicators};
};

}  // namespace

TEST_CASE("diagnosis: a deadlock names each blocked operation and the cycle") {
  DiagnosisTest test;
  test.wait(0, false, 1);
  test.wait(1, false, 0);
  test.run.tasks[2].blocked = TaskState::Blocked::split;
  test.diagnosis.fail_with_deadlock();
  CHECK_THROWS_WITH(test.run.failure.rethrow(),
                    Catch::Contains("rank 0 waits to receive 4 x i32 from rank 1") &&
                        Catch::Contains("rank 2 waits in split() for ranks that have not called it"));
}

TEST_CASE("diagnosis: a send that waits for room says so") {
  DiagnosisTest test(2);
  test.wait(0, true, 1);
  test.run.tasks.end(1);
  test.run.tasks.end(2);
  test.diagnosis.fail_with_deadlock();
  CHECK_THROWS_WITH(test.run.failure.rethrow(), Catch::Contains("2 of 2 credits are taken"));
}

TEST_CASE("diagnosis: requests that a rank has not waited for, and what it threw") {
  DiagnosisTest test;
  SECTION("requests") {
    test.diagnosis.check_all_waited_for(test.run.tasks[0]);
    CHECK_FALSE(test.run.failure.has_failed());
    test.wait(0, false, 2);
    test.diagnosis.check_all_waited_for(test.run.tasks[0]);
    CHECK_THROWS_WITH(
        test.run.failure.rethrow(),
        "rank 0 returned without waiting for 1 of its requests, one of them to receive 4 x i32 from rank 2 (tag 0)");
  }
  SECTION("an exception") {
    test.run.tasks[2].failure = std::make_exception_ptr(std::runtime_error("moths"));
    test.diagnosis.fail_rank(test.run.tasks[2]);
    CHECK_THROWS_WITH(test.run.failure.rethrow(), "rank 2 failed at 0ps: moths");
  }
}

TEST_CASE("diagnosis: the first failure is the one that is reported") {
  DiagnosisTest test;
  test.run.failure.fail(CheckError::Kind::usage, "first");
  test.run.failure.fail(CheckError::Kind::usage, "second");
  CHECK_THROWS_WITH(test.run.failure.rethrow(), "first");
  CHECK(test.engine.has_stopped);
}

}  // namespace heddle::emu
