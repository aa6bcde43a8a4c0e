// SPDX-License-Identifier: Apache-2.0
// Whose contributions the chunks of a schedule hold, and what is said where they are not what the collective asks for.
#include "schedules/program/analysis.hpp"

#include "tests/catch.hpp"
#include "tests/schedules/files.hpp"

namespace heddle {
namespace {

std::string explained(const ScheduleProgram& program) {
  const Connections connections(program);
  return explain_contents(program, connections, execute(program, connections, std::nullopt), program.modes.in_place);
}

/// The first step of the kind, in rank 0.
Step& first_step(ScheduleProgram& program, StepKind kind) {
  for (Strand& strand : program.ranks[0].strands) {
    for (Step& step : strand.steps) {
      if (step.kind == kind) return step;
    }
  }
  throw std::logic_error("no such step");
}

}  // namespace

TEST_CASE("nothing is said of right schedules") {
  for (const char* name :
       {"ring", "tree", "allpairs", "hierarchical", "two_channels", "alltoall", "reduce_scatter", "broadcast"}) {
    INFO(name);
    CHECK(explained(testing::read_schedule(name)).empty());
  }
}

TEST_CASE("the step that reduces what does not belong together is named, and the first wrong chunk of a result") {
  ScheduleProgram ring = testing::read_schedule("ring");
  first_step(ring, StepKind::receive_reduce_send).source.first = 2;
  const std::string other_chunk = explained(ring);
  CHECK(other_chunk.find("gpu 0, tb 0, step 1 reduces chunk 2 with chunk 3") != std::string::npos);

  ScheduleProgram pairs = testing::read_schedule("allpairs");
  first_step(pairs, StepKind::reduce).source.first = 1;
  CHECK(explained(pairs).find("adds to chunk 0 what gpu 2 gave, which is in it already") != std::string::npos);

  ScheduleProgram copies = testing::read_schedule("alltoall");
  first_step(copies, StepKind::copy).target.first = 1;
  CHECK(explained(copies).find("at the end o[0] of gpu 0 holds nothing: no step writes it") != std::string::npos);

  ScheduleProgram gather = testing::read_schedule("two_channels");
  first_step(gather, StepKind::receive).target.first = 5;
  CHECK(explained(gather).find("at the end o[") != std::string::npos);
}

TEST_CASE("the step that writes over what nobody has read yet is named, where that is missing") {
  ScheduleProgram pairs = testing::read_schedule("allpairs");
  first_step(pairs, StepKind::reduce).kind = StepKind::copy;
  CHECK_THAT(explained(pairs),
             Catch::Contains(", without gpu 0; it was last written by ") &&
                 Catch::Contains(": gpu 0, tb 3, step 0 writes over what gpu 0 gave to chunk 0, which no step had read"));
}

}  // namespace heddle
