// SPDX-License-Identifier: Apache-2.0
// Two threads that use one chunk: a race, unless something makes one wait for the other.
#include "schedules/program/analysis.hpp"

#include "tests/catch.hpp"
#include "tests/schedules/files.hpp"

namespace heddle {
namespace {

std::string race_in(const ScheduleProgram& program) {
  const Connections connections(program);
  return find_races(program, connections, execute(program, connections, std::nullopt), program.modes.in_place).text;
}

/// Two threads of one rank; the second makes `step`, the first has copied i[0] to s[0].
ScheduleProgram two_threads(Step step) {
  ScheduleProgram program;
  program.chunks = 2;
  program.modes = {.in_place = true, .out_of_place = false};
  program.ranks = {{.scratch_chunks = 2, .strands = {{.id = 0}, {.id = 1}}}};
  program.ranks[0].strands[0].steps = {{.kind = StepKind::copy, .target = {ChunkBuffer::scratch, 0}}};
  program.ranks[0].strands[1].steps = {step};
  return program;
}

}  // namespace

TEST_CASE("a read and a write, two writes, and a write and a read race; two reads do not") {
  constexpr ChunkPlace kInput = {ChunkBuffer::input, 0};
  constexpr ChunkPlace kOther = {ChunkBuffer::input, 1};
  constexpr ChunkPlace kScratch = {ChunkBuffer::scratch, 0};
  constexpr ChunkPlace kFree = {ChunkBuffer::scratch, 1};
  CHECK(race_in(two_threads({.kind = StepKind::copy, .source = kScratch, .target = kFree})).find("s[0]") != std::string::npos);
  CHECK(race_in(two_threads({.kind = StepKind::copy, .source = kOther, .target = kScratch})).find("s[0]") != std::string::npos);
  CHECK(race_in(two_threads({.kind = StepKind::copy, .source = kOther, .target = kInput})).find("i[0]") != std::string::npos);
  CHECK(race_in(two_threads({.kind = StepKind::copy, .source = kInput, .target = kFree})).empty());
  // In place the output is the input; a copy of it onto itself is none.
  CHECK(!race_in(two_threads({.kind = StepKind::copy, .source = kOther, .target = {ChunkBuffer::output, 0}})).empty());
  CHECK(race_in(two_threads({.kind = StepKind::copy, .source = kInput, .target = {ChunkBuffer::output, 0}})).empty());
}

TEST_CASE("a dependency, or messages there and back, put two threads in order") {
  Step read = {.kind = StepKind::copy, .source = {ChunkBuffer::scratch, 0}, .target = {ChunkBuffer::scratch, 1}};
  read.after_strand = 0;
  read.after_step = 0;
  CHECK(race_in(two_threads(read)).empty());

  // Thread 0 sends what it wrote to rank 1, which answers thread 1.
  ScheduleProgram program = two_threads({.kind = StepKind::receive, .target = {ChunkBuffer::scratch, 0}});
  program.ranks[0].strands[0].send_to = 1;
  program.ranks[0].strands[0].steps.push_back({.kind = StepKind::send, .source = {ChunkBuffer::scratch, 0}});
  program.ranks[0].strands[1].receive_from = 1;
  program.ranks.push_back({.strands = {{.id = 0, .send_to = 0, .receive_from = 0}}});
  program.ranks[1].strands[0].steps = {{.kind = StepKind::receive_copy_send}};
  CHECK(race_in(program).empty());
  // Had rank 1 sent before it received, its message would say nothing of thread 0.
  program.ranks[1].strands[0].steps = {{.kind = StepKind::send}, {.kind = StepKind::receive}};
  CHECK(!race_in(program).empty());
}

TEST_CASE("of the schedules in files, the one with a missing dependency races") {
  for (const char* name :
       {"ring", "tree", "allpairs", "hierarchical", "two_channels", "alltoall", "reduce_scatter", "broadcast"})
    CHECK(race_in(testing::read_schedule(name)).empty());
  CHECK(!race_in(testing::read_schedule("missing_dependency")).empty());
}

}  // namespace heddle
