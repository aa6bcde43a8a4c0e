// SPDX-License-Identifier: Apache-2.0
// Endpoints on a circle (rings, small full meshes), or as rows and columns of a matrix (larger full meshes).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

#include "heddle/errors.hpp"
#include "show/drawing/drawing.hpp"

namespace heddle::pictures {

namespace {

/// Every how many endpoints one is named, so that names stay apart.
int label_stride(double room, double needed) {
  for (const int stride : {1, 2, 4, 8, 16, 32, 64, 128})
    if (room * stride >= needed) return stride;
  return 256;
}

Point on_circle(Point center, double radius, int place, int places) {
  const double angle = 2 * std::numbers::pi * place / places;
  return {center.x + radius * std::sin(angle), center.y - radius * std::cos(angle)};
}

}  // namespace

Drawing draw_circle(const Topology& topology, const std::vector<int>& rank) {
  const int n = topology.endpoints();
  const bool chords = topology.links() > 2 * n;  // all to all
  const double apart = std::clamp((chords ? 2600.0 : 2900.0) / n, 5.0, chords ? 130.0 : 78.0);
  const double circle = std::max(n * apart / (2 * std::numbers::pi), 110.0);
  const bool bands = apart < 14;  // too near to each other for lines: two bands along the circle, one for each direction
  const double vertex = bands ? 1 : std::min(0.26 * apart, 17.0);
  const bool inside = vertex >= 9;  // the rank fits into its circle
  const double margin = inside ? vertex + 14 : 58;
  const Point center = {circle + margin, circle + margin};

  Drawing drawing{.width = 2 * center.x, .height = 2 * center.y, .widest = bands ? 16 : std::clamp(0.11 * apart, 1.6, 8.0)};
  for (LinkId link = 0; link < topology.links(); ++link) {
    const LinkEnds ends = topology.ends(link);
    drawing.links.push_back(line_between(link, on_circle(center, circle, ends.from, n), on_circle(center, circle, ends.to, n),
                                         0.62 * drawing.widest, bands ? 0 : vertex + 1));
    drawing.links.back().arrow = !bands;
  }
  const int stride = label_stride(apart, bands ? 30 : 15);
  for (VertexId e = 0; e < n; ++e) {
    drawing.vertices.push_back(endpoint_circle(topology, e, rank, on_circle(center, circle, e, n), vertex, inside));
    const int on_it = rank[static_cast<std::size_t>(e)];
    if (inside || e % stride != 0 || on_it < 0) continue;
    const Point at = on_circle(center, circle + (bands ? 36 : vertex + 16), e, n);
    drawing.texts.push_back({{at.x, at.y + 4}, fmt::format("{}", on_it)});
  }
  drawing.notes.push_back(inside ? "Numbers in circles are ranks." : "Numbers along the circle are ranks.");
  drawing.notes.emplace_back(bands ? "The inner band leads upwards (0 to 1), the outer one downwards."
                                   : "Each direction of a cable keeps to the right.");
  return drawing;
}

Drawing draw_matrix(const Topology& topology, const std::vector<int>& rank) {
  const int n = topology.endpoints();
  const double side = std::clamp(1000.0 / n, 8.0, 30.0);
  const double margin = 54;
  Drawing drawing{.width = margin + n * side + 10, .height = margin + n * side + 10, .widest = 6};
  for (LinkId link = 0; link < topology.links(); ++link) {
    const LinkEnds ends = topology.ends(link);
    drawing.bars.push_back({link, {margin + ends.to * side, margin + ends.from * side}, side - 1, side - 1});
  }
  const int stride = label_stride(side, 18);
  for (VertexId e = 0; e < n; e += stride) {
    const int on_it = rank[static_cast<std::size_t>(e)];
    const std::string text = on_it < 0 ? "-" : fmt::format("{}", on_it);
    const double middle = margin + (e + 0.5) * side;
    drawing.texts.push_back({{middle, margin - 6}, text});
    drawing.texts.push_back({{margin - 6, middle + 4}, text, 11, DrawnText::Anchor::end});
  }
  drawing.texts.push_back({{margin + n * side / 2, 22}, "to rank", 13});
  drawing.texts.push_back({{16, margin + n * side / 2}, "from rank", 13, DrawnText::Anchor::middle, true});
  drawing.notes.emplace_back("A field is a link: its row sends, its column receives.");
  return drawing;
}

// Any fabric: endpoints on a circle in their order, groups a little apart from each other; switches on circles inside it, each
// level nearer to the middle, below what it serves. Cables between vertices of one level bend towards the middle.

namespace {

constexpr double kRise = 64;  ///< from one level to the next
constexpr double kMargin = 60;

class RingsLayout {
 public:
  RingsLayout(const Topology& topology, const std::vector<int>& rank)
      : topology_(topology), rank_(rank), level_(levels(topology)), angle_(level_.size()) {
    for (std::size_t v = 0; v < level_.size(); ++v)
      if (level_[v] < 0) throw InputError(fmt::format("{} has no way to any endpoint", name_of(v)));
    top_ = *std::ranges::max_element(level_);
    place_endpoints();
    for (int level = 1; level <= top_; ++level) place_switches(level);
  }

