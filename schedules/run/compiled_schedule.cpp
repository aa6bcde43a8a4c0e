// SPDX-License-Identifier: Apache-2.0
#include "schedules/run/compiled_schedule.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace heddle {

namespace {

ScheduleProgram valid(ScheduleProgram program) {
  require_valid(program);
  return program;
}

/// A strand that has waited for a step has waited for those before it, too: no signal says so once more.
Signals signals_of(const RankSchedule& rank) {
  Signals signals;
  signals.raised.resize(rank.strands.size());
  std::int32_t next = 0;
  for (std::size_t strand = 0; strand < rank.strands.size(); ++strand) {
    std::vector<std::int32_t>& awaited = signals.awaited.emplace_back();
    std::map<std::int32_t, std::int32_t> seen;  // by strand: the last step that this one has waited for
    for (const Step& step : rank.strands[strand].steps) {
      const bool is_own = step.after_strand == static_cast<std::int32_t>(strand);
      const auto known = seen.find(step.after_strand);
      if (step.after_strand < 0 || is_own || (known != seen.end() && known->second >= step.after_step)) {
        awaited.push_back(-1);
        continue;
      }
      seen[step.after_strand] = step.after_step;
      signals.raised[static_cast<std::size_t>(step.after_strand)].push_back({step.after_step, next});
      awaited.push_back(next++);
    }
  }
  for (std::vector<Signals::Raised>& raised : signals.raised) std::ranges::stable_sort(raised, {}, &Signals::Raised::step);
  return signals;
}

/// More slots never hold anything up. Without bound it comes to its end.
int find_least_slots(const ScheduleProgram& program, const Connections& connections) {
  const auto ends_with = [&](int slots) { return execute(program, connections, slots).stuck.empty(); };
  if (ends_with(0)) return 0;
  int most = 1;
  while (!ends_with(most)) most *= 2;
  int least = most / 2 + 1;
  while (least < most) {
    const int middle = least + (most - least) / 2;
    if (ends_with(middle))
      most = middle;
    else
      least = middle + 1;
  }
  return most;
}

/// Whether memory lies otherwise in place than out of place. A schedule for one of the two works on its own kind of vector in both.
bool has_two_layouts(const ScheduleProgram& program) { return program.modes.in_place && program.modes.out_of_place; }

std::vector<Signals> signals_of(const ScheduleProgram& program) {
  std::vector<Signals> signals;
  for (const RankSchedule& rank : program.ranks) signals.push_back(signals_of(rank));
  return signals;
}

}  // namespace

CompiledSchedule::CompiledSchedule(ScheduleProgram program)
    : program_(valid(std::move(program))),
      connections_(program_),
      execution_(execute(program_, connections_, std::nullopt)),
      sizes_(program_, connections_, execution_),
      signals_(signals_of(program_)),
      races_in_place_(find_races(program_, connections_, execution_, true)),
      races_out_of_place_(has_two_layouts(program_) ? find_races(program_, connections_, execution_, false) : races_in_place_),
      least_slots_(execution_.stuck.empty() ? std::optional(find_least_slots(program_, connections_)) : std::nullopt) {}

std::string CompiledSchedule::explain(std::optional<int> credits, bool in_place) const {
  if (!race(in_place).empty()) return "";
  if (std::string stuck = execute(program_, connections_, credits).stuck; !stuck.empty()) return stuck;
  const std::string contents = explain_contents(program_, connections_, execution_, in_place);
  const bool is_misplaced = !contents.empty() && !sizes_.mixed().empty();
  return is_misplaced ? sizes_.mixed() + '\n' + contents : contents;
}

ChunkGeometry::ChunkGeometry(const ScheduleProgram& program, std::int64_t count, const BlockPartition& blocks, int root)
    : ranks_(std::max(1, program.size())),
      turn_(has_root(program.collective) ? (root - program.root + ranks_) % ranks_ : 0),
      has_blocks_(heddle::has_blocks(program.collective)),
      per_block_(program.chunks_of_block()),
      whole_(count, program.chunks),
      blocks_(blocks),
      longest_(has_blocks_ ? BlockPartition(blocks.longest(), per_block_).longest() : whole_.longest()) {}

bool ChunkGeometry::are_equal() const {
  return has_blocks_ ? blocks_.all_equal() && blocks_.longest() % per_block_ == 0 : whole_.all_equal();
}

}  // namespace heddle
