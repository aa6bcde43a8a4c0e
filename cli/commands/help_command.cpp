// SPDX-License-Identifier: Apache-2.0
// `heddle help [COMMAND]`: what --help prints.
#include <CLI/App.hpp>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands/commands.hpp"
#include "cli/flags/flag_group.hpp"
#include "cli/process/process.hpp"
#include "core/nearest_name.hpp"
#include "heddle/errors.hpp"

namespace heddle {

namespace {

int show_help(const CLI::App& app, const std::optional<std::string>& of, std::ostream& out) {
  if (!of) {
    // App::help() would show the help of `help`, the command that was given.
    out << app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal);
    return kExitOk;
  }
  std::vector<std::string_view> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    if (command->get_name() == *of) {
      out << command->help(app.get_name());
      return kExitOk;
    }
    names.push_back(command->get_name());
  }
  throw InputError(unknown_name_message("command", *of, names));
}

}  // namespace

Command add_help_command(CLI::App* command) {
  const auto of = std::make_shared<std::optional<std::string>>();
  FlagGroup(*command).add("COMMAND", *of, "", "Which one (none: the overview)");
  return {command, [command, of](std::ostream& out, std::ostream&) { return show_help(*command->get_parent(), *of, out); }};
}

}  // namespace heddle
