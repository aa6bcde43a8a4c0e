// SPDX-License-Identifier: Apache-2.0
// Small topologies of every family, and questions that tests ask of each.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/errors.hpp"
#include "tests/drawn.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

/// Every family, sizes 1 and 2 included, odd and even, one to four dimensions.
inline const std::vector<std::string_view>& example_topologies() {
  static const std::vector<std::string_view> kSpecs = {
      "ring:1",
      "ring:2",
      "ring:3",
      "ring:8",
      "ring:9",
      "torus:1",
      "torus:2",
      "torus:5",
      "torus:1x1",
      "torus:2x2",
      "torus:2x4",
      "torus:3x5",
      "torus:4x4",
      "torus:1x6",
      "torus:4x1x3",
      "torus:2x3x4",
      "torus:4x4x4",
      "torus:2x2x2x2",
      "mesh:1",
      "mesh:2",
      "mesh:7",
      "mesh:4x4",
      "mesh:3x1x2",
      "mesh:2x5",
      "mesh:4x4x2",
      "mesh:2x3x2x3",
      "fullmesh:1",
      "fullmesh:2",
      "fullmesh:6",
      "star:1",
      "star:2",
      "star:13",
      // one leaf, one pod, leaves that the pods do not fill, parallel cables, planes
      "clos:hosts=2,leaves=8,spines=4",
      "clos:hosts=1,leaves=1,spines=1",
      "clos:hosts=3,leaves=3,spines=2,cables=2",
      "clos:hosts=2,leaves=4,spines=2,pods=2,cores=3,core_cables=2",
      "clos:hosts=2,leaves=2,spines=4,pods=3,cores=6,planes=2",
      "fattree:k=2",
      "fattree:k=4",
      "superpod:pods=1,gpus=4,trays=2",
      "superpod:pods=5,gpus=6,trays=3,ports=12",
      "superpod:pods=7,gpus=4,trays=2,ports=8",
      "superpod:pods=3,gpus=4,trays=2,ports=8,layout=pod-local",
      "superpod:pods=5,gpus=4,trays=2,ports=12,oversubscription=2",
      // groups of one, one group, one router, several cables between groups, also unevenly spread, the largest and small ones
      "dragonfly:groups=1,routers=1,hosts=1",
      "dragonfly:groups=1,routers=4,hosts=2",
      "dragonfly:groups=9,routers=4,hosts=2",
      "dragonfly:groups=3,routers=1,hosts=2,cables=2",
      "dragonfly:groups=4,routers=3,hosts=1,cables=4",
      "dragonfly+:groups=1,leaves=2,spines=3,hosts=2",
      "dragonfly+:groups=3,leaves=2,spines=2,hosts=2",
      "dragonfly+:groups=3,leaves=2,spines=3,hosts=1,cables=6",
      "dragonfly+:groups=4,leaves=3,spines=2,hosts=1,cables=3",
      "dragonfly+:groups=2,leaves=1,spines=1,hosts=1",
      "hyperx:1",
      "hyperx:6",
      "hyperx:3x4",
      "hyperx:2x3x1x4",
      "hyperx:2x2x2x2x3",
      // one board, boards of one endpoint, of an odd width, wide enough for the switch to be a short cut, no switch one way
      "hxmesh:board=1x1,grid=1x1",
      "hxmesh:board=2x3,grid=1x1",
      "hxmesh:board=1x1,grid=3x4",
      "hxmesh:board=2x2,grid=2x3",
      "hxmesh:board=3x1,grid=2x3",
      "hxmesh:board=7x2,grid=2x1",
      "hypercube:1",
      "hypercube:5",
      // Cámara's, one cable on the first dimension, lines of one ring, turns round the second dimension
      "torus:8x4,twist=4",
      "torus:2x3,twist=1",
      "torus:5x3,twist=2",
      "torus:9x2,twist=4",
      "ring:4*star:8",
      "star:3*ring:5",
      "mesh:3*fullmesh:4",
      "star:2*star:3",
      "ring:1*mesh:2*fullmesh:2*ring:6",
  };
  return kSpecs;
}

