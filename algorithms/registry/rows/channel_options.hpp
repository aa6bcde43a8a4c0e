// SPDX-License-Identifier: Apache-2.0
// The option of rows that run over channels (schedule/tiers/channels.hpp).
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "algorithms/registry/options.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/schedule/tiers/channels.hpp"

namespace heddle {

inline constexpr int kMostChannels = 128;

/// Where there are nodes, one channel for each rank of a node, or eight where there are more. On a flat fabric two, which go
/// opposite ways, and off a grid as many as a full mesh has links for, up to eight.
inline std::vector<std::string> channel_candidates(const Shape& shape) {
  constexpr int kUsual = 8;  // NICs of a node
  std::vector<int> channels;
  if (const int node = schedule::ranks_of_largest_node(shape.tiers, shape.ranks); node > 1)
    channels = {std::min(node, kUsual), std::min(node, 2 * kUsual)};
  else if (shape.ranks > 2)
    channels = {2, shape.dims.empty() ? std::min(schedule::steps_round(shape.ranks), kUsual) : 2};
  channels.erase(std::unique(channels.begin(), channels.end()), channels.end());
  std::vector<std::string> values;
  for (const int number : channels) values.push_back(std::to_string(number));
  return values;
}

inline Parameter channels_parameter() {
  return {.name = "channels",
          .default_value = "1",
          .meaning =
              "how many at once, each on its slice and begun at another rank of a node, for nodes with several NICs: 1 … 128",
          .examples = {"3"},
          .candidates = channel_candidates};
}

/// Throws InputError.
inline int channels_of(const Options& options) { return static_cast<int>(options.number("channels", 1, kMostChannels)); }

}  // namespace heddle
