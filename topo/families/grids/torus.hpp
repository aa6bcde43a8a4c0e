// SPDX-License-Identifier: Apache-2.0
// Torus, mesh (a torus without wrap-around), ring (a torus of one dimension) and hypercube (a torus of sizes 2): endpoints on a
// grid, each joined to its neighbours.
//
// Endpoints are numbered row-major: the last dimension varies fastest, so node 1 of torus:8x8 is (0,1). A dimension of size 2
// has one cable per pair, wrap-around or not; a dimension of size 1 has none.
//
// Routing is by dimension order (the first dimension first), the shortest way round. Half-way round an even ring the two ways
// tie; Routing::split() gives each of the 2^k ways through k tied dimensions the same share, Routing::ecmp() hashes the flow to
// one of them. On a hypercube, where nothing ties, this is e-cube routing; other orders of dimensions are not taken.
//
// Nothing is stored per endpoint or link: routes and numbers are computed from the sizes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heddle/grid.hpp"
#include "topo/fabric/topology.hpp"

namespace heddle {

class Torus final : public Topology {
 public:
  enum class Family : std::uint8_t { ring, torus, mesh, hypercube };

  /// `sizes` are ≥ 1 each; a ring has one, those of a hypercube are 2. Throws InputError if there are too many endpoints or
  /// links.
  Torus(Family family, const std::vector<std::int64_t>& sizes);

  std::string shape() const override;
  int endpoints() const override { return endpoints_; }
  int switches() const override { return 0; }
  int links() const override { return links_; }
  LinkEnds ends(LinkId link) const override;
  bool is_direct() const override { return true; }
  void route(VertexId from, VertexId to, Routing routing, Route& route) const override;
  /// At most two runs for each dimension of a path.
  void route_in_runs(VertexId from, VertexId to, Routing routing, RunRoute& route) const override;
  TopologyProperties properties() const override;
  const Grid* grid() const override { return &grid_; }
  /// "(3,4)"; on one dimension "3".
  std::string vertex_name(VertexId vertex) const override;

 private:
  /// A dimension of more than one coordinate. Its cables are numbered by the vertex at their lower end (the last coordinate,
  /// where a cable wraps around), without holes; cable c is the links first_link + 2c (increasing) and first_link + 2c + 1.
  struct Axis {
    std::int32_t size;
    std::int32_t stride;  ///< from one coordinate to the next, in vertices
    LinkId first_link;
    bool wraps;  ///< never with size 2, whose two ways are the same cable

    std::int32_t cables_per_line() const { return wraps ? size : size - 1; }
    /// Cables that meet at an inner vertex.
    int degree() const { return size == 2 ? 1 : 2; }
    int diameter() const { return wraps ? size / 2 : size - 1; }
  };
  struct Leg;
  struct Plan;

  Plan plan_route(VertexId from, VertexId to) const;
  template <class AddRun, class ClosePath>
  void walk(VertexId from, VertexId to, Routing routing, const AddRun& add_run, const ClosePath& close_path) const;
  std::int32_t bisection() const;

  Family family_;
  Grid grid_;
  std::vector<Axis> axes_;
  std::int32_t endpoints_;
  LinkId links_ = 0;
};

}  // namespace heddle
