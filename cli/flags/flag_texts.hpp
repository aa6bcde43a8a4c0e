// SPDX-License-Identifier: Apache-2.0
// Texts made from the commands and their flags: the man page, and the guide that heddle alone prints.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace heddle {

/// "export openmpi", without the program's name.
std::string full_name(const CLI::App& command);

/// The command that was given, of those below `app`; `app` itself if none was.
const CLI::App& given_command(const CLI::App& app);

/// What can be run, in order of help: of a command with commands of its own these.
std::vector<const CLI::App*> commands_to_run(const CLI::App& app);

/// A command to begin with, and what it shows.
struct FirstCommand {
  std::string_view line;
  std::string_view meaning;
};
std::span<const FirstCommand> first_commands();

/// What `heddle` alone prints: at most 20 lines of 80 columns.
std::string guide();

/// heddle(1) in roff's man macros, from the commands and flags of `app`.
std::string man_page(const CLI::App& app);

}  // namespace heddle
