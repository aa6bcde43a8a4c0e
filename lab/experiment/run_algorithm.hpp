// SPDX-License-Identifier: Apache-2.0
// One algorithm of a plan, run and checked.
#pragma once

#include <optional>
#include <string>

#include "emu/record/report.hpp"
#include "emu/settings/emulation_settings.hpp"
#include "lab/experiment/outcome.hpp"
#include "lab/experiment/setup.hpp"

namespace heddle {

/// Blocks until it is done. A check that fails is an outcome; throws InputError for a call that cannot be made. Plans may be
/// run side by side on several threads.
Outcome run_algorithm(const Setup& plan, const Algorithm& algorithm);

/// What the algorithm itself knows about a call of it that has failed (Algorithm::explain), as it goes below an explanation; empty:
/// nothing.
std::string known_of(const Algorithm& algorithm, std::optional<int> credits, bool in_place);

/// Where each element of the first group's call goes, by all elements and without data (emu/check/checked_run.hpp). Throws
/// CheckError.
PositionsCheck check_positions(const Setup& plan, const Algorithm& algorithm, const PositionsBound& bound = {});

/// The failure with what the algorithm itself knows about it (Algorithm::explain) below its explanation.
Failure explained(const Setup& plan, const Algorithm& algorithm, Failure failure);

/// What it says of the plan's calls beside their results (Algorithm::remark), of several groups the first; empty: nothing.
std::string remark_on(const Setup& plan, const Algorithm& algorithm);

/// One checked run of it by all groups at once, under these settings and the virtual clock, and nothing else. Blocks until it is
/// done. Throws CheckError; InputError for a call that cannot be made.
GroupsReport run_call(const Setup& plan, const Algorithm& algorithm, const EmulationSettings& settings);

}  // namespace heddle
