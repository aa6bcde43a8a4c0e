// SPDX-License-Identifier: Apache-2.0
// The flags of `heddle sweep`, as written.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/pictures/plot_options.hpp"
#include "cli/run_options.hpp"
#include "cli/sweep/number_range.hpp"

namespace CLI {
class App;
}

namespace heddle {

struct SweepOptions {
  RunOptions run;  ///< what all runs have in common

  // Each of these may have several values, and every combination is a point of the sweep.
  std::vector<std::string> topologies;
  std::vector<std::string> presets;
  std::vector<std::string> bandwidths;
  std::vector<std::string> latencies;
  std::vector<std::string> placements;
  std::optional<std::string> ranks;
  std::optional<std::string> sizes;
  NcclSizes nccl_sizes;

  std::optional<std::string> csv;
  std::optional<std::string> json;
  pictures::PlotOptions plot;
  std::optional<std::string> resume;
  std::optional<std::string> shard;
  std::optional<std::string> jobs;
  std::optional<std::string> memory;

  const CLI::App* command = nullptr;  ///< that was parsed; tells which flags were given
  std::vector<std::string> words;     ///< of the whole command line after `heddle`
};

/// Adds the subcommand with its flags; parsing fills `options`, which must outlive `app`.
void add_sweep_command(CLI::App& app, SweepOptions& options);

/// Parses a command line that was written down, {"sweep", "allreduce", …}. `app` is a fresh one, which outlives the use of
/// `options`. Throws InputError.
void parse_sweep_words(CLI::App& app, const std::vector<std::string>& words, SweepOptions& options);

/// "torus:8x8,star:512,alu,multicast" is two topologies: a comma parts them where a word and a colon follow, as every family
/// but no option of one is written.
std::vector<std::string> split_topologies(std::string_view text);

/// Every flag that has a say in the results with its value, given or by default, in the order of the help, as texts. Two sweeps
/// of the same version with the same parameters have the same results.
std::vector<std::pair<std::string, std::string>> parameters_of(const SweepOptions& options);

}  // namespace heddle
