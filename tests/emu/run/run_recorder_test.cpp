// SPDX-License-Identifier: Apache-2.0
#include "emu/run/run_recorder.hpp"

#include <vector>

#include "tests/catch.hpp"
#include "tests/emu/run/run_parts.hpp"

namespace heddle::emu {

namespace {

using namespace literals;

Message message_of(int source, int dest, std::int64_t bytes, int round) {
  Message message;
  message.key = {.context = 0, .source = source, .dest = dest, .tag = 0};
  message.source = source;
  message.dest = dest;
  message.wire_bytes = bytes;
  message.round = round;
  return message;
}

}  // namespace

TEST_CASE("recorder: messages count by round and by rank, but those that cross no network") {
  RunParts test(2);
  RunRecorder& recorder = test.run.recorder;
  TaskState& sender = test.run.tasks[0];
  Message first = message_of(0, 1, 100, 1);
  Message second = message_of(0, 1, 50, 3);
  Message own = message_of(0, 0, 70, 1);
  Message second_call = message_of(0, 1, 70, 1);
  second_call.second_call = true;
  for (Message* message : {&first, &second, &own, &second_call}) recorder.count(*message, sender);
  CHECK(second_call.number == 3);

  const Report running =
      recorder.report(test.run.tasks, test.links, test.network, Contexts());  // what a task has sent so far is its rank's
  CHECK(running.ranks[0].messages == 2);
  CHECK(running.ranks[0].sent == Bytes(150));
  REQUIRE(running.rounds.size() == 3);
  CHECK(running.rounds[0].messages == 1);
  CHECK(running.rounds[1].messages == 0);
  CHECK(running.rounds[2].bytes == Bytes(50));
  CHECK(running.host.messages == 4);

  test.run.tasks.end(0);
  recorder.note_ended(sender);
  CHECK(recorder.report(test.run.tasks, test.links, test.network, Contexts()).ranks[0].sent == Bytes(150));
}

TEST_CASE("recorder: the run is over when its last rank is, by that rank's path") {
  RunParts test(2);
  for (const int rank : {1, 0}) {
    TaskState& task = test.run.tasks[static_cast<TaskId>(rank)];
    test.engine.time = rank == 1 ? 7_us : 5_us;
    task.round = 2 + rank;
    task.path.parts.startup = test.engine.time;
    test.run.recorder.note_completed(task);
  }
  const Report report = test.run.recorder.report(test.run.tasks, test.links, test.network, Contexts());
  CHECK(report.completion == 7_us);
  CHECK(report.critical_path.parts.startup == 7_us);
  CHECK(report.ranks[0].completion == 5_us);
  CHECK(report.ranks[1].rounds == 3);
}

TEST_CASE("recorder: a rank that has crossed the finish line was done then") {
  RunParts test(1);
  test.engine.time = 4_us;
  test.run.recorder.note_finish_line(0);
  test.engine.time = 9_us;
  test.run.recorder.note_completed(test.run.tasks[0]);
  CHECK(test.run.recorder.report(test.run.tasks, test.links, test.network, Contexts()).completion == 4_us);
}

TEST_CASE("recorder: a timeline has each message that crosses the network and each wait, second calls aside") {
  Timeline timeline;
  RunParts test(2, {&timeline});
  RunRecorder& recorder = test.run.recorder;
  Message message = message_of(0, 1, 100, 1);
  Message own = message_of(1, 1, 100, 1);
  test.engine.time = 1_us;
  recorder.note_sent(message, test.run.tasks[0]);
  recorder.note_sent(own, test.run.tasks[1]);
  CHECK(own.record == CriticalPath::kNoRecord);
  message.entered = 3_us;
  recorder.note_injected(message, 2_us, CriticalPath::kNoRecord);
  test.engine.time = 4_us;
  recorder.note_drained(message, 1_us);
  test.engine.time = 5_us;
  recorder.note_arrived(message);
  REQUIRE(timeline.messages.size() == 1);
  const MessageRecord& record = timeline.messages.front();
  CHECK(std::vector{record.posted, record.started, record.entered, record.drained, record.arrived} ==
        std::vector<Time>{1_us, 2_us, 3_us, 4_us, 5_us});

  TaskState& task = test.run.tasks[1];
  task.blocked = TaskState::Blocked::split;
  recorder.note_blocked(task);
  recorder.note_goes_on(task);  // at the same timestamp: no wait
  test.engine.time = 6_us;
  recorder.note_goes_on(task);
  test.run.ranks.begin_second_call(1);
  test.engine.time = 7_us;
  recorder.note_goes_on(task);
  REQUIRE(timeline.spans.size() == 1);
  CHECK(timeline.spans.front().kind == SpanRecord::Kind::split);
  CHECK(timeline.spans.front().begin == 5_us);
  CHECK(timeline.spans.front().end == 6_us);
}

}  // namespace heddle::emu
