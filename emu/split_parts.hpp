// SPDX-License-Identifier: Apache-2.0
// Who goes with whom where a communicator is split.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "emu/strand_state.hpp"

namespace heddle::emu {

/// The parts by color, ascending, each as indices into the call's posts in the order of the new ranks: by key, then by rank. A
/// color below 0 is part of nothing.
inline std::vector<std::vector<std::size_t>> split_parts(std::span<const SplitPost> posts) {
  std::map<int, std::vector<std::size_t>> colors;
  for (std::size_t i = 0; i < posts.size(); ++i) {
    if (posts[i].color >= 0) colors[posts[i].color].push_back(i);
  }
  std::vector<std::vector<std::size_t>> parts;
  for (auto& [color, indices] : colors) {
    std::sort(indices.begin(), indices.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(posts[a].key, posts[a].rank) < std::pair(posts[b].key, posts[b].rank);
    });
    parts.push_back(std::move(indices));
  }
  return parts;
}

}  // namespace heddle::emu
