// SPDX-License-Identifier: Apache-2.0
// An algorithm's run as a schedule: what its ranks did, as data (schedules/).
#pragma once

#include <cstdint>

#include "lab/describe/experiment.hpp"
#include "schedules/program/schedule_program.hpp"

namespace heddle {

struct RecordedSchedule {
  ScheduleProgram program;
  std::int64_t count = 0;  ///< elements of the whole vector in the run
  std::int64_t element_size = 0;
};

/// Runs the experiment's algorithm, which must be one, and returns what its first call did; of a schedule from a file, that schedule, once it has run. Where no
/// size is given, the least at which each block has an element; a given one is rounded down to a multiple of that, and up to it. Blocks
/// that one runs. Throws InputError as run() does, for groups and for switches that compute; CheckError where the run fails.
RecordedSchedule record_schedule(const Experiment& experiment);

}  // namespace heddle
