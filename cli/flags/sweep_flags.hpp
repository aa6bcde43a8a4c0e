// SPDX-License-Identifier: Apache-2.0
// The flags of `heddle sweep`, as written.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/flags/plot_options.hpp"
#include "cli/flags/run_flags.hpp"
#include "lab/grammar/number_range.hpp"

namespace CLI {
class App;
}

namespace heddle {

struct SweepFlags {
  RunOptions run;  ///< what all runs have in common

  // Each of these may have several values, and every combination is a point of the sweep.
  std::vector<std::string> topologies;
  std::vector<std::string> presets;
  std::vector<std::string> bandwidths;
  std::vector<std::string> latencies;
  std::vector<std::string> routings;
  std::vector<std::string> placements;
  std::vector<std::string> faults;
  std::optional<std::string> ranks;
  std::optional<std::string> sizes;
  NcclSizes nccl_sizes;

  std::optional<std::string> base;
  std::optional<std::string> csv;
  std::optional<std::string> json;
  std::optional<std::string> html;
  pictures::PlotOptions plot;
  std::optional<std::string> resume;
  std::optional<std::string> jobs;
  std::optional<std::string> memory;
  std::optional<std::string> shard;
  std::optional<std::string> spread;
  bool wide = false;

  std::vector<std::string> words;  ///< of the whole command line after `heddle`
};

/// Adds the subcommand with its flags; parsing fills `options`, which must outlive `app`.
CLI::App* add_sweep_command(CLI::App& app, SweepFlags& options);

/// Parses a command line that was written down, {"sweep", "allreduce", …}. `app` is a fresh one, which outlives the use of
/// `options`. Throws InputError.
void parse_sweep_words(CLI::App& app, const std::vector<std::string>& words, SweepFlags& options);

/// Every flag that has a say in the results with its value, given or by default, in the order of the help, as texts.
std::vector<std::pair<std::string, std::string>> parameters_of(const SweepFlags& options);

/// The command line that makes the same results: the flags that were given, each as often as it was, but those that say where results go and
/// how the work is done.
std::string command_of(const SweepFlags& options);

}  // namespace heddle
