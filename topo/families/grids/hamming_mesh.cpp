// SPDX-License-Identifier: Apache-2.0
// HammingMesh (Hoefler et al.: HammingMesh: A Network Topology for Large-Scale Deep Learning, SC 2022): boards that are small
// 2D meshes, on a grid; all edge ports of a row of endpoints lead to one switch, and so do those of a column.
//
//      hxmesh:board=2x2,grid=1x2                  one row of endpoints across the boards:
//
//        ┌──────┐   ┌──────┐                        ┌────────── switch ──────────┐
//        │ o──o │   │ o──o │                        │      ┌────┘ └────┐         │
//        │ │  │ │   │ │  │ │                        o──────o           o─────────o
//        │ o──o │   │ o──o │                         board 0             board 1
//        └──────┘   └──────┘
//
// The paper joins a line's ports by a switch, or by a fat tree of full bandwidth where they are more than a switch has; either
// is one switch of as many ports here. A line of a single board has no switch. On a board of width 1 both edge ports are those
// of the same endpoint.
//
// A route goes along one dimension and then along the other: along the board, or to an edge of it (the nearer one), through
// the line's switch and in from an edge of the other board. Both orders of dimensions tie, so do edges that are
// as near; Routing::split() spreads over all of these, Routing::deterministic() takes the first dimension first.
//
// Endpoints are numbered row-major over the whole grid, boards ignored. Of the switches, those of the first dimension come
// first. Tiers of links: 0 on a board, 1 to a switch.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "heddle/grid.hpp"
#include "topo/fabric/stored_links.hpp"
#include "topo/graph/narrowest_cut.hpp"
#include "topo/spec/families.hpp"

namespace heddle {
namespace {

enum BoardTier : int { kBoard, kToSwitch };

/// Of two dimensions.
using Sizes = std::array<std::int64_t, 2>;

std::string spec_of(Sizes board, Sizes boards) {
  return fmt::format("hxmesh:board={},grid={}", fmt::join(board, "x"), fmt::join(boards, "x"));
}

/// Endpoints by dimension, if that many endpoints and links can be stored.
std::vector<int> checked_dims(Sizes board, Sizes boards) {
  const double endpoints = static_cast<double>(board[0]) * static_cast<double>(board[1]) * static_cast<double>(boards[0]) *
                           static_cast<double>(boards[1]);
  require_storable(spec_of(board, boards), endpoints, 8 * endpoints);  // no endpoint has more than four cables
  return {static_cast<int>(board[0] * boards[0]), static_cast<int>(board[1] * boards[1])};
}

int switches_of(Sizes board, Sizes boards) {
  const std::vector<int> dims = checked_dims(board, boards);
  return (boards[0] > 1 ? dims[1] : 0) + (boards[1] > 1 ? dims[0] : 0);
}

bool wraps(Sizes board, Sizes boards) {
  const auto line_wraps = [](std::int64_t width, std::int64_t count) { return count > 1 || width <= 2; };
  return line_wraps(board[0], boards[0]) && line_wraps(board[1], boards[1]);
}

class HammingMesh final : public StoredLinks {
 public:
  /// Endpoints per board and boards, by dimension. Throws InputError if there are too many endpoints or links.
  HammingMesh(Sizes board, Sizes boards)
      : StoredLinks(checked_dims(board, boards)[0] * checked_dims(board, boards)[1], switches_of(board, boards)),
        grid_(checked_dims(board, boards), wraps(board, boards)) {
    const std::int32_t columns = grid_.dims()[1];
    axes_[0] = {
        .board = static_cast<std::int32_t>(board[0]), .boards = static_cast<std::int32_t>(boards[0]), .stride = columns};
    axes_[1] = {.board = static_cast<std::int32_t>(board[1]), .boards = static_cast<std::int32_t>(boards[1]), .stride = 1};
    add_lines(axes_[0], endpoints());
    add_lines(axes_[1], endpoints() + (axes_[0].has_switch() ? columns : 0));
  }

