// SPDX-License-Identifier: Apache-2.0
#include "cli/exports/export_command.hpp"

#include <CLI/App.hpp>
#include <optional>

#include "core/errors.hpp"

namespace heddle {

void add_export_command(CLI::App& app, ExportOptions& options) {
  CLI::App* command = app.add_subcommand(
      "export", "Files for other programs: decisions for Open MPI, MPICH and NCCL, schedules for MSCCL and GOAL");
  command->require_subcommand(0, 1);  // which one, export_command says better
  command->footer("More of each: heddle export openmpi --help");
  add_decision_exports(*command, options.decisions);
  add_schedule_exports(*command, options.schedules);
}

int export_command(const CLI::App& app, const ExportOptions& options, std::ostream& out, std::ostream& err) {
  const CLI::App& command = *app.get_subcommand("export");
  if (const std::optional<int> status = run_decision_export(command, options.decisions, out, err)) return *status;
  if (const std::optional<int> status = run_schedule_export(command, options.schedules, out)) return *status;
  throw InputError("what to export is missing; try: heddle export openmpi sweep.json");
}

}  // namespace heddle
