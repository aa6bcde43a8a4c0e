// SPDX-License-Identifier: Apache-2.0
// Whether a collective's arithmetic holds at sizes of which nobody has the memory: where each element goes, without the data.
#pragma once

#include <cstdint>
#include <string>

#include "emu/checks/collective_call.hpp"
#include "emu/run/emulation_settings.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/placement/placement.hpp"

namespace heddle {

/// At what a check of positions gives up. The defaults suit a run; a drawn case has less.
struct PositionsBound {
  std::int64_t actions = 2'000'000;  ///< messages and pieces of local work, of all ranks
  double seconds = 60;               ///< that it is expected to take
};

/// Why nothing was said of it, as in "it moves elements by itself"; empty: each element was where it belongs.
struct PositionsCheck {
  std::string why_not;
};

/// Calls the collective once with all of `call.count` elements, in vectors that are addresses without memory, with messages that
/// say which elements they carry and carry none. Before that it does so with a 16th of the elements: what does not come out right
/// there, or writes to memory by itself, is not followed, and nothing is said of it. Throws CheckError if elements are not where
/// they belong, or if the call fails in another way.
PositionsCheck check_positions(const Fabric& fabric, const Placement& placement, const CollectiveCall& call,
                               const EmulationSettings& settings, const PositionsBound& bound = {});

}  // namespace heddle
