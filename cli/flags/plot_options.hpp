// SPDX-License-Identifier: Apache-2.0
// The flags of plots, for the commands that have results of sweeps.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/sweep/sweep_result.hpp"
#include "show/drawing/sweep_plot.hpp"

namespace CLI {
class App;
}

namespace heddle::pictures {

struct PlotOptions {
  std::optional<std::string> plot;
  std::string y = "time";
};

/// Parsing fills `options`, which must outlive `command`.
void add_plot_flags(CLI::App& command, PlotOptions& options);

/// The files for all plots of these runs, done or not; none if there is no --plot. Throws InputError that names the flag.
std::optional<PlotFiles> open_plots(const PlotOptions& options, const std::vector<SweepResult>& runs);

}  // namespace heddle::pictures
