// SPDX-License-Identifier: Apache-2.0
// Tiers by the sizes of their groups.
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

#include "heddle/grid.hpp"

namespace heddle::testing {

/// Ranks that are all near each other.
inline Tiers flat(int ranks) { return {{std::vector<int>(static_cast<std::size_t>(ranks), 0)}}; }

/// Ranks in groups of these sizes, and the groups in groups of so many, and so on.
inline Tiers groups_of(const std::vector<std::vector<int>>& sizes) {
  const int ranks = std::accumulate(sizes.front().begin(), sizes.front().end(), 0);
  std::vector<int> part(static_cast<std::size_t>(ranks));
  std::iota(part.begin(), part.end(), 0);
  Tiers tiers;
  for (const std::vector<int>& tier : sizes) {
    std::vector<int> group_of_part;
    for (std::size_t group = 0; group < tier.size(); ++group)
      group_of_part.insert(group_of_part.end(), static_cast<std::size_t>(tier[group]), static_cast<int>(group));
    for (int& p : part) p = group_of_part.at(static_cast<std::size_t>(p));
    tiers.group.push_back(part);
  }
  tiers.group.emplace_back(static_cast<std::size_t>(ranks), 0);
  return tiers;
}

inline int ranks_of(const Tiers& tiers) { return static_cast<int>(tiers.group.front().size()); }

}  // namespace heddle::testing
