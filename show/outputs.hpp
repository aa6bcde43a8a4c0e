// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lab/run/setup.hpp"
#include "lab/sweep/sweep_document.hpp"
#include "show/document/output_file.hpp"
#include "show/document/reporter.hpp"
#include "show/document/run_output.hpp"
#include "show/drawing/heatmap.hpp"
#include "show/drawing/sweep_plot.hpp"

namespace heddle {

/// What is asked for besides the table, as the flags of `heddle run` name it (show/document/run_output.hpp).
class RunOutputTexts {
 public:
  RunOutputTexts();

  std::optional<std::string> json = {};  ///< "-": standard output; no value: nothing

  /// What a flag of the table of outputs, or of an option of one, has; no value: it is not given. The place stays.
  std::optional<std::string>& operator[](const std::string& flag) { return texts_.at(flag); }
  const std::optional<std::string>& operator[](const std::string& flag) const { return texts_.at(flag); }

  /// The rows of those that are asked for.
  std::vector<const RunOutput*> outputs() const;
  std::string option_of(const RunOutput& output) const;
  /// What they need of the run.
  bool need_timeline() const;
  bool need_sample() const;
  /// Throws InputError for an option whose output is not asked for.
  void require_options() const;

 private:
  std::map<std::string, std::optional<std::string>> texts_;
};

/// Where a run's results go besides the table: a reporter for each file that is asked for, in the order in which they are to be told.
/// Lays pictures out and opens all files, so that what cannot be drawn or written is refused before the run: throws InputError that
/// names the flag. `command` repeats the run, for the page. `out` is standard output and outlives them. Once `is_interrupted` says so,
/// nobody waits for the reader of a pipe.
std::vector<std::unique_ptr<Reporter>> run_outputs(const Setup& setup, const RunOutputTexts& asked, const std::string& command,
                                                   std::ostream& out, const std::function<bool()>& is_interrupted = nullptr);

// The same as texts. Outcomes are all of a setup's that were made, in the order of Setup::planned.

/// The table, of lines of at most so many letters (TableReporter).
std::string table_text_of(const Setup& setup, std::span<const Outcome> outcomes, std::size_t columns);
/// The document of --json.
std::string json_text_of(const Setup& setup, std::span<const Outcome> outcomes);
/// The page of --html. `command` repeats the run.
std::string page_text_of(const Setup& setup, std::span<const Outcome> outcomes, const std::string& command);
/// A heat map for each outcome, as SVG, all on one scale; empty: of one that is not right. Throws InputError: a fabric that has no drawing, or
/// loads that the runs did not measure.
std::vector<std::string> heatmaps_of(const Setup& setup, std::span<const Outcome> outcomes, pictures::HeatmapOf of);
/// The trace of --trace. Throws InputError: the run is not right, or kept no timeline.
std::string trace_text_of(const Outcome& outcome);

/// Where a sweep's results go: the table, unless standard output is taken, and the files that were asked for.
class SweepOutputs {
 public:
  /// Refuses with InputError what cannot be written, before anything has run. "-" is standard output.
  /// Once `is_interrupted` says so, nobody waits for the reader of a pipe.
  SweepOutputs(const std::optional<std::string>& csv, const std::optional<std::string>& json,
               const std::optional<std::string>& html, std::function<bool()> is_interrupted = nullptr);

  /// Pictures of the results as well.
  void add_plots(std::optional<pictures::PlotFiles> plots) { plots_ = std::move(plots); }

  bool is_standard_output_taken() const { return is_standard_output_taken_; }

  /// What --json, --csv, --html and --plot name.
  std::vector<NamedOutput> names() const;
  /// The first output that is a file of its own and not a device or a pipe, for a journal to lie beside; empty: none.
  std::string first_file() const;

  /// Each whole at every moment, whatever becomes of the others. Returns what could not be written, one line each; nothing else
  /// is lost.
  /// `columns`: of the terminal that `out` is.
  std::vector<std::string> write(const SweepDocument& document, std::ostream& out,
                                 std::optional<std::size_t> columns = std::nullopt) const;

 private:
  struct Output {
    std::string flag;
    std::string path;
    std::optional<OutputFile> file;  ///< none: standard output
    std::string (*text_of)(const SweepDocument&);
  };
  void add(const std::string& flag, const std::optional<std::string>& path, std::string (*text_of)(const SweepDocument&));

  std::function<bool()> is_interrupted_;
  std::vector<Output> outputs_;
  std::optional<pictures::PlotFiles> plots_;
  bool is_standard_output_taken_ = false;
};

}  // namespace heddle
