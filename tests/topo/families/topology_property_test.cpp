// SPDX-License-Identifier: Apache-2.0
// What holds for every topology: links are numbered without holes, and routes are shortest walks over them.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/catch.hpp"
#include "tests/drawn.hpp"
#include "tests/topo/topology_examples.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/spec/topology_spec.hpp"

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

/// Whether routes are shortest walks of the whole graph. A dragonfly's are shortest among those over one global link.
bool routes_are_shortest(const Topology& topology) { return !topology.spec().starts_with("dragonfly:"); }

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

/// The least number of cables between two halves of the endpoints, over all ways to halve them and to put each switch on a
/// side.
int brute_force_bisection(const Topology& topology) {
  const auto endpoints = static_cast<unsigned>(topology.endpoints());
  const auto switches = static_cast<unsigned>(topology.switches());
  std::map<std::pair<VertexId, VertexId>, int> cables;
  for (LinkId link = 0; link < topology.links(); ++link) {
    const LinkEnds ends = topology.ends(link);
    if (ends.from < ends.to) ++cables[{ends.from, ends.to}];
  }
  const auto width = [&](std::uint32_t side) {
    int cut = 0;
    for (const auto& [pair, parallel] : cables) cut += ((side >> pair.first ^ side >> pair.second) & 1) != 0 ? parallel : 0;
    return cut;
  };
  int narrowest = std::numeric_limits<int>::max();
  for (std::uint32_t side = 0; side < std::uint32_t{1} << (endpoints + switches); ++side) {
    const std::uint32_t half = side & ((std::uint32_t{1} << endpoints) - 1);
    if (std::popcount(half) == static_cast<int>(endpoints / 2)) narrowest = std::min(narrowest, width(side));
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
  testing::property("between the same vertices there are as many one way as the other", [] {
    const auto topology = parse_topology(specs());
    std::map<std::pair<VertexId, VertexId>, int> cables;
    for (LinkId link = 0; link < topology->links(); ++link) {
      const LinkEnds ends = topology->ends(link);
      for (VertexId vertex : {ends.from, ends.to})
        RC_ASSERT(vertex >= 0 && vertex < topology->endpoints() + topology->switches());
      RC_ASSERT(ends.from != ends.to);
      ++cables[{ends.from, ends.to}];
    }
    for (const auto& [ends, count] : cables) {
      const auto back = cables.find({ends.second, ends.first});
      RC_ASSERT(back != cables.end());
      RC_ASSERT(back->second == count);
    }
    RC_ASSERT(topology->properties().cables * 2 == topology->links());
  });
}

TEST_CASE("routes are shortest walks whose shares add up to 1") {
  testing::property("from any endpoint to any other", [] {
    const auto topology = parse_topology(specs());
    const VertexId from = number_in(0, topology->endpoints() - 1);
    const std::vector<int> distance = distances(neighbours(*topology), from);
    const bool shortest = routes_are_shortest(*topology);
    Route route;
    for (VertexId to = 0; to < topology->endpoints(); ++to) {
      for (Routing routing : {Routing::split(), Routing::deterministic(), Routing::ecmp(7)}) {
        topology->route(from, to, routing, route);
        std::set<std::vector<LinkId>> different;
        double shares = 0;
        std::size_t links = 0;
        for (const Route::Path& path : route.paths()) {
          const auto spread = spread_along(*topology, from, route, path);
          RC_ASSERT(!spread.empty());
          RC_ASSERT(spread.back().count(to) == 1);
          RC_ASSERT(!shortest || path.count == distance[static_cast<std::size_t>(to)]);
          RC_ASSERT(std::abs(path.share * static_cast<double>(route.paths().size()) - 1) < 1e-9);
          const auto first = route.links().begin() + path.first;
          RC_ASSERT(different.emplace(first, first + path.count).second);
          RC_ASSERT(routing.splits() || *std::max_element(first, first + path.count) < topology->links());
          shares += path.share;
          links += static_cast<std::size_t>(path.count);
        }
        RC_ASSERT(links == route.links().size());
        RC_ASSERT(std::abs(shares - (from == to ? 0.0 : 1.0)) < 1e-9);
        if (!routing.splits()) RC_ASSERT(route.paths().size() == (from == to ? 0U : 1U));
      }
    }
  });
}

TEST_CASE("a trunk's links know it, and a split route takes all of them or none") {
  testing::property("any topology", [] {
    const auto topology = parse_topology(specs());
    std::vector<LinkId> trunk_of(static_cast<std::size_t>(topology->links()));
    for (LinkId link = 0; link < topology->links(); ++link) trunk_of[static_cast<std::size_t>(link)] = link;
    for (LinkId trunk = topology->links(); trunk < topology->links() + topology->trunks(); ++trunk) {
      for (LinkId link : links_of(*topology, trunk)) {
        RC_ASSERT(link >= 0 && link < topology->links());
        RC_ASSERT(trunk_of[static_cast<std::size_t>(link)] == link);
        RC_ASSERT(topology->tier(link) == topology->tier(topology->trunk(trunk).first));
        trunk_of[static_cast<std::size_t>(link)] = trunk;
      }
    }
    for (LinkId link = 0; link < topology->links(); ++link)
      RC_ASSERT(topology->trunk_of(link) == trunk_of[static_cast<std::size_t>(link)]);
    const VertexId from = number_in(0, topology->endpoints() - 1);
    for (VertexId to = 0; to < topology->endpoints(); ++to) {
      const Route route = route_between(*topology, from, to);
      for (LinkId entry : route.links()) {
        RC_ASSERT(entry >= topology->links() || topology->trunk_of(entry) == entry);
      }
    }
  });
}

TEST_CASE("groups of near endpoints are parts of those of the next tier, the last is one") {
  testing::property("any topology", [] {
    const auto topology = parse_topology(specs());
    const int tiers = topology->group_tiers();
    RC_ASSERT(tiers >= 1);
    for (int tier = 0; tier + 1 < tiers; ++tier) {
      std::map<int, int> outer;
      for (VertexId endpoint = 0; endpoint < topology->endpoints(); ++endpoint) {
        const int around = topology->group(endpoint, tier + 1);
        RC_ASSERT(outer.emplace(topology->group(endpoint, tier), around).first->second == around);
      }
    }
    for (VertexId endpoint = 0; endpoint < topology->endpoints(); ++endpoint)
      RC_ASSERT(topology->group(endpoint, tiers - 1) == 0);
  });
}

TEST_CASE("a route on a grid splits once for each tied dimension and finishes one dimension before the next") {
  testing::property("torus, mesh and ring", [] {
    const auto topology = parse_topology(grid_specs());
    const Grid& grid = *topology->grid();
    const VertexId from = number_in(0, topology->endpoints() - 1);
    const VertexId to = number_in(0, topology->endpoints() - 1);
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
  const std::vector<double> load = all_to_all_loads(*torus);
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
    Route route;
    for (VertexId from = 0; from < topology->endpoints(); ++from) {
      degree = std::max(degree, neighbours_of[static_cast<std::size_t>(from)].size());
      if (routes_are_shortest(*topology)) {
        const std::vector<int> distance = distances(neighbours_of, from);
        diameter = std::max(diameter, *std::max_element(distance.begin(), distance.begin() + topology->endpoints()));
      } else {
        for (VertexId to = 0; to < topology->endpoints(); ++to) {
          topology->route(from, to, Routing::deterministic(), route);
          diameter = std::max(diameter, static_cast<int>(route.links().size()));
        }
      }
    }
    CHECK(topology->properties().degree == static_cast<int>(degree));
    CHECK(topology->properties().diameter == diameter);
  }
}

TEST_CASE("switches and cables of the tiers add up") {
  for (std::string_view spec : example_topologies()) {
    CAPTURE(spec);
    const auto topology = parse_topology(spec);
    const TopologyProperties facts = topology->properties();
    int switches = 0;
    std::vector<int> links(facts.tiers.size());
    for (LinkId link = 0; link < topology->links(); ++link) ++links.at(static_cast<std::size_t>(topology->tier(link)));
    for (std::size_t tier = 0; tier < links.size(); ++tier) {
      CHECK(2 * facts.tiers[tier].cables == links[tier]);
      switches += facts.tiers[tier].switches;
    }
    CHECK(switches == topology->switches());
    CHECK(facts.switches == topology->switches());
  }
}

TEST_CASE("runs are the route's links in the route's order") {
  testing::property("and two of them are the same or have no link in common", [] {
    const auto topology = parse_topology(specs());
    const Routing routing = drawn::one_of({Routing::split(), Routing::deterministic(), Routing::ecmp(7)});
    const VertexId from = drawn::number(0, topology->endpoints());
    const VertexId to = drawn::number(0, topology->endpoints());
    Route route;
    RunRoute in_runs;
    topology->route(from, to, routing, route);
    topology->route_in_runs(from, to, routing, in_runs);
    RC_ASSERT(in_runs.paths().size() == route.paths().size());
    std::map<LinkId, std::tuple<LinkId, std::int32_t, std::int32_t>> run_of;
    for (std::size_t p = 0; p < route.paths().size(); ++p) {
      std::vector<LinkId> links;
      for (const LinkRun& run : in_runs.runs(in_runs.paths()[p])) {
        for (std::int32_t i = 0; i < run.count; ++i) {
          links.push_back(run[i]);
          const std::tuple whole(run.first, run.stride, run.count);
          RC_ASSERT(run_of.try_emplace(run[i], whole).first->second == whole);
        }
      }
      const auto first = route.links().begin() + route.paths()[p].first;
      RC_ASSERT(links == std::vector<LinkId>(first, first + route.paths()[p].count));
      RC_ASSERT(in_runs.paths()[p].links == route.paths()[p].count);
      RC_ASSERT(in_runs.paths()[p].share == route.paths()[p].share);
    }
  });
}

TEST_CASE("the bisection is the narrowest of all even cuts") {
  std::vector<std::string> specs = {"torus:1", "mesh:1x1"};
  for (const char* family : {"torus:", "mesh:"}) add_grids(family, 1, 16, specs);
  add_grids("hyperx:", 1, 16, specs);
  for (const char* cube : {"hypercube:1", "hypercube:2", "hypercube:3", "hypercube:4"}) specs.emplace_back(cube);
  for (int n = 1; n <= 9; ++n) {
    for (const char* family : {"fullmesh:", "star:"}) specs.push_back(family + std::to_string(n));
  }
  for (const char* spec : {"clos:hosts=4,leaves=1,spines=2",
                           "clos:hosts=2,leaves=4,spines=2",
                           "clos:hosts=3,leaves=3,spines=1",
                           "clos:hosts=3,leaves=3,spines=2",
                           "clos:hosts=2,leaves=5,spines=1",
                           "clos:hosts=4,leaves=2,spines=2,cables=2",
                           "clos:hosts=4,leaves=2,spines=1,cables=2",
                           "clos:hosts=2,leaves=2,spines=1,pods=2,cores=1",
                           "clos:hosts=1,leaves=2,spines=1,pods=3,cores=2",
                           "clos:hosts=3,leaves=1,spines=1,pods=3,cores=1",
                           "clos:hosts=3,leaves=1,spines=2,pods=2,cores=2,planes=2",
                           "clos:hosts=2,leaves=2,spines=2,pods=2,cores=2,planes=2",
                           "fattree:k=2",
                           "superpod:pods=1,gpus=4,trays=2",
                           "superpod:pods=1,gpus=9,trays=3",
                           "superpod:pods=2,gpus=4,trays=2",
                           "superpod:pods=3,gpus=3,trays=1,ports=6",
                           "superpod:pods=3,gpus=3,trays=1,ports=4",
                           "superpod:pods=4,gpus=2,trays=1",
                           "superpod:pods=2,gpus=4,trays=2,ports=8,layout=pod-local",
                           "superpod:pods=3,gpus=3,trays=3,ports=6",
                           "superpod:pods=4,gpus=2,trays=1,ports=3,oversubscription=2",
                           "superpod:pods=3,gpus=2,trays=2,ports=6,oversubscription=2"})
    specs.emplace_back(spec);
  for (const std::string& spec : specs) {
    CAPTURE(spec);
    const auto topology = parse_topology(spec);
    CHECK(topology->properties().bisection == brute_force_bisection(*topology));
  }
}

}  // namespace heddle
