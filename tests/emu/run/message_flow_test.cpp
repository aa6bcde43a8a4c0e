// SPDX-License-Identifier: Apache-2.0
// The life of a message, step by step: the test plays the network and the clock.
#include "emu/run/message_flow.hpp"

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tests/catch.hpp"
#include "tests/emu/run/run_parts.hpp"

namespace heddle::emu {

namespace {

using namespace literals;

constexpr std::size_t kInts = 4;

struct FlowTest : RunParts {
  explicit FlowTest(std::optional<int> credits = {})
      : RunParts(2), flow(run, placement, network, alone, credits, nullptr), sent{1, 2, 3, 4} {}

  Request send() {
    const ConstVectorView data(sent);
    return asked(0, endpoint(0).isend(Rank(1), std::span(&data, 1), Tag()));
  }
  Request receive(std::vector<std::int32_t>& into) {
    const VectorView view(into);
    return asked(1, endpoint(1).irecv(Rank(0), std::span(&view, 1), Tag()));
  }

  MessageFlow flow;
  std::vector<std::int32_t> sent;
  std::vector<std::int32_t> received = std::vector<std::int32_t>(kInts);

 private:
  /// The rank waits for it, and what it asked for takes effect.
  Request asked(int rank, Request request) {
    endpoint(rank).begin_wait(std::span(&request, 1));
    TaskState& task = run.tasks[static_cast<TaskId>(rank)];
    for (const PendingOperation& operation : task.operations) {
      if (const auto* send = std::get_if<PendingSend>(&operation)) flow.take(static_cast<TaskId>(rank), *send);
      if (const auto* receive = std::get_if<PendingReceive>(&operation)) flow.take(static_cast<TaskId>(rank), *receive);
    }
    task.operations.clear();
    return request;
  }
};

}  // namespace

TEST_CASE("message flow: injected after α, the sender wakes when it has drained, the receiver when it has arrived") {
  FlowTest test;
  test.receive(test.received);
  test.send();
  CHECK(test.network.sent.empty());
  test.engine.ring_next();
  CHECK(test.engine.time == 1_us);
  REQUIRE(test.network.sent.size() == 1);
  const Sending& sending = test.network.sent.front();
  CHECK(sending.bytes == 16);
  CHECK(sending.round == 1);
  CHECK(test.engine.woken.empty());

  test.engine.time = 1'016_ns;
  test.flow.drained(sending.message, 1'416_ns);
  CHECK(test.engine.woken == std::vector<TaskId>{0});
  test.engine.ring_next();
  CHECK(test.engine.woken == std::vector<TaskId>{0, 1});
  CHECK(test.received == test.sent);

  const PathParts& parts = test.run.tasks[1].path.parts;
  CHECK(parts.startup == 1_us);
  CHECK(parts.serialisation == 16_ns);
  CHECK(parts.propagation == 400_ns);
  CHECK(parts.total() == 1'416_ns);
  CHECK(test.flow.unreceived().empty());
}

TEST_CASE("message flow: what arrives before its receive waits for it, and is missing at the end without one") {
  FlowTest test;
  test.send();
  test.engine.ring_next();
  test.flow.drained(0, test.engine.time);
  REQUIRE(test.flow.unreceived().size() == 1);
  CHECK(describe(test.run.messages[test.flow.unreceived().front()]) == "the message of 4 x i32 from rank 0 to rank 1 (tag 0)");
  test.receive(test.received);
  CHECK(test.received == test.sent);
  CHECK(test.flow.unreceived().empty());
}

TEST_CASE("message flow: synchronous sends are injected when their receives are there") {
  FlowTest test(0);
  test.send();
  CHECK_FALSE(test.engine.has_alarm());
  test.engine.time = 5_us;
  test.receive(test.received);
  REQUIRE(test.engine.has_alarm());
  test.engine.ring_next();
  CHECK(test.engine.time == 6_us);
  CHECK(test.network.sent.size() == 1);
}

TEST_CASE("message flow: with one credit the second message is injected when the first has been received") {
  FlowTest test(1);
  std::vector<std::int32_t> second(kInts);
  test.send();
  test.send();
  test.engine.ring_next();
  CHECK_FALSE(test.engine.has_alarm());
  CHECK(test.network.sent.size() == 1);
  test.flow.drained(test.network.sent.front().message, test.engine.time);
  CHECK_FALSE(test.engine.has_alarm());
  test.receive(test.received);
  REQUIRE(test.engine.has_alarm());
  test.engine.ring_next();
  CHECK(test.network.sent.size() == 2);
}

TEST_CASE("message flow: a send buffer that has changed, and a receive that is too short, fail the run") {
  FlowTest test;
  SECTION("changed") {
    test.send();
    test.engine.ring_next();
    test.sent[2] = 99;
    test.flow.drained(0, test.engine.time);
    CHECK_THROWS_WITH(test.run.failure.rethrow(),
                      Catch::Contains("changed a send buffer") && Catch::Contains("element 2 of it"));
  }
  SECTION("short") {
    std::vector<std::int32_t> shorter(kInts - 1);
    test.receive(shorter);
    test.send();
    test.engine.ring_next();
    test.flow.drained(0, test.engine.time);
    CHECK_THROWS_WITH(test.run.failure.rethrow(), Catch::Contains("is longer than its receive: rank 1 asked for 3 x i32"));
  }
  CHECK(test.engine.has_stopped);
}

}  // namespace heddle::emu
