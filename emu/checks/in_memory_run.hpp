// SPDX-License-Identifier: Apache-2.0
// Collectives on ranks that share a memory and have no fabric between them: what is measured is the machine.
#pragma once

#include <vector>

#include "emu/checks/collective_call.hpp"
#include "emu/report/report.hpp"
#include "emu/run/emulation_settings.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/placement/placement.hpp"

namespace heddle {

/// Whether nothing on this fabric takes time: links without limits and without latency, no start-up, no overhead, no γ, and no
/// switches that compute.
bool is_unlimited(const Fabric& fabric);

/// Runs the call on kernel threads that copy straight from each other's memory: by rank, when it had returned, in wall time
/// since all ranks began together. Called and checked as run_checked does it (twice, the first is measured), but for what only
/// an emulation can see: buffers that change in flight. `call` is one that run_checked takes, with all of its elements held.
/// Which links there are does not matter; algorithms see the topology's shape. Buffering as settings have it:
/// eager or synchronous. Throws CheckError and InputError.
std::vector<Time> run_checked_in_memory(const Fabric& fabric, const Placement& placement, const CollectiveCall& call,
                                        Buffering buffering = Buffering::eager());

}  // namespace heddle
