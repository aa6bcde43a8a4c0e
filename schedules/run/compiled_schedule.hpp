// SPDX-License-Identifier: Apache-2.0
// A schedule with all that follows from it before any run: worked out once, and used by all ranks of all runs.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "schedules/analysis/chunk_sizes.hpp"
#include "schedules/analysis/execution.hpp"
#include "schedules/analysis/races.hpp"
#include "schedules/program/connections.hpp"
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

}  // namespace heddle
