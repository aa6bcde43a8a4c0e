// SPDX-License-Identifier: Apache-2.0
// Small topologies of every family, and questions that tests ask of each.
#pragma once

#include <rapidcheck.h>
#include <string>
#include <string_view>
#include <vector>

#include "topo/topology.hpp"

namespace heddle {

/// Every family, sizes 1 and 2 included, odd and even, one to four dimensions.
inline const std::vector<std::string_view>& example_topologies() {
  static const std::vector<std::string_view> kSpecs = {
      "ring:1",      "ring:2",        "ring:3",     "ring:8",     "ring:9",     "torus:1",   "torus:2",     "torus:5",
      "torus:1x1",   "torus:2x2",     "torus:2x4",  "torus:3x5",  "torus:4x4",  "torus:1x6", "torus:4x1x3", "torus:2x3x4",
      "torus:4x4x4", "torus:2x2x2x2", "mesh:1",     "mesh:2",     "mesh:7",     "mesh:4x4",  "mesh:3x1x2",  "mesh:2x5",
      "mesh:4x4x2",  "mesh:2x3x2x3",  "fullmesh:1", "fullmesh:2", "fullmesh:6", "star:1",    "star:2",      "star:13",
  };
  return kSpecs;
}

/// From `least` to `most`, all of them from the first try on (inRange alone begins with the small ones).
inline rc::Gen<int> number_in(int least, int most) {
  return rc::gen::resize(rc::kNominalSize, rc::gen::inRange(least, most + 1));
}

/// A torus, mesh or ring of at most 4 dimensions and 6^4 endpoints, sizes 1 and 2 included.
inline rc::Gen<std::string> grid_specs() {
  return rc::gen::exec([] {
    std::string spec = *rc::gen::element<std::string>("torus:", "mesh:", "ring:");
    const int dimensions = spec == "ring:" ? 1 : *number_in(1, 4);
    for (int d = 0; d < dimensions; ++d) spec += (d == 0 ? "" : "x") + std::to_string(*number_in(1, 6));
    return spec;
  });
}

/// A topology of any family, most often a grid.
inline rc::Gen<std::string> specs() {
  const auto sized = [](const std::string& family) {
    return rc::gen::map(number_in(1, 40), [family](int n) { return family + std::to_string(n); });
  };
  return rc::gen::weightedOneOf<std::string>(
      {{6, grid_specs()}, {1, sized("ring:")}, {1, sized("fullmesh:")}, {1, sized("star:")}});
}

inline Route route_between(const Topology& topology, VertexId from, VertexId to, Routing routing = Routing::split()) {
  Route route;
  topology.route(from, to, routing, route);
  return route;
}

/// The vertices that a path passes, first and last included; empty if a link does not leave where the one before arrived.
inline std::vector<VertexId> vertices_of(const Topology& topology, VertexId from, const Route& route, const Route::Path& path) {
  std::vector<VertexId> vertices = {from};
  for (std::int32_t i = path.first; i < path.first + path.count; ++i) {
    const LinkEnds ends = topology.ends(route.links()[static_cast<std::size_t>(i)]);
    if (ends.from != vertices.back()) return {};
    vertices.push_back(ends.to);
  }
  return vertices;
}

/// The ways of a message as lists of vertices.
inline std::vector<std::vector<VertexId>> ways(const Topology& topology, VertexId from, VertexId to,
                                               Routing routing = Routing::split()) {
  const Route route = route_between(topology, from, to, routing);
  std::vector<std::vector<VertexId>> ways;
  for (const Route::Path& path : route.paths()) ways.push_back(vertices_of(topology, from, route, path));
  return ways;
}

}  // namespace heddle
