// SPDX-License-Identifier: Apache-2.0
// Commands that have commands of their own: `heddle export openmpi`.
#pragma once

#include <string>
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

}  // namespace heddle
