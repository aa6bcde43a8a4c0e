// SPDX-License-Identifier: Apache-2.0
// Steps of two threads of a rank that use the same chunk, one of them writing, and that nothing makes wait for one another: what comes
// of them depends on who is faster. And steps that read and write chunks that lie in part on one another, whose elements a thread block
// takes in no order.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>

#include "schedules/analysis/execution.hpp"
#include "schedules/program/schedule_program.hpp"

namespace heddle {

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
