// SPDX-License-Identifier: Apache-2.0
// Runs a program under many orders of events: does any make it go wrong? docs/fuzzing.md, "Orders of events".
#pragma once

#include <functional>

#include "emu/run/emulate.hpp"
#include "emu/studies/exploration.hpp"

namespace heddle {

/// Runs `function` as emulate() does, again and again, each time under another order, until one fails. Those with fewer
/// delays come first. `function` must do the same whenever it is called anew: what it has changed outside of itself it must put
/// back. To fail, it throws; a deadlock and everything else that emulate() finds is a failure as well. Not more than one run at
/// once; blocks. The same orders on every machine. Throws InputError as emulate() does, for a bound out of range, for
/// settings with an order of their own, for a wall clock, and for a program that does not repeat itself.
Exploration explore(const Fabric& fabric, const Placement& placement, const RankFunction& function,
                    const EmulationSettings& settings = {}, const ExploreBound& bound = {});

/// The same for anything that runs once with the settings it is given, such as a run_checked(): `run` throws CheckError if it
/// goes wrong.
Exploration explore(const std::function<void(const EmulationSettings&)>& run, const EmulationSettings& settings = {},
                    const ExploreBound& bound = {});

}  // namespace heddle
