// SPDX-License-Identifier: Apache-2.0
// Endpoints on a circle (rings, small full meshes), or as rows and columns of a matrix (larger full meshes).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "show/drawing/layouts.hpp"

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

}  // namespace heddle::pictures
