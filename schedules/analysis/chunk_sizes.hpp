// SPDX-License-Identifier: Apache-2.0
// How long chunks are where a count is no multiple of them: some have an element more. Where a chunk lies in the input or the output
// its place says it; in scratch, and in a message, it is as long as what was put there, which follows from the schedule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "schedules/analysis/execution.hpp"
#include "schedules/program/schedule_program.hpp"

namespace heddle {

/// The chunk of the whole vector whose place chunk `index` of a rank's input or output is; of an alltoall, whose blocks are equal, the
/// place within its block.
std::int32_t chunk_at(const ScheduleProgram& program, int rank, ChunkBuffer buffer, std::int32_t index);

class ChunkSizes {
 public:
  /// Steps that do not happen in `execution`, because it is stuck, use chunks as long as any.
  ChunkSizes(const ScheduleProgram& program, const Connections& connections, const Execution& execution);

  /// Of a step whose source, or target, lies in scratch: each of its chunks is as long as this chunk of the whole vector. Empty for
  /// what lies elsewhere.
  std::span<const std::int32_t> source_of(StepPlace place) const { return at(place, sources_); }
  std::span<const std::int32_t> target_of(StepPlace place) const { return at(place, targets_); }

  /// A step that puts a chunk where another belongs, or reduces the two, as "ring.xml:17: gpu 0, tb 1, step 3 puts chunk 3 where
  /// chunk 4 belongs"; empty: there is none. Such a schedule serves chunks of equal length alone.
  const std::string& mixed() const { return mixed_; }
  /// Whether a step reads scratch that no step has put anything into.
  bool reads_nothing() const { return reads_nothing_; }

 private:
  static constexpr std::int64_t kNone = -1;

  struct Part {
    std::int64_t begin = kNone;  ///< in chunks_
    std::int32_t size = 0;
  };

  void fill_up(const ScheduleProgram& program);
  std::span<const std::int32_t> at(StepPlace place, const std::vector<Part>& parts) const {
    const Part& part = parts[number_of(place)];
    if (part.begin == kNone) return {};
    return std::span(chunks_).subspan(static_cast<std::size_t>(part.begin), static_cast<std::size_t>(part.size));
  }
  std::size_t number_of(StepPlace place) const {
    return first_step_[static_cast<std::size_t>(place.rank)][static_cast<std::size_t>(place.strand)] +
           static_cast<std::size_t>(place.step);
  }

  std::vector<std::vector<std::size_t>> first_step_;  ///< by rank and strand: steps are numbered through all
  std::vector<Part> sources_;
  std::vector<Part> targets_;
  std::vector<std::int32_t> chunks_;
  std::string mixed_;
  bool reads_nothing_ = false;
};

}  // namespace heddle
