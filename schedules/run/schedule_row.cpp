// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "heddle/units.hpp"
#include "schedules/run/run_schedule.hpp"

namespace heddle {

namespace {

std::string refusal(const CompiledSchedule& schedule, const Shape& shape) {
  const ScheduleProgram& program = schedule.program();
  const std::string& mixed = schedule.sizes().mixed();
  // A race may be what mixes them up, and the run says that.
  if (!schedule.race(false).empty()) return "";
  if (mixed.empty() || (shape.equal_blocks && shape.count % program.chunks == 0)) return "";
  return fmt::format("it needs a multiple of {} elements, as {}", program.chunks, mixed);
}

/// MSCCL's scheduler compares the bytes of the call, which are those of one block in a gather and a scatter.
std::string remark(const ScheduleProgram& program, const Shape& shape) {
  const bool is_of_block = program.collective == Collective::gather || program.collective == Collective::scatter;
  const std::int64_t bytes = is_of_block ? shape.bytes / std::max(1, shape.ranks) : shape.bytes;
  const SizeRange& sizes = program.sizes;
  if (sizes.holds(bytes)) return "";
  const std::string of = is_of_block ? " in a block" : "";
  const std::string range = sizes.most == 0
                                ? fmt::format("{} or more{}", to_string(Bytes(sizes.least)), of)
                                : fmt::format("{} to {}{}", to_string(Bytes(sizes.least)), to_string(Bytes(sizes.most)), of);
  return fmt::format("made for {} (minBytes, maxBytes): MSCCL would not choose it here", range);
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
  row.block_count = [chunks = program.chunks](const Shape&) { return std::int64_t{chunks}; };
  row.independent_of_size = true;  // steps move chunks, whatever their size
  row.run = [schedule](Communicator& comm, const CollectiveArguments& call) { run_schedule(*schedule, comm, call); };
  row.explain = [schedule](std::optional<int> credits, bool in_place) { return schedule->explain(credits, in_place); };
  row.remark = [schedule](const Shape& shape) { return remark(schedule->program(), shape); };
  return row;
}

}  // namespace heddle
