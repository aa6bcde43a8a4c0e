// SPDX-License-Identifier: Apache-2.0
// `heddle launch`: the processes of a run over TCP.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace heddle {

struct LaunchOptions {
  std::optional<int> ranks;
  std::optional<std::string> hosts;
  std::optional<std::string> bind;
  std::vector<std::string> program;
};

/// Adds the subcommand with its flags; parsing fills `options`, which must outlive `app`.
void add_launch_command(CLI::App& app, LaunchOptions& options);

/// Runs the program once for each rank and waits. Returns the exit status of the first that failed. Throws InputError before anything is
/// started.
int launch_command(const LaunchOptions& options, std::ostream& err);

}  // namespace heddle
