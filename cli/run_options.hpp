// SPDX-License-Identifier: Apache-2.0
// The flags of `heddle run`, as written.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/fabric_options.hpp"

namespace CLI {
class App;
}

namespace heddle {

struct RunOptions {
  std::string collective;
  FabricOptions fabric;

  std::string algorithms = "all";
  std::string size;
  std::optional<std::string> datatype;
  std::string op = "sum";
  std::string root = "0";
  std::string blocks = "even";
  std::optional<std::string> skew;
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
  std::optional<std::string> schedule_seed;
  std::optional<std::string> schedule;
  std::optional<std::string> explore;
  std::string clock = "virtual";
  std::optional<std::string> dilation;
  std::optional<std::string> deadline;

  std::string payload = "64MiB";
  std::string seed = "1";

  std::optional<std::string> json;
  std::string links = "16";
  bool explain = false;
  bool wide = false;

  std::optional<std::string> heatmap;
  std::optional<std::string> trace;

  std::optional<std::string> iterations;
  std::optional<std::string> warmup;
  std::string check = "1";
};

// Flags that every command of runs takes. Parsing fills `options`, which must outlive `command`.

/// COLLECTIVE, --algo, and what is called in which way.
void add_call_flags(CLI::App& command, RunOptions& options);
/// How ranks call: groups, background, buffering, threads.
void add_rank_flags(CLI::App& command, RunOptions& options);
void add_data_flags(CLI::App& command, RunOptions& options);
void add_nccl_tests_flags(CLI::App& command, RunOptions& options);

/// Adds the subcommand with its flags; parsing fills `options`, which must outlive `app`.
void add_run_command(CLI::App& app, RunOptions& options);

}  // namespace heddle
