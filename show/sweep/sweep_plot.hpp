// SPDX-License-Identifier: Apache-2.0
// A sweep as a picture.
#pragma once

#include <string>
#include <vector>

#include "lab/sweep/sweep_document.hpp"
#include "show/plot/plot_script.hpp"

namespace heddle {

/// What the plot of these runs is called: what the sweep was of, and what they have in common, the fabric's speeds say.
pictures::PlotTitle plot_title_of(const SweepDocument& document, const std::vector<SweepResult>& runs,
                                  const pictures::PlotAxes& axes);

/// A line for each algorithm over what varies (pictures::PlotAxes), as an SVG drawn by gnuplot. Blocks while that runs. Throws
/// InputError: no gnuplot, several plots (pictures::PlotFiles), nothing to draw.
std::string svg_text_of(const SweepDocument& document, pictures::PlotY y = pictures::PlotY::time);

}  // namespace heddle
