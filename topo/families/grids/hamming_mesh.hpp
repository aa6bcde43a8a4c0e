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
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "heddle/grid.hpp"
#include "topo/fabric/stored_links.hpp"

namespace heddle {

class HammingMesh final : public StoredLinks {
 public:
  using Sizes = std::array<std::int64_t, 2>;

  /// Endpoints per board and boards, by dimension. Throws InputError if there are too many endpoints or links.
  HammingMesh(Sizes board, Sizes boards);

  std::string shape() const override;
  bool is_direct() const override { return true; }
  WayWidths way_widths() const override { return WayWidths::equal_at_one_speed; }
  void route(VertexId from, VertexId to, Routing routing, Route& route) const override;
  /// Board, all.
  int group_tiers() const override { return 2; }
  int group(VertexId endpoint, int tier) const override;
  /// The bisection is the narrower of the cuts that halve the first dimension and the second: an upper bound.
  TopologyProperties properties() const override;
  /// All endpoints, both dimensions of them. Wraps around where all lines of more than 2 have switches: the last of a line
  /// is as near to the first as a board to the next.
  const Grid* grid() const override { return &grid_; }
  /// "(3,4)"; a switch "x4" joins the endpoints (0,4), (1,4) …, "y3" joins (3,0), (3,1) ….
  std::string vertex_name(VertexId vertex) const override;

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

  void add_lines(Axis& axis, VertexId first_switch);
  static Ways shortest_ways(const Axis& axis, std::int32_t from, std::int32_t to);
  static void walk_board(const Axis& axis, std::int32_t line, std::int32_t from, std::int32_t to, Route& route);
  static void walk(const Axis& axis, VertexId from, std::int32_t to, const Way& way, Route& route);
  void add_path(VertexId from, VertexId to, std::size_t first_axis, const std::array<Way, 2>& ways, Route& route) const;
  int diameter(const Axis& axis) const;
  int cut_across(const Axis& axis) const;

  Grid grid_;
  std::array<Axis, 2> axes_;
};

}  // namespace heddle