  std::string shape() const override { return spec_of({axes_[0].board, axes_[1].board}, {axes_[0].boards, axes_[1].boards}); }
  bool is_direct() const override { return true; }
  WayWidths way_widths() const override { return WayWidths::equal_at_one_speed; }
  void route(VertexId from, VertexId to, Routing routing, Route& route) const override {
    route.clear();
    if (from == to) return;
    const std::array<Ways, 2> ways = {shortest_ways(axes_[0], axes_[0].coordinate(from), axes_[0].coordinate(to)),
                                      shortest_ways(axes_[1], axes_[1].coordinate(from), axes_[1].coordinate(to))};
    const int orders = ways[0].length > 0 && ways[1].length > 0 ? 2 : 1;
    const int total = orders * ways[0].count * ways[1].count;
    const auto add = [&](int number) {
      const auto first_axis = static_cast<std::size_t>(number % orders);
      const int rest = number / orders;
      add_path(from, to, first_axis,
               {ways[0].list[static_cast<std::size_t>(rest % ways[0].count)],
                ways[1].list[static_cast<std::size_t>(rest / ways[0].count)]},
               route);
    };
    if (!routing.splits()) {
      add(routing.choice(from, to, 0, total));
      route.close_path(1);
      return;
    }
    for (int number = 0; number < total; ++number) {
      add(number);
      route.close_path(1.0 / total);
    }
  }
  /// Board, all.
  int group_tiers() const override { return 2; }
  int group(VertexId endpoint, int tier) const override {
    if (tier > 0) return 0;
    return axes_[0].coordinate(endpoint) / axes_[0].board * axes_[1].boards + axes_[1].coordinate(endpoint) / axes_[1].board;
  }
  /// The bisection is the narrower of the cuts that halve the first dimension and the second: an upper bound.
  TopologyProperties properties() const override {
    TopologyProperties facts = counted_properties();
    facts.diameter = diameter(axes_[0]) + diameter(axes_[1]);
    facts.bisection = std::min(cut_across(axes_[0]), cut_across(axes_[1]));
    int ports = 0;
    for (const Axis& axis : axes_) ports += axis.has_switch() ? endpoints() / axis.size() * 2 * axis.boards : 0;
    facts.tiers = {{"on boards", 0, facts.cables - ports, 1}, {"board edge to row or column switch", switches(), ports, 1}};
    return facts;
  }
  /// All endpoints, both dimensions of them. Wraps around where all lines of more than 2 have switches: the last of a line
  /// is as near to the first as a board to the next.
  const Grid* grid() const override { return &grid_; }
  /// "(3,4)"; a switch "x4" joins the endpoints (0,4), (1,4) …, "y3" joins (3,0), (3,1) ….
  std::string vertex_name(VertexId vertex) const override {
    if (vertex < endpoints()) return fmt::format("({})", fmt::join(grid_.coordinates(Rank(vertex)), ","));
    const bool second = vertex >= axes_[1].first_switch && axes_[1].has_switch();
    return second ? fmt::format("y{}", vertex - axes_[1].first_switch) : fmt::format("x{}", vertex - axes_[0].first_switch);
  }

 private:
  /// Lines along one dimension. A line's cables: those on its boards, board by board, then two for each board to the switch.
  struct Axis {
    std::int32_t board;   ///< endpoints of a line on one board
    std::int32_t boards;  ///< of a line
    std::int32_t stride;
    VertexId first_switch = 0;  ///< of the line 0
    LinkId first_link = 0;

    std::int32_t size() const { return board * boards; }
    bool has_switch() const { return boards > 1; }
    std::int32_t cables_of_line() const { return boards * (board - 1) + (has_switch() ? 2 * boards : 0); }
    std::int32_t coordinate(VertexId endpoint) const { return endpoint / stride % size(); }
    std::int32_t line(VertexId endpoint) const { return endpoint / (stride * size()) * stride + endpoint % stride; }
  };
  /// How a route gets from one coordinate of a line to another.
  struct Way {
    bool through_switch = false;
    int exit = 0;  ///< 0 the low edge of the board, 1 the high one
    int entry = 0;
  };
  /// The shortest ways; they are few: on the board, and from each edge to each.
  struct Ways {
    std::array<Way, 5> list;
    int count = 0;
    std::int32_t length = 0;
  };

