// SPDX-License-Identifier: Apache-2.0
// The schedules in tests/schedules/files, and what tests do with any schedule.
#pragma once

#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <tuple>

#include "emu/record/timeline.hpp"
#include "lab/describe/experiment.hpp"
#include "lab/run/run_algorithm.hpp"
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

/// By source, destination and bytes: messages of a run that kept its timeline.
using MessageCounts = std::map<std::tuple<int, int, std::int64_t>, int>;
inline MessageCounts messages_of(const Outcome& outcome) {
  MessageCounts counts;
  for (const MessageRecord& message : outcome.timeline->messages) ++counts[{message.source, message.dest, message.bytes}];
  return counts;
}

/// Written as MSCCL's XML, and read again.
inline ScheduleProgram through_a_file(const ScheduleProgram& program) {
  std::ostringstream out;
  write_msccl(program, out);
  return read_msccl(out.str(), program.name + ".xml");
}

}  // namespace heddle::testing
