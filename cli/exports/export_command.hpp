// SPDX-License-Identifier: Apache-2.0
// `heddle export FORMAT …`: what heddle knows, in files that other programs read. Each format is a command of its own below it.
#pragma once

#include <iosfwd>

#include "cli/exports/decision_exports.hpp"
#include "cli/exports/schedule_exports.hpp"

namespace CLI {
class App;
}

namespace heddle {

/// The flags of all formats.
struct ExportOptions {
  DecisionExports decisions;
  ScheduleExports schedules;
};

/// Adds the subcommand with its formats; parsing fills `options`, which must outlive `app`.
void add_export_command(CLI::App& app, ExportOptions& options);

/// Returns the exit status. Throws InputError.
int export_command(const CLI::App& app, const ExportOptions& options, std::ostream& out, std::ostream& err);

}  // namespace heddle
