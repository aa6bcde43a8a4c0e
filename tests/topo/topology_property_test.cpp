// SPDX-License-Identifier: Apache-2.0
// What holds for every topology: links are numbered without holes, and routes are shortest walks over them.
#include <rapidcheck/catch.h>
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "tests/catch.hpp"
#include "tests/topo/topology_examples.hpp"
#include "topo/topology.hpp"

namespace heddle {
namespace {

std::vector<std::vector<VertexId>> neighbours(const Topology& topology) {
  std::vector<std::vector<VertexId>> result(static_cast<std::size_t>(topology.endpoints() + topology.switches()));
  for (LinkId link = 0; link < topology.links(); ++link) {
    const LinkEnds ends = topology.ends(link);
    result[static_cast<std::size_t>(ends.from)].push_back(ends.to);
  }
  return result;
}

/// Links to each vertex from one, by breadth-first search.
std::vector<int> distances(const std::vector<std::vector<VertexId>>& neighbours_of, VertexId from) {
  std::vector<int> distance(neighbours_of.size(), std::numeric_limits<int>::max());
  distance[static_cast<std::size_t>(from)] = 0;
  std::vector<VertexId> reached = {from};
  for (std::size_t next = 0; next < reached.size(); ++next) {
    const auto vertex = static_cast<std::size_t>(reached[next]);
    for (VertexId neighbour : neighbours_of[vertex]) {
      int& known = distance[static_cast<std::size_t>(neighbour)];
      if (known != std::numeric_limits<int>::max()) continue;
      known = distance[vertex] + 1;
      reached.push_back(neighbour);
    }
  }
  return distance;
}

/// The least number of cables between two halves of the endpoints, over all ways to halve them; each switch on the side where
/// it costs less (one switch at most).
int brute_force_bisection(const Topology& topology) {
  const auto endpoints = static_cast<unsigned>(topology.endpoints());
  std::vector<std::uint32_t> neighbour_mask(endpoints + static_cast<unsigned>(topology.switches()));
  for (LinkId link = 0; link < topology.links(); ++link) {
    const LinkEnds ends = topology.ends(link);
    neighbour_mask[static_cast<std::size_t>(ends.from)] |= std::uint32_t{1} << ends.to;
  }
  const auto width = [&](std::uint32_t side) {
    int cut = 0;
    for (std::uint32_t rest = side; rest != 0; rest &= rest - 1) {
      cut += std::popcount(neighbour_mask[static_cast<std::size_t>(std::countr_zero(rest))] & ~side);
    }
    return cut;
  };
  int narrowest = std::numeric_limits<int>::max();
  for (std::uint32_t half = 0; half < std::uint32_t{1} << endpoints; ++half) {
    if (std::popcount(half) != static_cast<int>(endpoints / 2)) continue;
    narrowest = std::min(narrowest, width(half));
    if (topology.switches() == 1) narrowest = std::min(narrowest, width(half | std::uint32_t{1} << endpoints));
  }
  return narrowest;
}

/// All tori and meshes of up to `most` endpoints whose sizes are at least 2, in every order of sizes.
void add_grids(const std::string& prefix, int endpoints, int most, std::vector<std::string>& specs) {
  for (int size = 2; endpoints * size <= most; ++size) {
    specs.push_back(prefix + std::to_string(size));
    add_grids(specs.back() + "x", endpoints * size, most, specs);
  }
}

}  // namespace

TEST_CASE("links are numbered without holes, and each has its opposite") {
  rc::prop("ends() is one-to-one, and a cable is two links", [] {
    const auto topology = parse_topology(*specs());
    std::set<std::pair<VertexId, VertexId>> cables;
    for (LinkId link = 0; link < topology->links(); ++link) {
      const LinkEnds ends = topology->ends(link);
      for (VertexId vertex : {ends.from, ends.to})
        RC_ASSERT(vertex >= 0 && vertex < topology->endpoints() + topology->switches());
      RC_ASSERT(ends.from != ends.to);
      RC_ASSERT(cables.emplace(ends.from, ends.to).second);
    }
    for (const auto& [from, to] : cables) RC_ASSERT(cables.count({to, from}) == 1);
    RC_ASSERT(topology->properties().cables * 2 == topology->links());
  });
}

TEST_CASE("routes are shortest walks whose shares add up to 1") {
  rc::prop("from any endpoint to any other", [] {
    const auto topology = parse_topology(*specs());
    const VertexId from = *number_in(0, topology->endpoints() - 1);
    const std::vector<int> distance = distances(neighbours(*topology), from);
    Route route;
    for (VertexId to = 0; to < topology->endpoints(); ++to) {
      for (Routing routing : {Routing::split(), Routing::deterministic()}) {
        topology->route(from, to, routing, route);
        std::set<std::vector<VertexId>> different;
        double shares = 0;
        std::size_t links = 0;
        for (const Route::Path& path : route.paths()) {
          const std::vector<VertexId> vertices = vertices_of(*topology, from, route, path);
          RC_ASSERT(!vertices.empty());
          RC_ASSERT(vertices.back() == to);
          RC_ASSERT(path.count == distance[static_cast<std::size_t>(to)]);
          RC_ASSERT(path.share == 1.0 / static_cast<double>(route.paths().size()));
          RC_ASSERT(different.insert(vertices).second);
          shares += path.share;
          links += static_cast<std::size_t>(path.count);
        }
        RC_ASSERT(links == route.links().size());
        RC_ASSERT(shares == (from == to ? 0.0 : 1.0));
        if (routing == Routing::deterministic()) RC_ASSERT(route.paths().size() == (from == to ? 0U : 1U));
      }
    }
  });
}

TEST_CASE("a route on a grid splits once for each tied dimension and finishes one dimension before the next") {
  rc::prop("torus, mesh and ring", [] {
    const auto topology = parse_topology(*grid_specs());
    const Grid& grid = *topology->grid();
    const VertexId from = *number_in(0, topology->endpoints() - 1);
    const VertexId to = *number_in(0, topology->endpoints() - 1);
    std::size_t expected = from == to ? 0 : 1;
    for (int d = 0; d < grid.dimensions(); ++d) {
      const int size = grid.dims()[static_cast<std::size_t>(d)];
      const int apart = std::abs(grid.coordinate(Rank(from), d) - grid.coordinate(Rank(to), d));
      if (grid.wraps() && size > 2 && 2 * apart == size) expected *= 2;
    }
    const auto all_ways = ways(*topology, from, to);
    RC_ASSERT(all_ways.size() == expected);
    for (const std::vector<VertexId>& way : all_ways) {
      int dimension = 0;
      for (std::size_t step = 1; step < way.size(); ++step) {
        const auto before = grid.coordinates(Rank(way[step - 1]));
        const auto after = grid.coordinates(Rank(way[step]));
        const auto changed = std::mismatch(before.begin(), before.end(), after.begin()).first - before.begin();
        RC_ASSERT(changed >= dimension);
        dimension = static_cast<int>(changed);
      }
    }
  });
}

TEST_CASE("when everyone sends to everyone, the links along a dimension of a torus carry the same") {
  // Along a ring of d > 2, the distances from one vertex to all add up to ⌊d²/4⌋. N·(N/d) such sums go over 2N links:
  //   load = N/d · ⌊d²/4⌋ / 2;   d = 2: N·(N/2) over N links, load = N/2
  const std::string_view spec = GENERATE("torus:8x8", "torus:4x6x5", "torus:2x4", "torus:3x2x1x4", "ring:10");
  CAPTURE(spec);
  const auto torus = parse_topology(spec);
  std::vector<double> load(static_cast<std::size_t>(torus->links()));
  Route route;
  for (VertexId from = 0; from < torus->endpoints(); ++from) {
    for (VertexId to = 0; to < torus->endpoints(); ++to) {
      torus->route(from, to, Routing::split(), route);
      for (const Route::Path& path : route.paths()) {
        for (std::int32_t i = path.first; i < path.first + path.count; ++i) {
          load[static_cast<std::size_t>(route.links()[static_cast<std::size_t>(i)])] += path.share;
        }
      }
    }
  }
  const Grid& grid = *torus->grid();
  for (LinkId link = 0; link < torus->links(); ++link) {
    const LinkEnds ends = torus->ends(link);
    const auto from = grid.coordinates(Rank(ends.from));
    const auto to = grid.coordinates(Rank(ends.to));
    const auto dimension = static_cast<std::size_t>(std::mismatch(from.begin(), from.end(), to.begin()).first - from.begin());
    const int size = grid.dims()[dimension];
    const int distances_on_ring = size * size / 4;
    const int twice_the_load = size == 2 ? grid.size() : grid.size() / size * distances_on_ring;
    CAPTURE(torus->link_name(link));
    REQUIRE(2 * load[static_cast<std::size_t>(link)] == twice_the_load);
  }
}

TEST_CASE("degree and diameter are what a search finds") {
  for (std::string_view spec : example_topologies()) {
    CAPTURE(spec);
    const auto topology = parse_topology(spec);
    const auto neighbours_of = neighbours(*topology);
    std::size_t degree = 0;
    int diameter = 0;
    for (VertexId from = 0; from < topology->endpoints(); ++from) {
      degree = std::max(degree, neighbours_of[static_cast<std::size_t>(from)].size());
      const std::vector<int> distance = distances(neighbours_of, from);
      diameter = std::max(diameter, *std::max_element(distance.begin(), distance.begin() + topology->endpoints()));
    }
    CHECK(topology->properties().degree == static_cast<int>(degree));
    CHECK(topology->properties().diameter == diameter);
  }
}

TEST_CASE("the bisection is the narrowest of all even cuts") {
  std::vector<std::string> specs = {"torus:1", "mesh:1x1"};
  for (const char* family : {"torus:", "mesh:"}) add_grids(family, 1, 16, specs);
  for (int n = 1; n <= 9; ++n) {
    for (const char* family : {"fullmesh:", "star:"}) specs.push_back(family + std::to_string(n));
  }
  for (const std::string& spec : specs) {
    CAPTURE(spec);
    const auto topology = parse_topology(spec);
    CHECK(topology->properties().bisection == brute_force_bisection(*topology));
  }
}

}  // namespace heddle
