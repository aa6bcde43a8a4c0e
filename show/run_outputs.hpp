// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lab/run/setup.hpp"
#include "show/document/reporter.hpp"

namespace heddle {

/// What is asked for besides the table, as the flags of `heddle run` name it. "-" is standard output, which takes the JSON report or a
/// heat map in letters; no value: nothing.
struct RunOutputPaths {
  std::optional<std::string> json = {};
  std::optional<std::string> heatmap = {};
  std::optional<std::string> heatmap_of = {};  ///< parse_heatmap_of (show/drawing/link_loads.hpp)
  std::optional<std::string> trace = {};
  std::optional<std::string> html = {};
};

/// Where a run's results go besides the table: a reporter for each file that is asked for.
class RunOutputs {
 public:
  /// Lays pictures out and opens all files, so that what cannot be drawn or written is refused before the run: throws InputError that names the
  /// flag. `command` repeats the run, for the page. `out` is standard output and outlives this. Once `is_interrupted` says so, nobody waits for
  /// the reader of a pipe.
  RunOutputs(const Setup& plan, const RunOutputPaths& paths, const std::string& command, std::ostream& out,
             std::function<bool()> is_interrupted = nullptr);

  /// In the order in which they are to be told: JSON, heat map, trace, page.
  const std::vector<std::unique_ptr<Reporter>>& reporters() const { return reporters_; }

 private:
  std::vector<std::unique_ptr<Reporter>> reporters_;
};

}  // namespace heddle
