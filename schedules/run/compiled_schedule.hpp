// SPDX-License-Identifier: Apache-2.0
// A schedule with all that follows from it before any run: worked out once, and used by all ranks of all runs.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "heddle/collective.hpp"
#include "schedules/program/analysis.hpp"
#include "schedules/program/schedule_program.hpp"

namespace heddle {

/// How the strands of one rank wait for each other: a step that another waits for raises a signal, a message to its own rank.
struct Signals {
  struct Raised {
    std::int32_t step;
    std::int32_t signal;
  };
  /// By strand and step: the signal that it waits for; -1: none.
  std::vector<std::vector<std::int32_t>> awaited;
  /// By strand: in the order of its steps.
  std::vector<std::vector<Raised>> raised;
};

/// Immutable; any thread may use it.
class CompiledSchedule {
 public:
  /// Throws InputError as require_valid does.
  explicit CompiledSchedule(ScheduleProgram program);
  CompiledSchedule(const CompiledSchedule&) = delete;
  CompiledSchedule& operator=(const CompiledSchedule&) = delete;

  const ScheduleProgram& program() const { return program_; }
  const ChunkSizes& sizes() const { return sizes_; }
  const Signals& signals(int rank) const { return signals_[static_cast<std::size_t>(rank)]; }
  /// Two steps whose order is chance (find_races) in a call that is in place, or not; empty: none are known.
  const std::string& race(bool in_place) const { return races(in_place).text; }
  /// Whether a receive may not write to its target before its message has come (Races::early).
  bool is_early(StepPlace place, bool in_place) const {
    return !races(in_place).is_known || races(in_place).early.contains({place.rank, place.strand, place.step});
  }

  /// With so many slots for each channel, and with more, it comes to its end (as far as waiting goes); 0: where a send waits for its receive,
  /// too. No value: with none.
  std::optional<int> least_slots() const { return least_slots_; }

  /// Why a call of it fails that is in place, or not: a cycle of waiting strands with so many credits, or what is wrong with its sums
  /// and its result. Lines; empty: it is right, as far as can be seen, or it has a race, which the failure has said: what else comes
  /// about is chance.
  std::string explain(std::optional<int> credits, bool in_place) const;

  /// Whether race() and explain() know all of it: else it is too large, and what they do not find may be there.
  bool is_looked_through(bool in_place) const {
    return races(in_place).is_known && is_content_known(program_, execution_, in_place);
  }

 private:
  const Races& races(bool in_place) const { return in_place ? races_in_place_ : races_out_of_place_; }

  ScheduleProgram program_;
  Connections connections_;
  Execution execution_;
  ChunkSizes sizes_;
  std::vector<Signals> signals_;
  Races races_in_place_;
  Races races_out_of_place_;
  std::optional<int> least_slots_;
};

// Where the chunks of a schedule lie in the vector of one call, and how long they are.

class ChunkGeometry {
 public:
  /// `blocks`: of a collective that has blocks, how `count` elements are cut. `root` may differ from the program's: then rank
  /// program.root + i of the schedule is rank root + i of the call. All outlive it.
  ChunkGeometry(const ScheduleProgram& program, std::int64_t count, const BlockPartition& blocks, int root);

  /// Which rank of the schedule a rank of the call is, and back.
  int scheduled_rank(int rank) const { return turned(rank, -turn_); }
  int called_rank(int scheduled) const { return turned(scheduled, turn_); }

  /// Elements of the chunk `index` of the whole vector.
  std::int64_t size(std::int32_t index) const { return part_of(index).size(index % per_block_); }
  /// Where it begins there.
  std::int64_t offset(std::int32_t index) const { return block_offset(index) + part_of(index).offset(index % per_block_); }
  /// Where the chunk begins in its block.
  std::int64_t offset_in_block(std::int32_t index) const { return part_of(index).offset(index % per_block_); }
  std::int64_t longest() const { return longest_; }
  /// Whether all chunks are equally long.
  bool are_equal() const;

 private:
  int turned(int rank, int by) const { return (rank + by + ranks_) % ranks_; }
  int block_of(std::int32_t index) const { return called_rank(index / per_block_); }
  BlockPartition part_of(std::int32_t index) const {
    return has_blocks_ ? BlockPartition(blocks_.size(block_of(index)), per_block_) : whole_;
  }
  std::int64_t block_offset(std::int32_t index) const { return has_blocks_ ? blocks_.offset(block_of(index)) : 0; }

  int ranks_;
  int turn_;
  bool has_blocks_;
  std::int32_t per_block_;  ///< chunks
  BlockPartition whole_;
  BlockPartition blocks_;
  std::int64_t longest_;
};

}  // namespace heddle
