// SPDX-License-Identifier: Apache-2.0
// A schedule gone through without data and without time: which steps can happen, one after the other. Strands wait for messages, for
// room on a connection and for each other, and nothing else, so whatever order they take turns in, the same steps happen.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "schedules/program/schedule_program.hpp"

namespace heddle {

struct Execution {
  /// Each step after all that it waits for: a receive after its send, a step after the one that it depends on.
  std::vector<StepPlace> order;
  /// Why it does not come to its end: each step that waits, for what, and round which cycle; empty: it does.
  std::string stuck;
};

/// A step that receives and sends at once takes what comes when there is room for what goes, and frees the room of the one with the
/// other, as NCCL's primitives do. `credits`: so many messages of a connection may be under way before its sender waits; 0: a send waits for its receive; no value:
/// as many as there are. `program` is valid (require_valid).
Execution execute(const ScheduleProgram& program, const Connections& connections, std::optional<int> credits);

// How long chunks are where a count is no multiple of them: some have an element more. Where a chunk lies in the input or the output
// its place says it; in scratch, and in a message, it is as long as what was put there, which follows from the schedule.

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

// One number for each chunk of memory that a rank has in a call: where input and output are one vector, i[0] and o[0] are one chunk.

class RankMemory {
 public:
  RankMemory(const ScheduleProgram& program, bool in_place) : program_(program), in_place_(in_place) {}

  /// Of a rank: more than any index() gives.
  std::int32_t size(int rank) const {
    return 2 * program_.chunks + program_.ranks[static_cast<std::size_t>(rank)].scratch_chunks;
  }
  std::int32_t index(int rank, ChunkBuffer buffer, std::int32_t chunk) const {
    if (buffer == ChunkBuffer::scratch) return 2 * program_.chunks + chunk;
    if (!program_.is_one_vector(rank, in_place_)) return buffer == ChunkBuffer::input ? chunk : program_.chunks + chunk;
    const bool is_own_block = program_.chunks_of_block() != program_.chunks && program_.collective != Collective::alltoall &&
                              (buffer == ChunkBuffer::input) == has_own_input(program_.collective);
    return is_own_block ? rank * program_.chunks_of_block() + chunk : chunk;
  }

 private:
  /// Whether it is the input that is a rank's own block, and not the output.
  static bool has_own_input(Collective collective) {
    return collective == Collective::allgather || collective == Collective::gather;
  }

  const ScheduleProgram& program_;
  bool in_place_;
};

// What each chunk of a schedule's ranks holds: whose contributions. Says why the result of a schedule is wrong, step by step, where a
// run can only say that it is.

/// Lines: the first step that reduces what does not belong together (another chunk, a contribution that is there already, scratch that
/// nothing was put into), the first chunk of a result that is not what the collective asks for, with the step that wrote it last, and the first step that changes
/// an input that is not also the output.
/// Of a call that is in place, or not. Empty: the schedule does what its collective asks for, as far as it got in `execution`, or it is
/// too large to be looked through.
std::string explain_contents(const ScheduleProgram& program, const Connections& connections, const Execution& execution,
                             bool in_place);

/// Whether it is small enough for that.
bool is_content_known(const ScheduleProgram& program, const Execution& execution, bool in_place);

// Steps of two threads of a rank that use the same chunk, one of them writing, and that nothing makes wait for one another: what comes
// of them depends on who is faster. And steps that read and write chunks that lie in part on one another, whose elements a thread block
// takes in no order.

struct Races {
  /// The first such pair, as "gpu 1: tb 2, step 3 reads s[4], which tb 1, step 0 writes, …"; empty: there is none, or the schedule is too
  /// large to be looked through.
  std::string text = {};
  /// Receives into what other threads may still use when their own comes there, or into the caller's input. Nothing may open that memory
  /// before the message is there: on a machine nothing does.
  std::set<std::array<std::int32_t, 3>> early = {};  ///< rank, strand, step
  bool is_known = true;                              ///< false: it is too large (steps times threads beyond 2^27)
};

/// In a call that is in place, or not. What waits: a step for the ones before it and for the one that it names, a receive for its send
/// (vector clocks, Fidge 1988, Mattern 1989).
Races find_races(const ScheduleProgram& program, const Connections& connections, const Execution& execution, bool in_place);

}  // namespace heddle
