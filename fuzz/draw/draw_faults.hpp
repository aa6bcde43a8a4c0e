// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fuzz/draw/dice.hpp"
#include "topo/fabric/topology.hpp"

namespace heddle {

/// One fault or two that a run of so many ranks on this topology can have (emu/settings/faults.hpp).
std::vector<std::string> draw_faults(Dice& dice, const Topology& topology, int ranks);

}  // namespace heddle