/// From `least` to `most`, all of them from the first try on (drawn::number begins with the small ones).
inline int number_in(int least, int most) { return drawn::evenly(least, most + 1); }

/// A torus, mesh or ring of at most 4 dimensions and 6^4 endpoints, sizes 1 and 2 included.
inline std::string grid_specs() {
  return drawn::text([] {
    std::string spec = drawn::one_of<std::string>({"torus:", "mesh:", "ring:"});
    const int dimensions = spec == "ring:" ? 1 : number_in(1, 4);
    for (int d = 0; d < dimensions; ++d) spec += (d == 0 ? "" : "x") + std::to_string(number_in(1, 6));
    return spec;
  });
}

/// Of at most 7 groups, with any number of cables between two of them.
inline std::string dragonfly_specs() {
  return drawn::text([] {
    const int cables = number_in(1, 5);
    return "dragonfly:groups=" + std::to_string(number_in(cables > 1 ? 2 : 1, 7)) +
           ",routers=" + std::to_string(number_in(1, 5)) + ",hosts=" + std::to_string(number_in(1, 3)) +
           (cables > 1 ? ",cables=" + std::to_string(cables) : "");
  });
}
inline std::string dragonfly_plus_specs() {
  return drawn::text([] {
    const int spines = number_in(1, 4);
    const int cables = drawn::one_of({spines, number_in(1, 2 * spines)});
    return "dragonfly+:groups=" + std::to_string(number_in(cables != spines ? 2 : 1, 5)) +
           ",leaves=" + std::to_string(number_in(1, 4)) + ",spines=" + std::to_string(spines) +
           ",hosts=" + std::to_string(number_in(1, 3)) + (cables != spines ? ",cables=" + std::to_string(cables) : "");
  });
}

inline std::string hyperx_specs() {
  return drawn::text([] {
    std::string spec = "hyperx:" + std::to_string(number_in(1, 5));
    for (int d = number_in(0, 4); d > 0; --d) spec += "x" + std::to_string(number_in(1, 4));
    return spec;
  });
}
inline std::string hamming_mesh_specs() {
  return drawn::text([] {
    const auto sizes = [](int most) { return std::to_string(number_in(1, most)) + "x" + std::to_string(number_in(1, most)); };
    return "hxmesh:board=" + sizes(6) + ",grid=" + sizes(4);
  });
}
inline std::string hypercube_specs() {
  return drawn::text([] { return "hypercube:" + std::to_string(number_in(1, 7)); });
}
inline std::string twisted_torus_specs() {
  return drawn::text([] {
    const int first = number_in(2, 12);
    return "torus:" + std::to_string(first) + "x" + std::to_string(number_in(2, 8)) +
           ",twist=" + std::to_string(number_in(1, first - 1));
  });
}
inline std::string product_specs() {
  return drawn::text([] {
    std::string spec;
    for (int factors = number_in(2, 3); factors > 0; --factors)
      spec += drawn::one_of<std::string>({"ring:", "mesh:", "star:", "fullmesh:"}) + std::to_string(number_in(1, 6)) +
              (factors > 1 ? "*" : "");
    return spec;
  });
}
/// A small Clos, fat-tree or superpod: one leaf or one pod included, leaves that the pods do not fill, parallel cables.
inline std::string folded_clos_specs() {
  return drawn::text([] {
    const auto text = [](int n) { return std::to_string(n); };
    switch (number_in(0, 4)) {
      case 0: {
        const int leaves = number_in(1, 6);
        const int cables = number_in(1, 3);
        return "clos:hosts=" + text(number_in(1, 4)) + ",leaves=" + text(leaves) + ",spines=" + text(number_in(1, 4)) +
               (cables > 1 ? ",cables=" + text(cables) : "");
      }
      case 1: {
        const int pods = number_in(1, 4);
        const int leaves = number_in(1, 3);
        const int planes = number_in(1, 3);
        const int core_cables = number_in(1, 2);
        return "clos:hosts=" + text(number_in(1, 3)) + ",leaves=" + text(leaves) + ",spines=" + text(planes * number_in(1, 2)) +
               ",pods=" + text(pods) + ",cores=" + text(planes * number_in(1, 3)) + (core_cables > 1 ? ",core_cables=2" : "") +
               (planes > 1 ? ",planes=" + text(planes) : "");
      }
      case 2:
        return "fattree:k=" + text(2 * number_in(1, 3));
      default: {
        const bool pod_local = drawn::any<bool>();
        const int trays = number_in(1, 3);
        const int rails = number_in(1, 3);
        const int nics = std::max(4, pod_local ? trays * rails : trays);  // of 8 ports at least: 8 leaves on a spine
        return "superpod:pods=" + text(number_in(1, 8)) + ",gpus=" + text(trays * rails) + ",trays=" + text(trays) +
               ",ports=" + text(2 * number_in(nics, 3 * nics)) + (pod_local ? ",layout=pod-local" : "");
      }
    }
  });
}

