// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/sweep/sweep_document.hpp"
#include "show/document/output_file.hpp"
#include "show/drawing/sweep_plot.hpp"

namespace heddle {

/// Where a sweep's results go: the table, unless standard output is taken, and the files that were asked for.
class SweepOutputs {
 public:
  /// Refuses with InputError what cannot be written, before anything has run. "-" is standard output.
  /// Once `is_interrupted` says so, nobody waits for the reader of a pipe.
  SweepOutputs(const std::optional<std::string>& csv, const std::optional<std::string>& json,
               const std::optional<std::string>& html, std::function<bool()> is_interrupted = nullptr);

  /// Pictures of the results as well.
  void add_plots(std::optional<pictures::PlotFiles> plots) { plots_ = std::move(plots); }

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
