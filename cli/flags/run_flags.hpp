// SPDX-License-Identifier: Apache-2.0
// The flags of `heddle run`.
#pragma once

#include "cli/flags/run_options.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace heddle {

// Flags that every command of runs takes. Parsing fills `options`, which must outlive `command`.

/// --plugin, as every command has it that takes algorithms. Parsing fills `paths`, which must outlive `command`.
CLI::Option* add_plugin_flag(CLI::App& command, std::vector<std::string>& paths);

/// COLLECTIVE, --algo, and what is called in which way.
void add_call_flags(CLI::App& command, RunOptions& options);
/// --tune and --tune-budget.
void add_tune_flags(CLI::App& command, RunOptions& options);
/// How ranks call: groups, background, buffering, threads.
void add_rank_flags(CLI::App& command, RunOptions& options);
void add_data_flags(CLI::App& command, RunOptions& options);
void add_nccl_tests_flags(CLI::App& command, RunOptions& options);

/// Adds the subcommand with its flags; parsing fills `options`, which must outlive `app`.
void add_run_command(CLI::App& app, RunOptions& options);

}  // namespace heddle