inline std::string sized_specs() {
  return drawn::text([] {
    return drawn::one_of<std::string>({"ring:", "fullmesh:", "star:"}) + std::to_string(number_in(1, 40));
  });
}

/// A topology of any family, most often a grid.
inline std::string specs() {
  return drawn::weighted<std::string (*)()>({{6, grid_specs},
                                             {3, sized_specs},
                                             {2, dragonfly_specs},
                                             {2, dragonfly_plus_specs},
                                             {2, hyperx_specs},
                                             {2, hamming_mesh_specs},
                                             {1, hypercube_specs},
                                             {2, twisted_torus_specs},
                                             {3, product_specs},
                                             {3, folded_clos_specs}})();
}

/// Why a spec is refused; empty if it is accepted.
inline std::string refusal(std::string_view spec) {
  try {
    parse_topology(spec);
    return {};
  } catch (const InputError& error) {
    return error.what();
  }
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

/// The links that an entry of a route stands for: those of a trunk, or itself.
inline std::vector<LinkId> links_of(const Topology& topology, LinkId entry) {
  if (entry < topology.links()) return {entry};
  const Trunk trunk = topology.trunk(entry);
  std::vector<LinkId> links;
  for (int i = 0; i < trunk.count; ++i) links.push_back(trunk[i]);
  return links;
}

/// How much of what goes a path is at each vertex, before its first link and after each. Empty if some link takes more or less
/// from a vertex than its even part of what is there, so that the path is no walk.
inline std::vector<std::map<VertexId, double>> spread_along(const Topology& topology, VertexId from, const Route& route,
                                                            const Route::Path& path) {
  std::vector<std::map<VertexId, double>> spread = {{{from, 1.0}}};
  for (std::int32_t i = path.first; i < path.first + path.count; ++i) {
    const std::vector<LinkId> links = links_of(topology, route.links()[static_cast<std::size_t>(i)]);
    std::map<VertexId, double> left = spread.back();
    std::map<VertexId, double> arrived;
    for (LinkId link : links) {
      const LinkEnds ends = topology.ends(link);
      left[ends.from] -= 1.0 / static_cast<double>(links.size());
      arrived[ends.to] += 1.0 / static_cast<double>(links.size());
    }
    for (const auto& [vertex, rest] : left) {
      if (std::abs(rest) > 1e-9) return {};
    }
    spread.push_back(std::move(arrived));
  }
  return spread;
}

/// What each link carries when everyone sends a message of 1 to everyone.
inline std::vector<double> all_to_all_loads(const Topology& topology, Routing routing = Routing::split()) {
  std::vector<double> load(static_cast<std::size_t>(topology.links()));
  Route route;
  for (VertexId from = 0; from < topology.endpoints(); ++from) {
    for (VertexId to = 0; to < topology.endpoints(); ++to) {
      topology.route(from, to, routing, route);
      for (const Route::Path& path : route.paths()) {
        for (std::int32_t i = path.first; i < path.first + path.count; ++i) {
          const std::vector<LinkId> links = links_of(topology, route.links()[static_cast<std::size_t>(i)]);
          for (LinkId link : links) load[static_cast<std::size_t>(link)] += path.share / static_cast<double>(links.size());
        }
      }
    }
  }
  return load;
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
