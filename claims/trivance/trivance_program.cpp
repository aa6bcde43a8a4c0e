// SPDX-License-Identifier: Apache-2.0
#include "claims/trivance/trivance_program.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/errors.hpp"
#include "core/grid.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::claims::trivance_parts {

namespace {

/// Hops between two ranks of a torus.
int distance(const Grid& grid, int from, int to) {
  int hops = 0;
  for (int d = 0; d < grid.dimensions(); ++d) {
    const int size = grid.dims()[static_cast<std::size_t>(d)];
    const int ahead = (grid.coordinate(Rank(to), d) - grid.coordinate(Rank(from), d) + size) % size;
    hops += std::min(ahead, size - ahead);
  }
  return hops;
}

}  // namespace

double barrier_microseconds(std::string_view topology) {
  constexpr double kHosts = 0.3;
  constexpr double kHop = 0.2;
  const auto fabric = parse_topology(topology);
  const Grid* grid = fabric->grid();
  if (grid == nullptr) throw UsageError("the barrier's distances are those of a grid");
  std::vector<double> below(static_cast<std::size_t>(fabric->endpoints()));  // the longest way up to each rank
  for (int rank = fabric->endpoints() - 1; rank > 0; --rank) {
    const int parent = (rank - 1) / 2;
    double& longest = below[static_cast<std::size_t>(parent)];
    longest = std::max(longest, below[static_cast<std::size_t>(rank)] + kHosts + kHop * distance(*grid, rank, parent));
  }
  return 2 * below.front();
}

std::vector<Standing> with_barrier(std::vector<Standing> standings, double microseconds) {
  for (Standing& standing : standings) standing.microseconds += microseconds;
  return standings;
}

}  // namespace heddle::claims::trivance_parts
