// SPDX-License-Identifier: Apache-2.0
// Grids as their cables run. Of three dimensions the first is laid out as slices of the other two; what leads to another slice
// is a slanting stub. A cable that closes a line is two stubs at the border.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <tuple>
#include <utility>

#include "show/drawing/drawing.hpp"

namespace heddle::pictures {

namespace {

/// Rows, columns and slices of a grid of one to three dimensions.
struct Extent {
  explicit Extent(const Grid& grid) {
    std::array<int, 3> sizes = {1, 1, 1};  // slices, rows, columns
    std::copy(grid.dims().begin(), grid.dims().end(), sizes.end() - grid.dimensions());
    std::tie(slices, rows, columns) = std::tuple(sizes[0], sizes[1], sizes[2]);
    while (slices_across * slices_across * columns < slices * rows) ++slices_across;  // about as wide as high
  }

  int slices = 1;
  int rows = 1;
  int columns = 1;
  int slices_across = 1;  ///< slices stand in rows of so many
};

struct Place {
  int slice;
  int row;
  int column;
};

class GridLayout {
 public:
  GridLayout(const Topology& topology, const std::vector<int>& rank)
      : topology_(topology), rank_(rank), extent_(*topology.grid()), wraps_(topology.grid()->wraps()) {
    const int across = extent_.slices_across * (extent_.columns + (extent_.slices > 1 ? 1 : 0));
    const int down = slice_rows() * (extent_.rows + (extent_.slices > 1 ? 1 : 0));
    pitch_ = std::clamp(1400.0 / std::max(across, down), 22.0, 104.0);
    vertex_ = 0.2 * pitch_;
    labelled_ = pitch_ >= 34;
  }

  Drawing draw() {
    drawing_.widest = std::max(0.075 * pitch_, 2.4);
    drawing_.width = 2 * margin() + extent_.slices_across * slice_width() - slice_gap();
    drawing_.height = 2 * margin() + slice_rows() * slice_height() - slice_gap();
    for (LinkId link = 0; link < topology_.links(); ++link) add_link(link);
    for (VertexId e = 0; e < topology_.endpoints(); ++e)
      drawing_.vertices.push_back(endpoint_circle(topology_, e, rank_, center(place_of(e)), vertex_, labelled_));
    add_border();
    add_notes();
    return std::move(drawing_);
  }

 private:
  int slice_rows() const { return (extent_.slices + extent_.slices_across - 1) / extent_.slices_across; }
  double stub() const { return 0.62 * pitch_; }
  double margin() const { return (wraps_ ? stub() : vertex_) + 40; }
  double slice_gap() const { return 2 * (wraps_ ? stub() : vertex_) + 0.3 * pitch_ + 26; }
  double slice_width() const { return (extent_.columns - 1) * pitch_ + slice_gap(); }
  double slice_height() const { return (extent_.rows - 1) * pitch_ + slice_gap(); }

  Place place_of(VertexId vertex) const {
    return {vertex / (extent_.rows * extent_.columns), vertex / extent_.columns % extent_.rows, vertex % extent_.columns};
  }

  Point corner(int slice) const {
    return {margin() + slice % extent_.slices_across * slice_width(),
            margin() + slice / extent_.slices_across * slice_height()};
  }

  Point center(Place at) const {
    const Point origin = corner(at.slice);
    return {origin.x + at.column * pitch_, origin.y + at.row * pitch_};
  }

  /// Towards which neighbour a link leads, and whether that is drawn as stubs.
  struct Step {
    Point direction;  ///< as drawn; slanting: another slice
    bool stubs;
  };

  /// +1 or -1 along a dimension, as the link leads: over the border where it closes the line.
  static int step(int from, int to) { return std::abs(to - from) == 1 ? to - from : (to > from ? -1 : 1); }

  Step step_of(LinkEnds ends) const {
    const Place from = place_of(ends.from);
    const Place to = place_of(ends.to);
    if (from.slice != to.slice) {
      const int up = step(from.slice, to.slice);
      return {{0.75 * up, -0.75 * up}, true};
    }
    if (from.row != to.row) return {{0, static_cast<double>(step(from.row, to.row))}, std::abs(to.row - from.row) > 1};
    return {{static_cast<double>(step(from.column, to.column)), 0}, std::abs(to.column - from.column) > 1};
  }

