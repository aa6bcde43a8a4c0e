// SPDX-License-Identifier: Apache-2.0
// A sweep over sizes as a picture.
#pragma once

#include <string>

#include "lab/sweep/sweep_document.hpp"
#include "show/plot/plot_script.hpp"

namespace heddle {

/// What a plot of this run's fabric is called: what the sweep was of, and the fabric's speeds.
pictures::PlotTitle plot_title_of(const SweepDocument& document, const SweepResult& run);

/// A line for each algorithm over sizes, as an SVG drawn by gnuplot. Blocks while that runs. Throws InputError: no gnuplot,
/// several fabrics (each is a picture of its own: pictures::PlotFiles), nothing to draw.
std::string svg_text_of(const SweepDocument& document, pictures::PlotY y = pictures::PlotY::time);

}  // namespace heddle