  Drawing draw() {
    const double middle = radius_ + kMargin;
    center_ = {middle, middle};
    drawing_.width = drawing_.height = 2 * middle;
    drawing_.widest = std::clamp(0.16 * slot_, 1.6, 4.5);
    std::map<std::pair<VertexId, VertexId>, std::vector<LinkId>> bundles;
    for (LinkId link = 0; link < topology_.links(); ++link)
      bundles[{topology_.ends(link).from, topology_.ends(link).to}].push_back(link);
    for (const auto& [ends, links] : bundles) add_links(ends.first, ends.second, links);
    for (VertexId v = 0; v < static_cast<VertexId>(level_.size()); ++v)
      if (level_of(v) == 0)
        add_endpoint(v);
      else
        add_switch(v);
    drawing_.notes.emplace_back("Numbers along the circle are ranks.");
    if (top_ > 0) drawing_.notes.emplace_back("Switches stand inside, next to what they serve.");
    drawing_.notes.emplace_back("Each direction of a cable keeps to the right.");
    if (merged_) drawing_.notes.emplace_back("Parallel cables are one line: the most loaded one.");
    return std::move(drawing_);
  }

 private:
  int level_of(VertexId vertex) const { return level_[static_cast<std::size_t>(vertex)]; }
  std::string name_of(std::size_t vertex) const { return topology_.vertex_name(static_cast<VertexId>(vertex)); }

  /// The outermost groups that are not all.
  int group_of(VertexId endpoint) const {
    return topology_.group_tiers() < 2 ? 0 : topology_.group(endpoint, topology_.group_tiers() - 2);
  }

  void place_endpoints() {
    const int n = topology_.endpoints();
    slot_ = std::clamp(2200.0 / n, 8.0, 34.0);
    std::vector<double> along;
    double at = 0;
    for (VertexId e = 0; e < n; ++e) {
      if (e > 0) at += group_of(e) == group_of(e - 1) ? 1 : 1.8;
      along.push_back(at);
    }
    const double around = at + (group_of(0) == group_of(n - 1) ? 1 : 1.8);
    for (VertexId e = 0; e < n; ++e)
      angle_[static_cast<std::size_t>(e)] = 2 * std::numbers::pi * along[static_cast<std::size_t>(e)] / around;
    radius_ = std::max(around * slot_ / (2 * std::numbers::pi), top_ == 0 ? 240 : 110 + kRise * (top_ + 0.5));
  }

  double radius_of(int level) const { return radius_ - kRise * level; }

  /// Over the arc of what they serve; those that serve the same share it.
  void place_switches(int level) {
    struct Arc {
      VertexId vertex;
      double first;
      double last;
    };
    std::map<VertexId, Arc> served;
    for (LinkId link = 0; link < topology_.links(); ++link) {
      const auto [lower, upper] = topology_.ends(link);
      if (level_of(upper) != level || level_of(lower) != level - 1) continue;
      const double angle = angle_[static_cast<std::size_t>(lower)];
      auto [it, is_new] = served.try_emplace(upper, Arc{upper, angle, angle});
      it->second.first = std::min(it->second.first, angle);
      it->second.last = std::max(it->second.last, angle);
    }
    std::vector<Arc> switches;
    for (const auto& [vertex, arc] : served) switches.push_back(arc);
    std::ranges::stable_sort(switches, {}, &Arc::first);
    const double half = 0.5 * slot_ / radius_;
    for (std::size_t begin = 0; begin < switches.size();) {
      double last = switches[begin].last;
      std::size_t end = begin + 1;
      for (; end < switches.size() && switches[end].first <= last; ++end) last = std::max(last, switches[end].last);
      const double room = (last - switches[begin].first + 2 * half) / static_cast<double>(end - begin);
      for (std::size_t i = begin; i < end; ++i) {
        angle_[static_cast<std::size_t>(switches[i].vertex)] =
            switches[begin].first - half + (static_cast<double>(i - begin) + 0.5) * room;
        room_[switches[i].vertex] = room * radius_of(level);
      }
      begin = end;
    }
  }

