// SPDX-License-Identifier: Apache-2.0
// Which steps of a schedule can happen, and what they wait for where they cannot.
#include "schedules/program/analysis.hpp"

#include <map>
#include <set>

#include "tests/catch.hpp"
#include "tests/schedules/files.hpp"

namespace heddle {
namespace {

Execution executed(const ScheduleProgram& program, std::optional<int> credits) {
  return execute(program, Connections(program), credits);
}

/// n messages from rank 0 to rank 1, which receives them all.
ScheduleProgram messages(int n) {
  ScheduleProgram program;
  program.chunks = 1;
  program.ranks.resize(2);
  program.ranks[0].strands = {{.id = 0, .send_to = 1}};
  program.ranks[1].strands = {{.id = 0, .receive_from = 0}};
  for (int i = 0; i < n; ++i) {
    program.ranks[0].strands[0].steps.push_back({.kind = StepKind::send});
    program.ranks[1].strands[0].steps.push_back({.kind = StepKind::receive});
  }
  return program;
}

}  // namespace

TEST_CASE("every step happens once, after what it waits for") {
  for (const char* name : {"ring", "tree", "allpairs", "hierarchical", "two_channels", "alltoall"}) {
    const ScheduleProgram program = testing::read_schedule(name);
    for (const std::optional<int> credits : {std::optional<int>(), std::optional<int>(2)}) {
      const Execution execution = executed(program, credits);
      INFO(name);
      CHECK(execution.stuck.empty());
      CHECK(static_cast<std::int64_t>(execution.order.size()) == program.steps());
      std::map<std::pair<int, int>, int> next;  // by rank and strand: the step that is to come
      for (const StepPlace& place : execution.order) {
        CHECK(next[{place.rank, place.strand}]++ == place.step);
        const Step& step = program.ranks[static_cast<std::size_t>(place.rank)]
                               .strands[static_cast<std::size_t>(place.strand)]
                               .steps[static_cast<std::size_t>(place.step)];
        if (step.after_strand >= 0) CHECK(next[{place.rank, step.after_strand}] > step.after_step);
      }
    }
  }
}

TEST_CASE("sends wait for room, not for more: any credits do for one direction, none do where both send first") {
  for (const std::optional<int> credits : {std::optional<int>(), std::optional<int>(0), std::optional<int>(1)})
    CHECK(executed(messages(5), credits).stuck.empty());
  const ScheduleProgram both = testing::read_schedule("one_slot");
  CHECK(executed(both, 2).stuck.empty());
  CHECK(executed(both, std::nullopt).stuck.empty());
  for (const int credits : {0, 1}) CHECK(executed(both, credits).stuck.find("cycle:") != std::string::npos);
}

TEST_CASE("strands that wait for each other are a cycle, however much room there is") {
  ScheduleProgram program = messages(1);
  program.ranks[0].strands.push_back({.id = 1});
  program.ranks[0].strands[1].steps = {{.kind = StepKind::nop, .after_strand = 0, .after_step = 0}};
  program.ranks[0].strands[0].steps[0].after_strand = 1;
  program.ranks[0].strands[0].steps[0].after_step = 0;
  const std::string stuck = executed(program, std::nullopt).stuck;
  CHECK(stuck ==
        "the schedule cannot go on, however many messages a channel holds: 3 of 3 tbs wait\n"
        "  cycle:\n"
        "    gpu 0, tb 0, step 0 (s) waits for step 0 of tb 1\n"
        "    gpu 0, tb 1, step 0 (nop) waits for step 0 of tb 0\n"
        "    and that is gpu 0, tb 0, step 0 again");
}

}  // namespace heddle
