// SPDX-License-Identifier: Apache-2.0
// `heddle help [COMMAND]`: what --help prints.
#pragma once

#include <optional>
#include <ostream>
#include <string>

namespace CLI {
class App;
}

namespace heddle {

struct HelpOptions {
  std::optional<std::string> command;
};

void add_help_command(CLI::App& app, HelpOptions& options);

/// Returns the exit status. Throws InputError if there is no such command.
int help_command(const CLI::App& app, const HelpOptions& options, std::ostream& out);

}  // namespace heddle
