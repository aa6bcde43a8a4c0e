// SPDX-License-Identifier: Apache-2.0
// Fabrics of every family, for a number of ranks.
#pragma once

#include <cstdint>
#include <string>

#include "fuzz/draw/dice.hpp"

namespace heddle {

/// What a row cannot do without, as far as the fabric's family decides it.
enum class FabricKind : std::uint8_t { any, grid, computing_switches };

/// A spec with at least `ranks` endpoints, and not many more where the family allows.
std::string draw_topology(Dice& dice, int ranks, FabricKind kind);

}  // namespace heddle
