// SPDX-License-Identifier: Apache-2.0
// Grids as their cables run. Of three dimensions the first is laid out as slices of the other two; what leads to another slice
// is a slanting stub. A cable that closes a line is two stubs at the border.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

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

  Step step_of(LinkEnds ends) const {
    const Place from = place_of(ends.from);
    const Place to = place_of(ends.to);
    if (from.slice != to.slice) {
      const int up = step_along(from.slice, to.slice);
      return {{0.75 * up, -0.75 * up}, true};
    }
    if (from.row != to.row) return {{0, static_cast<double>(step_along(from.row, to.row))}, std::abs(to.row - from.row) > 1};
    return {{static_cast<double>(step_along(from.column, to.column)), 0}, std::abs(to.column - from.column) > 1};
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

// Grids whose lines are more than a chain: every two endpoints of a line joined (HyperX), or boards of a line joined by a switch
// (HammingMesh). What leads past neighbours is a curve beside the line, the farther the wider. Switches of rows stand to the
// left, those of columns above.

namespace {

/// Row and column of an endpoint.
struct Cell {
  int row = 0;
  int column = 0;
};

Cell cell_of(const Grid& grid, VertexId endpoint) {
  const int columns = grid.dims().back();
  return {endpoint / columns, endpoint % columns};
}

/// The line that all endpoints at a switch are on.
struct SwitchLine {
  bool is_row = true;
  bool is_column = true;
  Cell first = {};
  int endpoints = 0;
};

std::map<VertexId, SwitchLine> lines_of_switches(const Topology& topology) {
  std::map<VertexId, SwitchLine> lines;
  for (LinkId link = 0; link < topology.links(); ++link) {
    const LinkEnds ends = topology.ends(link);
    if (ends.to < topology.endpoints() || ends.from >= topology.endpoints()) continue;
    SwitchLine& line = lines[ends.to];
    const Cell cell = cell_of(*topology.grid(), ends.from);
    if (line.endpoints++ == 0) line.first = cell;
    line.is_row &= cell.row == line.first.row;
    line.is_column &= cell.column == line.first.column;
  }
  return lines;
}

class LinesLayout {
 public:
  LinesLayout(const Topology& topology, const std::vector<int>& rank)
      : topology_(topology),
        rank_(rank),
        grid_(*topology.grid()),
        rows_(grid_.dimensions() == 1 ? 1 : grid_.dims()[0]),
        columns_(grid_.dims().back()),
        switches_(lines_of_switches(topology)) {
    pitch_ = std::clamp(1300.0 / std::max(rows_, columns_), 36.0, 150.0);
    vertex_ = std::clamp(0.13 * pitch_, 5.0, 17.0);
    bow_ = widest_bow();
  }

  Drawing draw() {
    drawing_.widest = std::clamp(0.03 * pitch_, 1.4, 4.5);
    place_endpoints();
    for (LinkId link = 0; link < topology_.links(); ++link) add_link(link);
    for (VertexId e = 0; e < topology_.endpoints(); ++e)
      drawing_.vertices.push_back(
          endpoint_circle(topology_, e, rank_, center_[static_cast<std::size_t>(e)], vertex_, vertex_ >= 9));
    for (const auto& [vertex, line] : switches_) add_switch(vertex);
    add_notes();
    return std::move(drawing_);
  }

 private:
  static constexpr double kMargin = 34;

  /// How far the widest curve leaves its line: of those that pass most neighbours.
  double widest_bow() const { return std::min(0.42 * pitch_, 44.0); }

  /// Beside its line, by how many neighbours a cable passes.
  double bow_of(int passed, int most) const { return passed <= 0 ? 0 : bow_ * (0.3 + 0.7 * passed / std::max(most, 1)); }

  /// Endpoints on other boards stand further apart: where neighbours on a line are not joined.
  std::vector<double> places(bool of_rows) const {
    const int count = of_rows ? rows_ : columns_;
    std::vector<double> along = {0};
    for (int i = 1; i < count; ++i)
      along.push_back(along.back() + pitch_ * (switches_.empty() || is_joined(of_rows, i) ? 1 : 1.35));
    return along;
  }

  bool is_joined(bool of_rows, int at) const {
    const VertexId here = of_rows ? at * columns_ : at;
    const VertexId before = of_rows ? here - columns_ : here - 1;
    for (LinkId link = 0; link < topology_.links(); ++link)
      if (topology_.ends(link).from == before && topology_.ends(link).to == here) return true;
    return false;
  }

  void place_endpoints() {
    const bool row_switches = has_switches(true);
    const bool column_switches = has_switches(false);
    const std::vector<double> x = places(false);
    const std::vector<double> y = places(true);
    const double left = kMargin + bow_ + vertex_ + (row_switches ? pitch_ : 0);
    const double top = kMargin + bow_ + vertex_ + (column_switches ? pitch_ : 0);
    for (int row = 0; row < rows_; ++row)
      for (int column = 0; column < columns_; ++column)
        center_.push_back({left + x[static_cast<std::size_t>(column)], top + y[static_cast<std::size_t>(row)]});
    for (const auto& [vertex, line] : switches_) {
      const Point first = center_[static_cast<std::size_t>(line.first.row * columns_ + line.first.column)];
      switch_center_[vertex] = of_row(line) ? Point{left - pitch_, first.y} : Point{first.x, top - pitch_};
    }
    drawing_.width = left + x.back() + vertex_ + bow_ + kMargin;
    drawing_.height = top + y.back() + vertex_ + bow_ + kMargin;
  }

  /// A switch of one endpoint alone is on both of its lines.
  bool of_row(const SwitchLine& line) const { return line.is_row && !(line.is_column && rows_ > 1 && columns_ == 1); }

  bool has_switches(bool of_rows) const {
    return std::ranges::any_of(switches_, [&](const auto& each) { return of_row(each.second) == of_rows; });
  }

  Point center(VertexId vertex) const {
    return vertex < topology_.endpoints() ? center_[static_cast<std::size_t>(vertex)] : switch_center_.at(vertex);
  }

  void add_link(LinkId link) {
    const auto [from, to] = topology_.ends(link);
    const Point begin = center(from);
    const Point end = center(to);
    const bool along_row = std::abs(begin.y - end.y) < 1;
    const int length = along_row ? columns_ : rows_;
    const double aside = 0.62 * drawing_.widest;
    const double bow = bow_of(neighbours_passed(from, to, along_row), std::max(length - 2, 1));
    if (bow == 0) {
      drawing_.links.push_back(line_between(link, begin, end, aside, vertex_ + 1));
    } else {
      // The control point of a quadratic curve is twice as far away as its middle. Rows bow downwards, columns to the right.
      const Point middle = {(begin.x + end.x) / 2 + (along_row ? 0 : 2 * bow),
                            (begin.y + end.y) / 2 + (along_row ? 2 * bow : 0)};
      drawing_.links.push_back(curve_between(link, begin, middle, end, aside, vertex_ + 1));
    }
    drawing_.links.back().arrow = pitch_ >= 44;
  }

  /// Endpoints that stand between the two ends.
  int neighbours_passed(VertexId from, VertexId to, bool along_row) const {
    const auto place = [&](VertexId vertex) {
      if (vertex >= topology_.endpoints()) return -1;
      const Cell cell = cell_of(grid_, vertex);
      return along_row ? cell.column : cell.row;
    };
    return std::abs(place(from) - place(to)) - 1;
  }

  void add_switch(VertexId vertex) {
    const std::string name = topology_.vertex_name(vertex);
    const double width = std::max(26.0, 7.0 * static_cast<double>(name.size()) + 10);
    drawing_.vertices.push_back({.center = switch_center_.at(vertex),
                                 .width = std::min(width, 0.7 * pitch_),
                                 .height = 2 * vertex_,
                                 .shape = DrawnVertex::Shape::box,
                                 .label = name,
                                 .font = std::min(11.0, 0.9 * pitch_ / static_cast<double>(name.size() + 1)),
                                 .about = name});
  }

  void add_notes() {
    drawing_.notes.emplace_back(vertex_ >= 9 ? "Numbers in circles are ranks." : "Point at a circle for its rank.");
    drawing_.notes.emplace_back("Curves lead past neighbours to others of the same line.");
    if (!switches_.empty()) drawing_.notes.emplace_back("Boxes are switches: to the left of rows, above columns.");
    drawing_.notes.emplace_back("Each direction of a cable keeps to the right.");
  }

  const Topology& topology_;
  const std::vector<int>& rank_;
  const Grid& grid_;
  int rows_;
  int columns_;
  std::map<VertexId, SwitchLine> switches_;
  double pitch_ = 0;   ///< from one endpoint to the next
  double vertex_ = 0;  ///< radius
  double bow_ = 0;
  std::vector<Point> center_;  ///< by endpoint
  std::map<VertexId, Point> switch_center_;
  Drawing drawing_;
};

}  // namespace

bool has_lines(const Topology& topology) {
  const Grid* grid = topology.grid();
  if (grid == nullptr || grid->dimensions() > 2 || grid->size() != topology.endpoints()) return false;
  for (LinkId link = 0; link < topology.links(); ++link) {
    const auto [from, to] = topology.ends(link);
    if (from >= topology.endpoints() && to >= topology.endpoints()) return false;
    if (from >= topology.endpoints() || to >= topology.endpoints()) continue;
    const Cell a = cell_of(*grid, from);
    const Cell b = cell_of(*grid, to);
    if (a.row != b.row && a.column != b.column) return false;
  }
  const std::map<VertexId, SwitchLine> switches = lines_of_switches(topology);
  return std::ranges::all_of(switches, [](const auto& each) { return each.second.is_row || each.second.is_column; }) &&
         static_cast<int>(switches.size()) == topology.switches();
}

Drawing draw_lines(const Topology& topology, const std::vector<int>& rank) { return LinesLayout(topology, rank).draw(); }

}  // namespace heddle::pictures
