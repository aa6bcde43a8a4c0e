// SPDX-License-Identifier: Apache-2.0
// `heddle export FORMAT …`: what heddle knows, in files that other programs read.
#include <CLI/App.hpp>
#include <algorithm>
#include <iterator>

#include "cli/commands/results/exports.hpp"
#include "cli/flags/flag_group.hpp"
#include "core/errors.hpp"

namespace heddle {

void add_out_flag(CLI::App& command, std::optional<std::string>& path) {
  FlagGroup(command, "Output").add("-O,--out", path, "PATH", "Write to this file; - : to standard output (the default)");
}

Command add_export_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "export", "Files for other programs: decisions for Open MPI, MPICH and NCCL, schedules for MSCCL and GOAL");
  command->require_subcommand(0, 1);  // which one, run says better
  command->footer("More of each: heddle export openmpi --help");
  std::vector<Command> formats = add_decision_exports(*command);
  std::ranges::move(add_schedule_exports(*command), std::back_inserter(formats));
  return {command, [formats](std::ostream& out, std::ostream& err) {
            for (const Command& format : formats)
              if (format.parser->parsed()) return format.run(out, err);
            throw InputError("what to export is missing; try: heddle export openmpi sweep.json");
          }};
}

}  // namespace heddle