  void add_lines(Axis& axis, VertexId first_switch) {
    axis.first_switch = first_switch;
    axis.first_link = links();
    for (std::int32_t line = 0; line < endpoints() / axis.size(); ++line) {
      const VertexId first = line / axis.stride * axis.stride * axis.size() + line % axis.stride;
      const auto at = [&](std::int32_t coordinate) { return first + coordinate * axis.stride; };
      for (std::int32_t c = 0; c < axis.size(); ++c) {
        if ((c + 1) % axis.board != 0) add_cable(at(c), at(c + 1), kBoard);
      }
      if (!axis.has_switch()) continue;
      for (std::int32_t c = 0; c < axis.size(); c += axis.board) {
        add_cable(at(c), first_switch + line, kToSwitch);
        add_cable(at(c + axis.board - 1), first_switch + line, kToSwitch);
      }
    }
  }
  static Ways shortest_ways(const Axis& axis, std::int32_t from, std::int32_t to) {
    Ways ways;
    const auto consider = [&ways](std::int32_t length, const Way& way) {
      if (ways.count > 0 && length > ways.length) return;
      if (length < ways.length) ways.count = 0;
      ways.length = length;
      ways.list[static_cast<std::size_t>(ways.count++)] = way;
    };
    if (from / axis.board == to / axis.board) consider(std::abs(from - to), {});
    if (!axis.has_switch() || from == to) return ways;
    const auto to_edge = [&axis](std::int32_t coordinate, int edge) {
      const std::int32_t offset = coordinate % axis.board;
      return edge == 0 ? offset : axis.board - 1 - offset;
    };
    for (int exit : {0, 1}) {
      for (int entry : {0, 1}) consider(to_edge(from, exit) + 2 + to_edge(to, entry), {true, exit, entry});
    }
    return ways;
  }
  static void walk_board(const Axis& axis, std::int32_t line, std::int32_t from, std::int32_t to, Route& route) {
    const LinkId first = axis.first_link + 2 * line * axis.cables_of_line();
    const auto cable_above = [&](std::int32_t c) { return first + 2 * (c - c / axis.board); };  // a board's last has none
    for (; from < to; ++from) route.add_link(cable_above(from));
    for (; from > to; --from) route.add_link(cable_above(from - 1) + 1);
  }
  static void walk(const Axis& axis, VertexId from, std::int32_t to, const Way& way, Route& route) {
    const std::int32_t line = axis.line(from);
    const std::int32_t start = axis.coordinate(from);
    if (!way.through_switch) return walk_board(axis, line, start, to, route);
    const LinkId first_port = axis.first_link + 2 * (line * axis.cables_of_line() + axis.boards * (axis.board - 1));
    const auto edge = [&axis](std::int32_t coordinate, int side) {
      return coordinate / axis.board * axis.board + (side == 0 ? 0 : axis.board - 1);
    };
    walk_board(axis, line, start, edge(start, way.exit), route);
    route.add_link(first_port + 2 * (2 * (start / axis.board) + way.exit));
    route.add_link(first_port + 2 * (2 * (to / axis.board) + way.entry) + 1);
    walk_board(axis, line, edge(to, way.entry), to, route);
  }
  void add_path(VertexId from, VertexId to, std::size_t first_axis, const std::array<Way, 2>& ways, Route& route) const {
    VertexId vertex = from;
    for (std::size_t a : {first_axis, 1 - first_axis}) {
      const Axis& axis = axes_[a];
      const std::int32_t target = axis.coordinate(to);
      walk(axis, vertex, target, ways[a], route);
      vertex += (target - axis.coordinate(vertex)) * axis.stride;
    }
  }
  int diameter(const Axis& axis) const {
    std::int32_t longest = 0;
    for (std::int32_t from = 0; from < axis.board; ++from) {
      for (std::int32_t to = 0; to < std::min(2, axis.boards) * axis.board; ++to)
        longest = std::max(longest, shortest_ways(axis, from, to).length);
    }
    return longest;
  }
  // The endpoints of the lower half of a dimension; where its size is odd, the middle ones are halved too.
  int cut_across(const Axis& axis) const {
    std::vector<VertexId> in_order(static_cast<std::size_t>(endpoints()));
    for (VertexId endpoint = 0; endpoint < endpoints(); ++endpoint) in_order[static_cast<std::size_t>(endpoint)] = endpoint;
    std::stable_sort(in_order.begin(), in_order.end(),
                     [&axis](VertexId a, VertexId b) { return axis.coordinate(a) < axis.coordinate(b); });
    std::vector<bool> upper(in_order.size());
    for (std::size_t i = in_order.size() / 2; i < in_order.size(); ++i) upper[static_cast<std::size_t>(in_order[i])] = true;
    return narrowest_cut(*this, upper);
  }

  Grid grid_;
  std::array<Axis, 2> axes_;
};

std::unique_ptr<Topology> build_hamming_mesh(SpecFields& fields) {
  const auto read = [&fields](std::string_view name) {
    const std::optional<std::string_view> text = fields.text(name);
    if (!text) fields.refuse(fmt::format("'{}=' is missing", name));
    const std::vector<std::int64_t> sizes = fields.sizes(*text);
    if (sizes.size() != 2) fields.refuse(fmt::format("{}={} has {} sizes, not 2", name, *text, sizes.size()));
    return Sizes{sizes[0], sizes[1]};
  };
  const Sizes board = read("board");
  return std::make_unique<HammingMesh>(board, read("grid"));
}

}  // namespace

std::vector<FamilyEntry> hamming_mesh_families() {
  return {{{"hxmesh", "hxmesh:board=2x2,grid=32x32", "HammingMesh: boards of 2D meshes, a switch for each row and column"},
           build_hamming_mesh}};
}

}  // namespace heddle
