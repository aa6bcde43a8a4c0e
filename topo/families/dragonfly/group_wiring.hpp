// SPDX-License-Identifier: Apache-2.0
// The global cables of dragonfly and dragonfly+: which switches of two groups they join, and how many there are.
#pragma once

#include <cstdint>
#include <string>

#include "topo/spec/spec_fields.hpp"

namespace heddle {

/// Every two groups are joined by the same number of cables, spread over the switches of both. A group counts its cable ends
/// round by round: copy q of the cable to the group d further on (d = 1 … groups-1, around) is its end q·(groups-1) + d-1, and
/// switches take ends in order, as evenly as it goes. All groups look the same.
struct GroupWiring {
  std::int32_t groups;
  std::int32_t switches;  ///< of a group, that have global cables
  std::int32_t cables;    ///< between two groups

  std::int32_t pairs() const { return static_cast<std::int32_t>(std::int64_t{groups} * (groups - 1) / 2); }
  /// The switch of `group` (0 … switches-1) that copy q of the cable to group `other` is plugged into.
  std::int32_t switch_to(std::int32_t group, std::int32_t other, std::int32_t q) const {
    const std::int32_t offset = other > group ? other - group : other - group + groups;
    const std::int64_t end = std::int64_t{q} * (groups - 1) + offset - 1;
    return static_cast<std::int32_t>(end * switches / (std::int64_t{cables} * (groups - 1)));
  }
};

/// Reads groups=, cables= (between two groups) and global= (ports of each of the `switches` switches), any of which follows
/// from the others: cables·(groups-1) ≤ switches·global. Without cables= and global= there are `usual_cables`. Refuses what
/// does not fit with the arithmetic that fails. `kind` is what the switches are called.
GroupWiring read_group_wiring(SpecFields& fields, std::int64_t switches, std::int64_t usual_cables, const std::string& kind);

/// A required field, within what can be numbered.
std::int64_t required_number(SpecFields& fields, const std::string& name);

}  // namespace heddle
