// SPDX-License-Identifier: Apache-2.0
#include "schedules/run/schedule_row.hpp"

#include <fmt/format.h>

#include <utility>

#include "schedules/run/run_schedule.hpp"

namespace heddle {

namespace {

std::string refusal(const CompiledSchedule& schedule, const Shape& shape) {
  const ScheduleProgram& program = schedule.program();
  const std::string& mixed = schedule.sizes().mixed();
  if (mixed.empty() || (shape.equal_blocks && shape.count % program.chunks == 0)) return "";
  return fmt::format("it needs a multiple of {} elements, as {}", program.chunks, mixed);
}

}  // namespace

Algorithm schedule_row(std::string name, std::shared_ptr<const CompiledSchedule> schedule) {
  const ScheduleProgram& program = schedule->program();
  Algorithm row;
  row.collective = program.collective;
  row.name = std::move(name);
  row.needs.commutative = reduces(program.collective);
  row.needs.equal_blocks = program.collective == Collective::alltoall;
  row.needs.ranks = program.size();
  row.needs.buffered = schedule->least_slots().value_or(0);
  row.needs.refusal = [schedule](const Shape& shape, const ReduceOp&) { return refusal(*schedule, shape); };
  row.granule = [chunks = program.chunks](const Shape&) { return std::int64_t{chunks}; };
  row.run = [schedule](Communicator& comm, const CollectiveArguments& call) { run_schedule(*schedule, comm, call); };
  row.explain = [schedule](std::optional<int> credits) { return schedule->explain(credits); };
  return row;
}

}  // namespace heddle
