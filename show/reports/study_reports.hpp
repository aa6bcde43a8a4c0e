// SPDX-License-Identifier: Apache-2.0
// What studies came to, for people and for scripts (show/document/document.hpp).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "heddle/registry.hpp"
#include "lab/results/comparison.hpp"
#include "lab/results/fabric_fit.hpp"
#include "lab/studies/credits_study.hpp"
#include "lab/studies/traffic.hpp"
#include "show/document/document.hpp"

namespace heddle {

// What searches for the least credits came to.

/// A row for each search; with `explain`, below it the deadlock just below the safe count. JSON: `context` (as heddle run's, with the
/// topology and the ranks as asked for), `runs` (each with what was found, or with `error`), `left_out`. Nothing of the host.
Document credits_report(const CreditsStudy& study, bool explain);

// Studies of traffic between groups.

/// A row for each algorithm at each number of ranks, with a box plot of how much less than the first it sends. JSON: `context`
/// (collective, what is counted over), `studies` (by number of ranks). What is less is a part of the baseline's, and null where no
/// placement tells.
Document traffic_report(const TrafficPlan& plan, std::span<const TrafficStudy> studies);

// A fabric's speeds that were found from measured runs, as a report and as a preset.

/// The parameters, a row for each run, and how well runs are predicted that were not fitted. `topology` is as asked for. JSON:
/// `parameters` (null: not determined) with their `standard_errors` as parts of them, `runs`, and of the runs `fitted` and
/// `predicted` how far off emulated times are, as parts of the measured. Nothing of the host.
/// `left_out`: lines on what of the files does not count.
Document fit_report(const FabricFit& fit, const std::string& topology, const std::vector<std::string>& left_out = {});

/// A preset's file (topo/presets/preset_file.hpp), whose summary says where it comes from.
std::string preset_of_fit(const FabricFit& fit, const std::string& topology);

/// Two files of results compared: what they have in common and what not, a row for each cell that is not as it was, and how many are.
/// Lines of the head are at most 100 columns long. JSON: `context` (tolerance, both files, what all cells have in common and what is
/// not the same), how many cells are `matched` and `unchanged`, how many there are of each change, `is_worse`, and `differences`: cells
/// by their names, `old_s` and `new_s` (null: not measured), `slowdown` (a part of the old time, or null) and `failure` (a kind of
/// check, or null).
Document comparison_report(const ResultFile& before, const ResultFile& now, const Comparison& comparison, double tolerance);

}  // namespace heddle
