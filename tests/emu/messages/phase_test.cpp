// SPDX-License-Identifier: Apache-2.0
// Phases: what a timeline has of those that ranks name.
#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "emu/record/timeline.hpp"
#include "tests/catch.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

namespace {

using namespace literals;

std::string name_of(const Timeline& timeline, std::uint32_t phase) {
  if (phase == CriticalPath::kNoRecord) return "-";
  const NamedPhase& named = timeline.phases[phase];
  return named.within == CriticalPath::kNoRecord ? named.name : name_of(timeline, named.within) + "/" + named.name;
}

/// "task phase", of each record of rank 0 in their order.
std::vector<std::string> of_rank_0(const Timeline& timeline) {
  std::vector<std::string> records;
  for (const PhaseRecord& record : timeline.phase_records)
    if (record.rank == 0) records.push_back(fmt::format("{} {}", record.task, name_of(timeline, record.phase)));
  return records;
}

void swap(Communicator& comm) { swap_numbers(comm, right(comm), left(comm), 1); }

Timeline timeline_of(const std::function<void(Communicator&)>& function, Threads threads) {
  Timeline timeline;
  EmulationSettings settings = on(threads);
  settings.sinks = {&timeline};
  run_on(fabric_of("ring:4"), function, settings);
  return timeline;
}

}  // namespace

TEST_CASE("a phase lasts until the next, and messages are of the phase that they are sent in") {
  const Timeline timeline = timeline_of(
      [](Communicator& comm) {
        swap(comm);
        std::string name = "first";
        comm.phase(name);
        name = "gone";  // it has been copied
        swap(comm);
        comm.phase("second");
        swap(comm);
        comm.phase("");
        swap(comm);
      },
      each_kind_of_threads());
  CHECK(of_rank_0(timeline) == std::vector<std::string>{"0 first", "0 second"});
  std::vector<std::string> of_messages;
  for (const MessageRecord& message : timeline.messages)
    if (message.source == 0) of_messages.push_back(name_of(timeline, message.phase));
  CHECK(of_messages == std::vector<std::string>{"-", "first", "second", "-"});
  const PhaseRecord& first = timeline.phase_records.front();
  const PhaseRecord& last = timeline.phase_records.back();
  CHECK(first.begin > Time());
  CHECK(first.end == last.begin);
  CHECK(last.end - last.begin == first.end - first.begin);
}

TEST_CASE("phases of a split's communicator, and of tasks, lie within the phase of the one they come of") {
  const Timeline timeline = timeline_of(
      [](Communicator& comm) {
        const std::unique_ptr<Communicator> pair = comm.split(comm.rank().value() / 2, 0);
        comm.phase("inner");
        pair->phase("ring");
        swap(*pair);
        pair->phase("tree");
        swap(*pair);
        comm.phase("outer");
        comm.concurrently(2, [](int i, Communicator& task) {
          if (i == 1) task.phase("branch");
          swap(task);
        });
      },
      each_kind_of_threads());
  CHECK(of_rank_0(timeline) ==
        std::vector<std::string>{"0 inner/ring", "0 inner/tree", "1 outer", "2 outer/branch", "0 outer"});
}

TEST_CASE("where nobody looks on, phases do nothing; they change no time either way") {
  const auto function = [](Communicator& comm) {
    comm.phase("one");
    swap(comm);
    comm.phase("two");
    swap(comm);
  };
  Timeline timeline;
  EmulationSettings settings;
  const Report alone = run_on(fabric_of("ring:4"), function, settings);
  settings.sinks = {&timeline};
  CHECK(run_on(fabric_of("ring:4"), function, settings).completion == alone.completion);
  CHECK(timeline.phases.size() == 2);
}

}  // namespace heddle
