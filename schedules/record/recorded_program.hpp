// SPDX-License-Identifier: Apache-2.0
// A recording as a schedule that does the same.
#pragma once

#include <string>

#include "core/collective.hpp"
#include "schedules/program/schedule_program.hpp"
#include "schedules/record/recording.hpp"

namespace heddle {

/// What was called.
struct RecordedCall {
  std::string name;
  Collective collective = Collective::allreduce;
  std::int64_t count = 0;  ///< elements of the whole vector, of equal blocks where it has blocks
  int root = 0;
  bool in_place = true;
};

/// The same messages, each on a thread for its pair and channel; each step waits for what the rank had waited for. What is received and
/// reduced at once is one step (rrc). A message of several pieces is packed into scratch before, and taken apart after. Throws
/// InputError where the call's blocks are no whole number of elements.
ScheduleProgram recorded_program(const Recording& recording, const RecordedCall& call);

}  // namespace heddle
