// SPDX-License-Identifier: Apache-2.0
// The flags of `heddle sweep`, as written, and those of plots.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/flags/experiment_flags.hpp"
#include "cli/flags/log_flags.hpp"
#include "lab/describe/value_lists.hpp"
#include "lab/sweep/sweep.hpp"
#include "lab/sweep/sweep_document.hpp"
#include "show/drawing/sweep_plot.hpp"

namespace CLI {
class App;
}

namespace heddle {

struct PlotFlags {
  std::optional<std::string> plot;
  std::string y = "time";

  /// Parsing fills this, which must outlive `command`.
  void add_to(CLI::App& command);
  /// The files for all plots of these runs, done or not; none if there is no --plot. Throws InputError that names the flag.
  std::optional<pictures::PlotFiles> open(const std::vector<SweepResult>& runs) const;
};

struct SweepFlags : AxisTexts {
  ExperimentFlags run = {};  ///< what all runs have in common
  TuneFlags tune = {};

  NcclSizes nccl_sizes;

  std::optional<std::string> base;
  std::vector<std::string> references;  ///< files of measured runs
  LogFlags log;
  std::optional<std::string> csv;
  std::optional<std::string> json;
  std::optional<std::string> html;
  PlotFlags plot;
  std::optional<std::string> resume;
  std::optional<std::string> jobs;
  std::optional<std::string> memory;
  std::optional<std::string> shard;
  std::optional<std::string> spread;
  bool wide = false;

  std::vector<std::string> words;  ///< of the whole command line after `heddle`
};

/// Parsing fills `options`, which must outlive `command`.
void add_sweep_flags(CLI::App& command, SweepFlags& options);

/// Parses a command line that was written down, {"sweep", "allreduce", …}. `app` is a fresh one, which outlives the use of
/// `options`. Throws InputError.
void parse_sweep_words(CLI::App& app, const std::vector<std::string>& words, SweepFlags& options);

/// Of --reference; no value: it is not given. Throws InputError that names the flag.
std::optional<MeasuredRuns> read_references(const SweepFlags& options);

/// The sweep that they say, where that was measured. Throws InputError that names the flag.
Sweep read_sweep(const SweepFlags& options, const std::optional<MeasuredRuns>& references);

}  // namespace heddle
