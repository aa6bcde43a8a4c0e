// SPDX-License-Identifier: Apache-2.0
// `heddle fit`: the speeds of a fabric from runs that were measured over a real network.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace heddle {

/// The flags, as written.
struct FitOptions {
  std::vector<std::string> files;
  std::string topology;
  std::string algorithms;
  std::string times = "median";
  std::vector<std::string> plugins;
  std::optional<std::string> out;
  std::optional<std::string> json;
};

/// Adds the subcommand with its flags; parsing fills `options`, which must outlive `app`.
void add_fit_command(CLI::App& app, FitOptions& options);

/// Returns the exit status. Throws InputError before anything is written.
int fit_command(const FitOptions& options, std::ostream& out);

}  // namespace heddle
