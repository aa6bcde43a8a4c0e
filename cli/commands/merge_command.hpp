// SPDX-License-Identifier: Apache-2.0
// `heddle merge`: the whole of a sweep from its shards.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "cli/flags/plot_options.hpp"

namespace CLI {
class App;
}

namespace heddle {

struct MergeOptions {
  std::vector<std::string> files;
  std::optional<std::string> csv;
  std::optional<std::string> json;
  std::optional<std::string> html;
  pictures::PlotOptions plot;
};

/// Adds the subcommand with its flags; parsing fills `options`, which must outlive `app`.
void add_merge_command(CLI::App& app, MergeOptions& options);

/// Prints the table and writes the files of the whole sweep, the same bytes as if it had run on one machine. Returns the exit
/// status. Throws InputError where files do not belong together or something is missing, before anything is written.
int merge_command(const MergeOptions& options, std::ostream& out, std::ostream& err);

}  // namespace heddle