  Point on_circle(double angle, double radius) const {
    return {center_.x + radius * std::sin(angle), center_.y - radius * std::cos(angle)};
  }
  Point place(VertexId vertex) const {
    return on_circle(angle_[static_cast<std::size_t>(vertex)], radius_of(level_of(vertex)));
  }

  double vertex_radius() const { return std::clamp(0.3 * slot_, 2.0, 7.0); }
  double gap(VertexId vertex) const { return level_of(vertex) == 0 ? vertex_radius() + 1 : 9; }

  void add_links(VertexId from, VertexId to, const std::vector<LinkId>& links) {
    const Point begin = place(from);
    const Point end = place(to);
    const double aside = 0.62 * drawing_.widest;
    if (level_of(from) != level_of(to)) {
      drawing_.links.push_back(line_between(links.front(), begin, end, aside, std::min(gap(from), gap(to))));
    } else {
      // Near ones bend away from those that stand between; those across the circle are nearly straight.
      const double radius = radius_of(level_of(from));
      const double length = std::hypot(end.x - begin.x, end.y - begin.y);
      const double inwards = 0.8 * length * (1 - length / (2 * radius)) + 0.12 * length;
      const Point middle = {(begin.x + end.x) / 2, (begin.y + end.y) / 2};
      const double away = std::max(std::hypot(middle.x - center_.x, middle.y - center_.y), 1e-9);
      const double part = std::min(inwards / away, 1.0);
      const Point control = {middle.x + (center_.x - middle.x) * part, middle.y + (center_.y - middle.y) * part};
      drawing_.links.push_back(curve_between(links.front(), begin, control, end, aside, gap(from)));
    }
    drawing_.links.back().links = links;
    drawing_.links.back().arrow = slot_ >= 14;
    merged_ |= links.size() > 1;
  }

  void add_endpoint(VertexId endpoint) {
    drawing_.vertices.push_back(endpoint_circle(topology_, endpoint, rank_, place(endpoint), vertex_radius(), false));
    const int on_it = rank_[static_cast<std::size_t>(endpoint)];
    const int stride = slot_ >= 18 ? 1 : (slot_ >= 11 ? 2 : 4);
    if (on_it < 0 || endpoint % stride != 0) return;
    const Point at = on_circle(angle_[static_cast<std::size_t>(endpoint)], radius_ + vertex_radius() + 13);
    drawing_.texts.push_back({{at.x, at.y + 4}, fmt::format("{}", on_it), 10});
  }

  /// A box with its name where there is room, else a small square.
  void add_switch(VertexId vertex) {
    const std::string name = topology_.vertex_name(vertex);
    const double wanted = 6.2 * static_cast<double>(name.size()) + 6;
    const bool fits = room_[vertex] >= wanted + 2;
    drawing_.vertices.push_back({.center = place(vertex),
                                 .width = fits ? wanted : std::clamp(0.5 * room_[vertex], 4.0, 12.0),
                                 .height = fits ? 15.0 : std::clamp(0.5 * room_[vertex], 4.0, 12.0),
                                 .shape = DrawnVertex::Shape::box,
                                 .label = fits ? name : std::string(),
                                 .font = 9,
                                 .about = name});
  }

  const Topology& topology_;
  const std::vector<int>& rank_;
  std::vector<int> level_;
  std::vector<double> angle_;  ///< by vertex, from the top, clockwise
  std::map<VertexId, double> room_;
  int top_ = 0;
  double slot_ = 0;  ///< between two endpoints
  double radius_ = 0;
  Point center_;
  bool merged_ = false;
  Drawing drawing_;
};

}  // namespace

Drawing draw_rings(const Topology& topology, const std::vector<int>& rank) { return RingsLayout(topology, rank).draw(); }

}  // namespace heddle::pictures
