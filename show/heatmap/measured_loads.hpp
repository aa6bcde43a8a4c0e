// SPDX-License-Identifier: Apache-2.0
// The loads of a run's links, by any of the measures that heat maps show.
#pragma once

#include <vector>

#include "emu/record/timeline.hpp"
#include "lab/run/run_algorithm.hpp"
#include "lab/run/setup.hpp"
#include "show/heatmap/link_load.hpp"

namespace heddle::pictures {

/// Of a run with a report; utilisation over its own time. Contention is of runs that kept a timeline.
LinkLoads measured_loads(HeatmapOf of, const Setup& plan, const Outcome& outcome);

/// Seconds that messages lost on each link (docs/model.md, "What is counted"): what each message took longer to drain than it
/// takes alone is shared out over the links that held it up, by how long and how much. Together they are the contention of all
/// messages. The timeline is of a run of this setup.
std::vector<double> contention_of_links(const Timeline& timeline, const Setup& plan);

}  // namespace heddle::pictures
