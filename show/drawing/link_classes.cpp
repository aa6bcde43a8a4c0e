// SPDX-License-Identifier: Apache-2.0
#include "show/drawing/link_classes.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdlib>
#include <map>
#include <utility>

#include "show/fabric/cable_bundles.hpp"

namespace heddle::pictures {

namespace {

/// Sorts before the name; the name.
using Key = std::pair<int, std::string>;

Key key_on_grid(const Grid& grid, LinkEnds ends) {
  for (int d = 0; d < grid.dimensions(); ++d) {
    const int from = grid.coordinate(Rank(ends.from), d);
    const int to = grid.coordinate(Rank(ends.to), d);
    if (from == to) continue;
    const bool up = step_along(from, to) > 0;
    if (grid.dimensions() == 1) return {up ? 0 : 1, up ? "upwards" : "downwards"};
    return {2 * d + (up ? 0 : 1), fmt::format("dimension {}, {}", d, up ? "upwards" : "downwards")};
  }
  return {};
}

}  // namespace

int step_along(int from, int to) {
  if (std::abs(to - from) == 1) return to - from;
  return to > from ? -1 : 1;
}

bool is_layered(const Topology& topology, const std::vector<int>& level) {
  for (LinkId link = 0; link < topology.links(); ++link) {
    const auto [from, to] = topology.ends(link);
    const int a = level[static_cast<std::size_t>(from)];
    const int b = level[static_cast<std::size_t>(to)];
    if (a < 0 || b < 0 || std::abs(a - b) != 1) return false;
  }
  return true;
}

std::vector<LinkClass> link_classes(const Topology& topology) {
  const bool grid = is_plain_grid(topology);
  const std::vector<int> level = levels(topology);
  const bool layered = topology.switches() > 0 && is_layered(topology, level);
  const std::vector<TierProperties> tiers = topology.properties().tiers;
  std::map<Key, std::vector<LinkId>> classes;
  for (LinkId link = 0; link < topology.links(); ++link) {
    const LinkEnds ends = topology.ends(link);
    if (grid) {
      classes[key_on_grid(*topology.grid(), ends)].push_back(link);
      continue;
    }
    const auto tier = static_cast<std::size_t>(topology.tier(link));
    const std::string name = tier < tiers.size() ? tiers[tier].name : fmt::format("tier {}", tier);
    const bool up = level[static_cast<std::size_t>(ends.to)] > level[static_cast<std::size_t>(ends.from)];
    const int order = static_cast<int>(2 * tier) + (layered && !up ? 1 : 0);
    classes[{order, layered ? fmt::format("{}, {}", name, up ? "up" : "down") : name}].push_back(link);
  }
  std::vector<LinkClass> in_order;
  for (auto& [key, links] : classes) in_order.push_back({key.second, std::move(links)});
  return in_order;
}

}  // namespace heddle::pictures
