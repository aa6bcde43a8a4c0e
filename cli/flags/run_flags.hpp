// SPDX-License-Identifier: Apache-2.0
// The flags of `heddle run`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/flags/fabric_flags.hpp"
#include "show/outputs.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace heddle {

class FlagGroup;

/// As written.
struct RunOptions {
  std::string collective;
  FabricOptions fabric;

  std::string algorithms = "all";
  std::optional<std::string> tune;
  std::optional<std::string> tune_budget;
  std::vector<std::string> plugins;
  std::string size;
  std::optional<std::string> datatype;
  std::string values = "usual";
  std::string op = "sum";
  std::string root = "0";
  std::string blocks = "even";
  std::optional<std::string> skew;
  std::optional<std::string> counts;
  bool in_place = false;
  bool out_of_place = false;

  std::optional<std::string> ranks;
  std::string placement = "linear";
  std::optional<std::string> groups;
  std::string alone = "64";
  std::vector<std::string> background;
  std::vector<std::string> faults;
  std::string buffering = "eager";
  std::string model = "fluid";
  std::optional<std::string> threads;
  std::optional<std::string> stack;
  std::optional<std::string> order_seed;
  std::optional<std::string> order;
  std::optional<std::string> explore;
  std::string clock = "virtual";
  std::optional<std::string> dilation;
  std::optional<std::string> deadline;
  std::optional<std::string> over;
  std::optional<std::string> beside;

  std::string payload = {};  ///< empty: not given
  std::string calls = "2";
  bool positions = false;
  std::string seed = "1";

  RunOutputPaths outputs;
  std::string links = "16";
  bool explain = false;
  bool wide = false;

  std::optional<std::string> iterations;
  std::optional<std::string> warmup;
  std::string check = "1";

  const CLI::App* command = nullptr;  ///< that was parsed; knows which flags were given. nullptr: none was
};

// Flags that every command of runs takes. Parsing fills `options`, which must outlive `command`.

/// --plugin, as every command has it that takes algorithms. Parsing fills `paths`, which must outlive `command`.
CLI::Option* add_plugin_flag(const FlagGroup& group, std::vector<std::string>& paths);

/// COLLECTIVE, --algo, and what is called in which way.
void add_call_flags(CLI::App& command, RunOptions& options);
/// --placement, for a command that leaves to the help of `heddle run` what there is.
void add_placement_flag(CLI::App& command, RunOptions& options);
/// --tune and --tune-budget.
void add_tune_flags(CLI::App& command, RunOptions& options);
/// How ranks call: groups, background, buffering, threads.
void add_rank_flags(CLI::App& command, RunOptions& options);
void add_data_flags(CLI::App& command, RunOptions& options);
void add_nccl_tests_flags(CLI::App& command, RunOptions& options);

/// Adds the subcommand with its flags; parsing fills `options`, which must outlive `app`.
CLI::App* add_run_command(CLI::App& app, RunOptions& options);

}  // namespace heddle
