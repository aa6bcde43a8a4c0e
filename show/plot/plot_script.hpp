// SPDX-License-Identifier: Apache-2.0
// A sweep as a script for gnuplot: a line for each algorithm, log axes, over sizes the points where the best one changes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lab/sweep/sweep_result.hpp"
#include "show/plot/plot_axes.hpp"

namespace heddle::pictures {

enum class PlotY : std::uint8_t {
  time,     ///< of the last rank
  goodput,  ///< bytes of the vector over time (algbw)
};

/// "time" or "goodput". Throws InputError.
PlotY parse_plot_y(std::string_view text);

/// By the suffix of the file's name: svg, png, pdf.
enum class PlotFormat : std::uint8_t { svg, png, pdf };

/// Throws InputError that names those that there are.
PlotFormat plot_format_of(std::string_view path);

/// What stands above a plot.
struct PlotTitle {
  std::string headline;  ///< "allreduce on torus:8x8"
  std::string details = {};
};

/// Whether any of these results has a place on the axes: it was measured, and neither x nor y is 0.
bool has_points(const std::vector<SweepResult>& results, PlotX x, PlotY y);

/// `results` are one plot's (PlotAxes), as a sweep lists them. What failed a check is not drawn. Algorithms that took the same
/// time everywhere have one line with all their names. The plot's area is the same in every picture, whatever stands around it.
/// Throws InputError if nothing is left to draw. The picture goes to standard output.
std::string plot_script(const std::vector<SweepResult>& results, const PlotTitle& title, PlotY y, PlotFormat format,
                        PlotX x = PlotX::size);

}  // namespace heddle::pictures
