// SPDX-License-Identifier: Apache-2.0
// What a file leaves out, as its steps show it.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "schedules/files/msccl.hpp"
#include "schedules/program/analysis.hpp"

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

/// Whether steps and copies write each chunk of every output. Where they do not, what they leave out has to be there: as in place.
bool write_all_outputs(const ScheduleProgram& program) {
  for (int rank = 0; rank < program.size(); ++rank) {
    std::vector<std::pair<std::int64_t, std::int64_t>> written;  // begin, end
    for (const StartCopy& copy : program.ranks[static_cast<std::size_t>(rank)].copies)
      written.emplace_back(copy.output, std::int64_t{copy.output} + 1);
    for (const Strand& strand : program.ranks[static_cast<std::size_t>(rank)].strands) {
      for (const Step& step : strand.steps) {
        if (writes_target(step.kind) && step.target.buffer == ChunkBuffer::output)
          written.emplace_back(step.target.first, std::int64_t{step.target.first} + step.chunks);
      }
    }
    std::ranges::sort(written);
    std::int64_t until = 0;
    for (const auto& [begin, end] : written) {
      if (begin <= until) until = std::max(until, end);
    }
    if (until < program.chunks_in(rank, ChunkBuffer::output)) return false;
  }
  return true;
}

/// Whether a copy would move something if input and output were one vector.
bool has_moving_copy(const ScheduleProgram& program) {
  ScheduleProgram in_place;  // without its steps
  in_place.collective = program.collective;
  in_place.chunks = program.chunks;
  in_place.root = program.root;
  in_place.modes = {.in_place = true, .out_of_place = false};
  in_place.ranks.resize(program.ranks.size());
  const RankMemory memory(in_place, true);
  for (std::int32_t rank = 0; rank < program.size(); ++rank) {
    for (const StartCopy& copy : program.ranks[static_cast<std::size_t>(rank)].copies) {
      if (memory.index(rank, ChunkBuffer::input, copy.input) != memory.index(rank, ChunkBuffer::output, copy.output))
        return true;
    }
  }
  return false;
}

}  // namespace

PlaceModes guess_modes(const ScheduleProgram& program) {
  const auto is_used = [&](ChunkBuffer buffer) {
    return std::ranges::any_of(program.ranks, [&](const RankSchedule& rank) {
      return !rank.copies.empty() || any_step(rank, [buffer](const Step& step) { return uses(step, buffer); });
    });
  };
  const bool is_two =
      (is_used(ChunkBuffer::input) && is_used(ChunkBuffer::output) && write_all_outputs(program)) || has_moving_copy(program);
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
