// SPDX-License-Identifier: Apache-2.0
// What each chunk of a schedule's ranks holds: whose contributions. Says why the result of a schedule is wrong, step by step, where a
// run can only say that it is.
#pragma once

#include <string>

#include "schedules/analysis/execution.hpp"
#include "schedules/program/schedule_program.hpp"

namespace heddle {

/// Lines: the first step that reduces what does not belong together (another chunk, a contribution that is there already, scratch that
/// nothing was put into), the first chunk of a result that is not what the collective asks for, with the step that wrote it last, and the first step that changes
/// an input that is not also the output.
/// Of a call that is in place, or not. Empty: the schedule does what its collective asks for, as far as it got in `execution`, or it is
/// too large to be looked through.
std::string explain_contents(const ScheduleProgram& program, const Connections& connections, const Execution& execution,
                             bool in_place);

}  // namespace heddle
