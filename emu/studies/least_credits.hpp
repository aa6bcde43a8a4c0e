// SPDX-License-Identifier: Apache-2.0
// How little buffering a program needs, and what less costs it. docs/model.md, "Least credits", has the definitions.
#pragma once

#include <vector>

#include "emu/checks/checked_run.hpp"
#include "emu/run/emulate.hpp"
#include "emu/studies/credits_found.hpp"

namespace heddle {

// Each runs the program once without bound, then with 0, 1, 2, … credits: up to the first count with which it ends and on to
// the powers of two below `enough` where the order is fixed, with all below `enough` where it is not. Not more than one run at
// once; calls may be made side by side. `settings` are those of the runs, but for its buffering, timeline and observer, which
// are not looked at. Throws CheckError if a run fails by anything but a deadlock, or without bound; InputError as the function
// that runs the program does, and for a wall clock, under which no run is repeated exactly.

/// Of a checked call: of two calls back to back, the second with the next rank as root, both of which must end. Times are the
/// first one's.
LeastCredits least_credits(const Fabric& fabric, const Placement& placement, const CollectiveCall& call,
                           const EmulationSettings& settings = {});

/// Of the same call by several groups of ranks at once.
LeastCredits least_credits_of_groups(const Fabric& fabric, const Placement& placement,
                                     const std::vector<std::vector<int>>& groups, const CollectiveCall& call,
                                     const EmulationSettings& settings = {});

/// Of any program.
LeastCredits least_credits(const Fabric& fabric, const Placement& placement, const RankFunction& function,
                           const EmulationSettings& settings = {});

}  // namespace heddle
