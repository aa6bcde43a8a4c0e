// SPDX-License-Identifier: Apache-2.0
// `heddle credits`: how little buffering algorithms need, and what less of it costs.
#pragma once

#include <iosfwd>

#include "cli/flags/run_options.hpp"

namespace CLI {
class App;
}

namespace heddle {

/// The flags, as written. `run` has those of every single run; its topology may have {p} for the number of ranks, and its ranks
/// are many.
struct CreditsOptions {
  RunOptions run;
  bool explain = false;
  bool wide = false;
};

/// Adds the subcommand with its flags; parsing fills `options`, which must outlive `app`.
void add_credits_command(CLI::App& app, CreditsOptions& options);

/// Returns the exit status. Throws InputError.
int credits_command(const CreditsOptions& options, std::ostream& out, std::ostream& err);

}  // namespace heddle
