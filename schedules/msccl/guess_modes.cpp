// SPDX-License-Identifier: Apache-2.0
#include "schedules/msccl/guess_modes.hpp"

#include <algorithm>
#include <vector>

namespace heddle {

namespace {

template <class Condition>
bool any_step(const RankSchedule& rank, const Condition& is_met) {
  return std::ranges::any_of(rank.strands, [&](const Strand& strand) { return std::ranges::any_of(strand.steps, is_met); });
}

bool uses(const Step& step, ChunkBuffer buffer) {
  return (reads_source(step.kind) && step.source.buffer == buffer) ||
         (writes_target(step.kind) && step.target.buffer == buffer);
}

}  // namespace

PlaceModes guess_modes(const ScheduleProgram& program) {
  const auto is_used = [&](ChunkBuffer buffer) {
    return std::ranges::any_of(program.ranks, [&](const RankSchedule& rank) {
      return any_step(rank, [buffer](const Step& step) { return uses(step, buffer); });
    });
  };
  const bool is_two = is_used(ChunkBuffer::input) && is_used(ChunkBuffer::output);
  return {.in_place = !is_two, .out_of_place = is_two};
}

int guess_root(const ScheduleProgram& program) {
  const bool goes_out = program.collective == Collective::broadcast || program.collective == Collective::scatter;
  std::vector<int> candidates;
  for (int rank = 0; rank < program.size(); ++rank) {
    const auto moves = [goes_out](const Step& step) { return goes_out ? receives(step.kind) : sends(step.kind); };
    if (!any_step(program.ranks[static_cast<std::size_t>(rank)], moves)) candidates.push_back(rank);
  }
  return candidates.size() == 1 ? candidates.front() : 0;
}

}  // namespace heddle
