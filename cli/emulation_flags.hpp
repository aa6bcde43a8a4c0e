// SPDX-License-Identifier: Apache-2.0
// The flags of a run that say how it is emulated: buffering, model, threads, stacks, order, faults.
#pragma once

#include "cli/run_options.hpp"
#include "emu/emulation_settings.hpp"
#include "topo/topology.hpp"

namespace heddle {

/// Of a run of so many ranks on this topology. Throws InputError.
EmulationSettings read_emulation_settings(const RunOptions& options, const Topology& topology, int ranks);

}  // namespace heddle
