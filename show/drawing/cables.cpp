// SPDX-License-Identifier: Apache-2.0
#include "show/drawing/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <tuple>
#include <utility>

namespace heddle {

std::vector<int> levels(const Topology& topology) {
  const auto vertices = static_cast<std::size_t>(topology.endpoints() + topology.switches());
  std::vector<int> level(vertices, -1);
  std::fill_n(level.begin(), topology.endpoints(), 0);
  // As many passes as there are levels, and one that finds nothing more.
  for (bool found = true; found;) {
    found = false;
    for (LinkId link = 0; link < topology.links(); ++link) {
      const LinkEnds ends = topology.ends(link);
      const int near = level[static_cast<std::size_t>(ends.from)];
      int& far = level[static_cast<std::size_t>(ends.to)];
      if (near < 0 || (far >= 0 && far <= near + 1)) continue;
      far = near + 1;
      found = true;
    }
  }
  return level;
}

bool is_plain_grid(const Topology& topology) {
  const Grid* grid = topology.grid();
  if (grid == nullptr || topology.switches() > 0) return false;
  std::int64_t expected = 0;
  for (const int size : grid->dims()) {
    const int cables = grid->wraps() && size > 2 ? size : size - 1;
    expected += 2 * std::int64_t{grid->size() / size} * cables;
  }
  if (topology.links() != expected) return false;
  const auto joins_neighbors = [&](LinkEnds ends) {
    int steps = 0;
    for (int d = 0; d < grid->dimensions(); ++d) {
      const int size = grid->dims()[static_cast<std::size_t>(d)];
      const int apart = std::abs(grid->coordinate(Rank(ends.from), d) - grid->coordinate(Rank(ends.to), d));
      steps += grid->wraps() ? std::min(apart, size - apart) : apart;
    }
    return steps == 1;
  };
  for (LinkId link = 0; link < topology.links(); ++link)
    if (!joins_neighbors(topology.ends(link))) return false;
  return true;
}

std::vector<CableBundle> cable_bundles(const Topology& topology) {
  const std::vector<int> level = levels(topology);
  struct Seen {
    VertexId upper, lower;
    int tier;
    bool down;
  };
  std::vector<Seen> seen;
  seen.reserve(static_cast<std::size_t>(topology.links()));
  for (LinkId link = 0; link < topology.links(); ++link) {
    const auto [from, to] = topology.ends(link);
    const int rise = level[static_cast<std::size_t>(to)] - level[static_cast<std::size_t>(from)];
    const bool down = rise < 0 || (rise == 0 && from < to);
    seen.push_back({down ? from : to, down ? to : from, topology.tier(link), down});
  }
  const auto ends = [](const Seen& link) { return std::tuple(link.upper, link.lower, link.tier); };
  std::sort(seen.begin(), seen.end(), [&](const Seen& a, const Seen& b) { return ends(a) < ends(b); });
  std::vector<CableBundle> bundles;
  for (auto first = seen.begin(); first != seen.end();) {
    const auto last = std::find_if(first, seen.end(), [&](const Seen& link) { return ends(link) != ends(*first); });
    const auto down = static_cast<int>(std::count_if(first, last, [](const Seen& link) { return link.down; }));
    const int up = static_cast<int>(last - first) - down;
    bundles.push_back({first->upper, first->lower, first->tier, std::max(down, up)});
    first = last;
  }
  return bundles;
}

}  // namespace heddle

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
