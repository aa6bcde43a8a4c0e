// SPDX-License-Identifier: Apache-2.0
// `heddle export msccl|goal`: an algorithm's run as a schedule, in the formats that other runtimes and simulators read.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include "cli/flags/run_options.hpp"

namespace CLI {
class App;
}

namespace heddle {

/// The flags of one of them, as written.
struct ScheduleFlags {
  RunOptions run;
  std::optional<std::string> out;
};

struct ScheduleExports {
  ScheduleFlags msccl;
  ScheduleFlags goal;
};

/// Adds the commands with their flags to `heddle export`; parsing fills `options`, which must outlive it.
void add_schedule_exports(CLI::App& command, ScheduleExports& options);

/// If one of them was given: runs the algorithm, checked, and writes its schedule. Returns the exit status; no value if none was given.
/// Throws InputError before anything is written.
std::optional<int> run_schedule_export(const CLI::App& command, const ScheduleExports& options, std::ostream& out);

}  // namespace heddle
