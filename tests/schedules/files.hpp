// SPDX-License-Identifier: Apache-2.0
// The schedules in tests/schedules/files.
#pragma once

#include <memory>
#include <string>

#include "lab/describe/experiment.hpp"
#include "schedules/files/msccl.hpp"
#include "schedules/run/compiled_schedule.hpp"

namespace heddle::testing {

inline std::string schedule_path(const std::string& name) {
  return std::string(HEDDLE_SOURCE_DIR "/tests/schedules/files/") + name + ".xml";
}

inline ScheduleProgram read_schedule(const std::string& name) { return read_msccl_file(schedule_path(name)); }

/// A run of one of the files by as many ranks as it is for, on a star.
inline Experiment experiment_on(const std::string& name) {
  const ScheduleProgram program = read_schedule(name);
  Experiment what;
  what.fabric.topology = "star:" + std::to_string(program.size());
  what.collective = program.collective;
  what.algorithm = "msccl:" + schedule_path(name);
  return what;
}

}  // namespace heddle::testing
