// SPDX-License-Identifier: Apache-2.0
// HyperX (Ahn, Binkert, Davis, McLaren, Schreiber: HyperX: Topology, Routing, and Packaging of Efficient Large-Scale Networks,
// SC 2009): endpoints on a grid, every line of every dimension a full mesh. One endpoint at each router, so the network is
// direct.
//
//      (0,0)───(0,1)───(0,2)        a row, and ─── also from (0,0) to (0,2); columns alike
//        │╲______│_______╱│
//
// A route changes each coordinate that differs, in one link; the orders in which it does so tie. Routing::deterministic() takes
// the first dimension first. Routing::split() spreads over all orders of up to kAllOrders coordinates; of more, over as many
// orders as there are coordinates, each beginning with another and going on from there, around.
//
// Endpoints are numbered row-major: the last dimension varies fastest.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "heddle/grid.hpp"
#include "topo/fabric/stored_links.hpp"

namespace heddle {

class HyperX final : public StoredLinks {
 public:
  static constexpr int kAllOrders = 4;

  /// `sizes` are ≥ 1 each. Throws InputError if there are too many endpoints or links.
  explicit HyperX(const std::vector<std::int64_t>& sizes);

  std::string shape() const override;
  bool is_direct() const override { return true; }
  void route(VertexId from, VertexId to, Routing routing, Route& route) const override;
  TopologyProperties properties() const override;
  /// Wraps around: the ends of a line are neighbours like all others.
  const Grid* grid() const override { return &grid_; }
  /// "(3,4)"; on one dimension "3".
  std::string vertex_name(VertexId vertex) const override;

 private:
  /// A dimension of more than one coordinate.
  struct Axis {
    std::int32_t size;
    std::int32_t stride;
    LinkId first_link;

    LinkId link(VertexId from, VertexId to) const;  ///< they differ in this dimension only
  };
  // kMaxEndpoints bounds the axes, each of at least two coordinates.
  static constexpr int kMaxAxes = 28;
  struct Changes;

  Changes changes(VertexId from, VertexId to) const;
  int bisection() const;

  Grid grid_;
  std::vector<Axis> axes_;
};

}  // namespace heddle