  void add_link(LinkId link) {
    const LinkEnds ends = topology_.ends(link);
    const Point from = center(place_of(ends.from));
    const Point to = center(place_of(ends.to));
    const Step way = step_of(ends);
    const double aside = 0.66 * drawing_.widest;
    if (!way.stubs) {
      drawing_.links.push_back(line_between(link, from, to, aside, vertex_ + 1));
      drawing_.links.back().arrow = pitch_ >= 30;
      return;
    }
    const Point over = {way.direction.x * stub(), way.direction.y * stub()};
    drawing_.links.push_back(line_between(link, from, {from.x + over.x, from.y + over.y}, aside, 0));
    shorten_start(drawing_.links.back(), vertex_ + 1);
    drawing_.links.back().arrow = false;
    drawing_.links.push_back(line_between(link, {to.x - over.x, to.y - over.y}, to, aside, 0));
    shorten_end(drawing_.links.back(), vertex_ + 1);
    drawing_.links.back().arrow = pitch_ >= 30;
  }

  static void shorten_start(DrawnLink& line, double by) {
    const double length = std::hypot(line.to.x - line.from.x, line.to.y - line.from.y);
    line.from.x += (line.to.x - line.from.x) / length * by;
    line.from.y += (line.to.y - line.from.y) / length * by;
  }

  static void shorten_end(DrawnLink& line, double by) {
    std::swap(line.from, line.to);
    shorten_start(line, by);
    std::swap(line.from, line.to);
  }

  /// Coordinates of rows and columns where ranks have no room in their circles, and the names of slices.
  void add_border() {
    const double beside = (wraps_ ? stub() : vertex_) + 8;
    for (int slice = 0; slice < extent_.slices; ++slice) {
      const Point origin = corner(slice);
      if (extent_.slices > 1)
        drawing_.texts.push_back({{origin.x - vertex_, origin.y - beside - (labelled_ ? 2 : 16)},
                                  fmt::format("slice ({},*,*)", slice),
                                  12,
                                  DrawnText::Anchor::start});
      if (labelled_) continue;
      const int stride = pitch_ >= 22 && extent_.columns <= 70 ? 4 : 8;
      for (int column = 0; column < extent_.columns; column += stride)
        drawing_.texts.push_back({{origin.x + column * pitch_, origin.y - beside}, fmt::format("{}", column)});
      if (extent_.rows == 1) continue;
      for (int row = 0; row < extent_.rows; row += stride)
        drawing_.texts.push_back(
            {{origin.x - beside, origin.y + row * pitch_ + 4}, fmt::format("{}", row), 11, DrawnText::Anchor::end});
    }
  }

  bool ranks_in_order() const {
    for (std::size_t e = 0; e < rank_.size(); ++e)
      if (rank_[e] != static_cast<int>(e)) return false;
    return true;
  }

  void add_notes() {
    if (labelled_) {
      drawing_.notes.emplace_back("Numbers in circles are ranks.");
    } else {
      drawing_.notes.emplace_back("Numbers at the border are coordinates.");
      if (ranks_in_order() && extent_.slices == 1 && extent_.rows > 1)
        drawing_.notes.push_back(fmt::format("Rank = {} x row + column.", extent_.columns));
      else if (ranks_in_order() && extent_.slices == 1)
        drawing_.notes.emplace_back("Rank = coordinate.");
    }
    drawing_.notes.emplace_back("Each direction of a cable keeps to the right.");
    if (wraps_ && std::max({extent_.slices, extent_.rows, extent_.columns}) > 2)
      drawing_.notes.emplace_back("Stubs at the border go on at the other side.");
    if (extent_.slices > 1)
      drawing_.notes.emplace_back(
          "Slanting stubs go on in the next slice (to the upper right) or the one before (lower left).");
  }

  const Topology& topology_;
  const std::vector<int>& rank_;
  Extent extent_;
  bool wraps_;
  double pitch_ = 0;   ///< from one endpoint to the next
  double vertex_ = 0;  ///< radius
  bool labelled_ = false;
  Drawing drawing_;
};

}  // namespace

Drawing draw_grid(const Topology& topology, const std::vector<int>& rank) { return GridLayout(topology, rank).draw(); }

}  // namespace heddle::pictures
