// SPDX-License-Identifier: Apache-2.0
// Why a run took as long as it did: `heddle run … --explain`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emu/record/report.hpp"
#include "emu/record/timeline.hpp"
#include "lab/run/setup.hpp"

namespace heddle {

// Where the time of a run went, in a few plain lines: `heddle run … --explain`.

/// What one round of the critical path's messages cost, from the end of the one before.
struct RoundCost {
  int round;
  Time time;
  Time contention;  ///< part of it
};

/// What an outermost phase (Communicator::phase) took.
struct PhaseCost {
  std::uint32_t phase;  ///< index into Timeline::phases; CriticalPath::kNoRecord: what is in none
  Time on_path;         ///< of the critical path: what its messages cost that were sent in the phase, as RoundCost has it
  Time contention;      ///< part of that
  Time mean;            ///< in a rank; of those that are in it at all
  Time most;
};

/// By cost, the most expensive first; of equal ones the earlier round.
std::vector<RoundCost> costs_by_round(const Report& report, const Timeline& timeline);

/// In the order in which they were first named, what is in none last, and left out where the critical path has nothing of it.
std::vector<PhaseCost> costs_by_phase(const Report& report, const Timeline& timeline);

/// Lines that end with a newline and begin with "# ". The timeline is that of the report's run.
std::string explanation(const Setup& setup, const Algorithm& algorithm, const Report& report, const Timeline& timeline);
/// The same of a timeline that has the messages of the critical path alone: without what they shared links with.
std::string explanation_of_path(const Setup& setup, const Algorithm& algorithm, const Report& report, const Timeline& timeline);

/// What the numbers of these lines are called, lines that begin with "# " as well.
std::string explanation_legend(const Setup& setup);

}  // namespace heddle
