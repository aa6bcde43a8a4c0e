// SPDX-License-Identifier: Apache-2.0
// Steps of two threads of a rank that use the same chunk, one of them writing, and that nothing makes wait for one another: what comes
// of them depends on who is faster.
#pragma once

#include <string>

#include "schedules/analysis/execution.hpp"
#include "schedules/program/schedule_program.hpp"

namespace heddle {

/// The first such pair, as "gpu 1: tb 2, step 3 reads s[4], which tb 1, step 0 writes, …"; empty: there is none, or the schedule is
/// too large to be looked through (steps times threads beyond 2^27). What waits: a step for the ones before it and for the one that it
/// names, a receive for its send (vector clocks, Fidge 1988, Mattern 1989).
std::string find_race(const ScheduleProgram& program, const Connections& connections, const Execution& execution);

}  // namespace heddle
