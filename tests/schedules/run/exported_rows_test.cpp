// SPDX-License-Identifier: Apache-2.0
// Rows of the registry, recorded and run again as schedules: the same messages, the right result, the same time.
#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "heddle/errors.hpp"
#include "lab/run/run_algorithm.hpp"
#include "lab/studies/schedule_picture.hpp"
#include "schedules/run/compiled_schedule.hpp"
#include "schedules/run/recording.hpp"
#include "schedules/run/run_schedule.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/schedules/files.hpp"

namespace heddle {
namespace {

using testing::messages_of;
using testing::through_a_file;

/// "": the schedule does what the row does; else what differs.
std::string difference(Experiment what) {
  const RecordedSchedule recorded = record_schedule(what);
  what.size = Bytes(recorded.count * recorded.element_size);
  what.payload.reset();
  what.keep_timeline = true;
  const Outcome row = what.run();
  const auto schedule = std::make_shared<const CompiledSchedule>(through_a_file(recorded.program));
  if (const std::string& race = schedule->race(recorded.program.modes.in_place); !race.empty()) return race;
  what.own = std::make_shared<const std::vector<Algorithm>>(std::vector<Algorithm>{schedule_row("exported", schedule)});
  what.algorithm = "exported";
  const Outcome again = what.run();
  if (again.failure() != nullptr) return again.failure()->explanation;
  if (messages_of(row) != messages_of(again)) return "other messages";
  if (row.report()->completion != again.report()->completion)
    return fmt::format("takes {}, not {}", to_string(again.report()->completion), to_string(row.report()->completion));
  return "";
}

std::string grid_of(int ranks) {
  for (int side = 4; side >= 2; --side) {
    if (ranks % side == 0 && ranks / side > 1) return fmt::format("torus:{}x{}", ranks / side, side);
  }
  return fmt::format("torus:{}", ranks);
}

void check_rows(Collective collective, int ranks) {
  for (const Algorithm* row : algorithms_of(collective)) {
    if (row->needs.in_network) continue;
    Experiment what;
    what.collective = collective;
    what.algorithm = row->name;
    what.fabric.topology = grid_of(ranks);
    Experiment sized = what;
    sized.size = Bytes(4096);
    if (!sized.why_not().empty()) continue;
    INFO(to_string(collective) << ' ' << row->name << " on " << what.fabric.topology);
    CHECK(difference(what) == "");
  }
}

}  // namespace

TEST_CASE("every row that sends messages, as a schedule: the same messages, right, as fast") {
  for (const Collective collective : all_collectives()) {
    if (collective == Collective::barrier) continue;
    for (const int ranks : testing::sampled<std::vector<int>>({1, 2, 3, 4, 5, 6, 7, 8, 9, 16}, {1, 5, 8}))
      check_rows(collective, ranks);
  }
}

TEST_CASE("memory that one task has freed and another one got is not one memory") {
  std::array<std::byte, 64> heap = {};
  const MemoryRange scratch{heap.data(), 16};
  const MemoryRange half{heap.data() + 32, 8};
  RankRecording rank;
  const auto receive = [&](std::int32_t task, const MemoryRange& into, std::vector<std::int32_t> after) {
    return rank.add(
        {.kind = RecordedOperation::Kind::receive, .peer = 1, .task = task, .into = {into}, .after = std::move(after)});
  };
  const std::int32_t first = receive(1, scratch, {});
  receive(2, scratch, {});  // neither waits for the other
  receive(1, half, {first});
  receive(2, half, {2});
  rank.part_reused_memory();
  const auto begin_of = [&](std::size_t operation) { return rank.operations()[operation].into.front().begin; };
  CHECK(begin_of(0) != begin_of(1));
  CHECK(begin_of(2) == half.begin);
  CHECK(begin_of(3) == half.begin);
}

TEST_CASE("a row is recorded from other roots, out of place, with other options and sizes") {
  Experiment what;
  what.fabric.topology = "ring:6";
  what.collective = Collective::broadcast;
  what.algorithm = "chain:segments=3";
  what.root = 4;
  what.size = Bytes(1000);
  CHECK(difference(what) == "");
  what.collective = Collective::reduce;
  what.in_place = false;
  CHECK(difference(what) == "");
  what.collective = Collective::allgather;
  what.algorithm = "ring";
  what.root = 0;
  CHECK(difference(what) == "");
  what.collective = Collective::allreduce;
  what.algorithm = "hierarchical";
  what.fabric.topology = "clos:hosts=2,leaves=3,spines=2";
  what.in_place = true;
  CHECK(difference(what) == "");
}

TEST_CASE("what has no messages of ranks, or no blocks of one length, is refused") {
  Experiment what;
  what.fabric.topology = "star:4";
  what.collective = Collective::barrier;
  what.algorithm = "dissemination";
  CHECK_THROWS_AS(record_schedule(what), InputError);
  what.collective = Collective::allgather;
  what.algorithm = "ring";
  what.blocks = "1,2,3,4";
  CHECK_THROWS_AS(record_schedule(what), InputError);
}

}  // namespace heddle
