// SPDX-License-Identifier: Apache-2.0
// `heddle compare`: whether results are slower than before.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace heddle {

/// The flags, as written.
struct CompareOptions {
  std::vector<std::string> files;  ///< the old one, the new one
  std::string tolerance = "1%";
};

/// Adds the subcommand with its flags; parsing fills `options`, which must outlive `app`.
void add_compare_command(CLI::App& app, CompareOptions& options);

/// Returns the exit status: 1 where something is slower or fails. Throws InputError before anything is written.
int compare_command(const CompareOptions& options, std::ostream& out);

}  // namespace heddle
