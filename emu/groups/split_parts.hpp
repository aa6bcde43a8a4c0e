// SPDX-License-Identifier: Apache-2.0
// Who goes with whom where a communicator is split.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "emu/groups/group.hpp"

namespace heddle::emu {

/// One rank's call of split().
struct SplitCall {
  std::shared_ptr<const Group> group;
  int rank;
  std::uint32_t parent_context;
  std::uint32_t call;
  int color;
  int key;
};

/// The parts by color, ascending, each as indices into `calls` in the order of the new ranks: by key, then by rank. A
/// color below 0 is part of nothing.
inline std::vector<std::vector<std::size_t>> split_parts(std::span<const SplitCall> calls) {
  std::map<int, std::vector<std::size_t>> colors;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (calls[i].color >= 0) colors[calls[i].color].push_back(i);
  }
  std::vector<std::vector<std::size_t>> parts;
  for (auto& [color, indices] : colors) {
    std::sort(indices.begin(), indices.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(calls[a].key, calls[a].rank) < std::pair(calls[b].key, calls[b].rank);
    });
    parts.push_back(std::move(indices));
  }
  return parts;
}

}  // namespace heddle::emu
