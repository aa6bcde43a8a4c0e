// SPDX-License-Identifier: Apache-2.0
#include "show/drawing/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <tuple>
#include <utility>

#include "heddle/errors.hpp"

namespace heddle::pictures {

namespace {

constexpr int kMostOnCircle = 1'600;
constexpr int kMostChords = 16;  // endpoints joined all to all whose lines can still be distinguished
constexpr int kMostInMatrix = 160;
constexpr int kMostOnGrid = 16'384;
constexpr int kMostOnLines = 1'024;
constexpr int kMostOnRings = 640;
constexpr int kMostJoined = 4'000;  // links on a circle

[[noreturn]] void refuse(const Topology& topology, std::string_view why) {
  throw InputError(fmt::format("{} has no drawing: {}; '--heatmap -' writes any fabric's loads as text", topology.spec(), why));
}

void require_at_most(const Topology& topology, int most) {
  if (topology.endpoints() > most)
    refuse(topology, fmt::format("{} endpoints are more than the {} that can be distinguished", topology.endpoints(), most));
}

bool is_full_mesh(const Topology& topology) {
  const std::int64_t n = topology.endpoints();
  if (topology.switches() > 0 || topology.links() != n * (n - 1)) return false;
  for (LinkId link = 0; link < topology.links(); ++link)
    if (topology.ends(link).from == topology.ends(link).to) return false;
  return topology.properties().diameter <= 1;
}

}  // namespace

std::vector<int> ranks_of_endpoints(const Placement& placement, const Topology& topology) {
  std::vector<int> rank(static_cast<std::size_t>(topology.endpoints()), -1);
  for (std::size_t r = 0; r < placement.size(); ++r) rank[static_cast<std::size_t>(placement[r])] = static_cast<int>(r);
  return rank;
}

DrawnLink line_between(LinkId link, Point from, Point to, double aside, double gap) {
  const double length = std::max(std::hypot(to.x - from.x, to.y - from.y), 1e-9);
  const Point ahead = {(to.x - from.x) / length, (to.y - from.y) / length};
  const Point right = {-ahead.y * aside, ahead.x * aside};  // y grows downwards
  return {{link},
          {from.x + right.x + ahead.x * gap, from.y + right.y + ahead.y * gap},
          {to.x + right.x - ahead.x * gap, to.y + right.y - ahead.y * gap}};
}

DrawnLink curve_between(LinkId link, Point from, Point towards, Point to, double aside, double gap) {
  DrawnLink line = line_between(link, from, to, aside, 0);
  const Point shift = {line.from.x - from.x, line.from.y - from.y};
  const Point control = {towards.x + shift.x, towards.y + shift.y};
  const auto move = [&](Point& end) {
    const double length = std::max(std::hypot(control.x - end.x, control.y - end.y), 1e-9);
    end = {end.x + (control.x - end.x) / length * gap, end.y + (control.y - end.y) / length * gap};
  };
  move(line.from);
  move(line.to);
  line.towards = control;
  return line;
}

DrawnVertex endpoint_circle(const Topology& topology, VertexId endpoint, const std::vector<int>& rank, Point center,
                            double radius, bool labelled) {
  DrawnVertex vertex{.center = center, .width = 2 * radius, .height = 2 * radius};
  const int on_it = rank[static_cast<std::size_t>(endpoint)];
  vertex.used = on_it >= 0;
  vertex.rank = on_it;
  if (labelled && vertex.used) vertex.label = fmt::format("{}", on_it);
  const auto letters = static_cast<double>(std::max<std::size_t>(fmt::format("{}", rank.size() - 1).size(), 2));
  vertex.font = std::min(15.0, 1.7 * radius / (0.62 * letters));
  vertex.about = topology.vertex_name(endpoint) + (vertex.used ? fmt::format(": rank {}", on_it) : ": no rank");
  return vertex;
}

Drawing draw_loads(const Topology& topology, const Placement& placement) {
  const std::vector<int> rank = ranks_of_endpoints(placement, topology);
  if (is_plain_grid(topology) && topology.grid()->dimensions() <= 3) {
    const Grid& grid = *topology.grid();
    const bool is_ring = grid.dimensions() == 1 && grid.wraps() && grid.size() > 2;
    require_at_most(topology, is_ring ? kMostOnCircle : kMostOnGrid);
    return is_ring ? draw_circle(topology, rank) : draw_grid(topology, rank);
  }
  if (is_full_mesh(topology)) {
    require_at_most(topology, kMostInMatrix);
    return topology.endpoints() <= kMostChords ? draw_circle(topology, rank) : draw_matrix(topology, rank);
  }
  if (has_lines(topology)) {
    require_at_most(topology, kMostOnLines);
    return draw_lines(topology, rank);
  }
  const bool layered = topology.switches() > 0 && is_layered(topology, levels(topology));
  if (!layered) {
    require_at_most(topology, kMostOnRings);
    if (topology.links() > kMostJoined)
      refuse(topology, fmt::format("{} links are more than the {} that can be distinguished", topology.links(), kMostJoined));
  }
  try {
    return layered ? draw_layers(topology, rank) : draw_rings(topology, rank);
  } catch (const InputError& error) {
    refuse(topology, error.what());
  }
}

}  // namespace heddle::pictures

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
