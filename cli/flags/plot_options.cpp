// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/plot_options.hpp"

#include <CLI/App.hpp>
#include <string_view>

#include "cli/flags/flag_group.hpp"
#include "lab/grammar/flag_value.hpp"

namespace heddle::pictures {

void add_plot_flags(CLI::App& command, PlotOptions& options) {
  const FlagGroup group(command, "Pictures");
  group.add("--plot", options.plot, "PATH",
            "Draw each algorithm's line over the sizes, and where the best changes: to a file, out.svg, .png "
            "or .pdf (several fabrics: out-NAME.svg each); at one size over the ranks, or over the fabrics");
  group.add_with_default("--plot-y", options.y, "WHAT",
                         "What the plot shows: time, or goodput (bytes of the vector over time)");
}

std::optional<PlotFiles> open_plots(const PlotOptions& options, const std::vector<SweepResult>& runs) {
  const PlotY y = read_flag("--plot-y", options.y, parse_plot_y);
  if (!options.plot) return std::nullopt;
  return read_flag("--plot", *options.plot, [&](std::string_view path) { return PlotFiles(std::string(path), y, runs); });
}

}  // namespace heddle::pictures
