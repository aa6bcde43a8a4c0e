// SPDX-License-Identifier: Apache-2.0
#include "cli/command_texts/help_command.hpp"

#include <CLI/App.hpp>
#include <string_view>
#include <vector>

#include "cli/process/exit_status.hpp"
#include "core/errors.hpp"
#include "core/nearest_name.hpp"

namespace heddle {

void add_help_command(CLI::App& app, HelpOptions& options) {
  CLI::App* command = app.add_subcommand("help", "Show an overview, or what --help says of a command");
  command->add_option("COMMAND", options.command, "Which one (none: the overview)")->type_name("");
}

int help_command(const CLI::App& app, const HelpOptions& options, std::ostream& out) {
  if (!options.command) {
    // App::help() would show the help of `help`, the command that was given.
    out << app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal);
    return kExitOk;
  }
  std::vector<std::string_view> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    if (command->get_name() == *options.command) {
      out << command->help(app.get_name());
      return kExitOk;
    }
    names.push_back(command->get_name());
  }
  throw InputError(unknown_name_message("command", *options.command, names));
}

}  // namespace heddle
