// SPDX-License-Identifier: Apache-2.0
// Runs that were measured beside emulated ones, as a report and as a picture.
#pragma once

#include "lab/results/against_measured.hpp"
#include "show/document/document.hpp"
#include "show/drawing/chart.hpp"

namespace heddle {

/// A row for each measured run on each fabric: both times, and emulated over measured. JSON: `context` (the files' networks, the
/// emulated file), `runs`, `ratios` (least, median, most of all), and `alone`, how many measured runs have nothing beside them.
Document measured_report(const MeasuredRuns& measured, const ResultFile& emulated, const AgainstMeasured& against);

/// For each algorithm a measured and an emulated line over sizes, a panel for each collective, number of ranks and fabric. Throws
/// InputError for what has no sizes.
pictures::Chart measured_chart(const AgainstMeasured& against);

}  // namespace heddle
