// SPDX-License-Identifier: Apache-2.0
// How much can flow from one vertex of a graph to another, and between two parts of a fabric's endpoints.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "topo/fabric/topology.hpp"

namespace heddle {

/// A way from one vertex to another, and how much it can carry: any unit, 0 or more, finite. Its opposite is an arc of its own.
struct FlowArc {
  int from = 0;
  int to = 0;
  double capacity = 0;
};

/// The most that can flow from `source` to `sink` over arcs between vertices 0 … vertices-1; there may be several between two.
/// Capacities that are whole numbers below 2^53 give a whole number. Dinic's algorithm (1970).
double maximum_flow(int vertices, const std::vector<FlowArc>& arcs, int source, int sink);

/// The most that can flow from the endpoints of part 0 to those of part 1, each switch on the side where it costs less: a maximum
/// flow over all links, each with a finite capacity. `part_of_endpoint` has a place for each endpoint.
double flow_between_parts(const Topology& topology, const std::vector<bool>& part_of_endpoint,
                          const std::function<double(LinkId)>& capacity_of);

/// The fewest links that must be cut so that nothing can go from the endpoints of part 0 to those of part 1.
int narrowest_cut(const Topology& topology, const std::vector<bool>& part_of_endpoint);

/// Part 0: the first ⌊N/2⌋ endpoints; part 1: the others.
std::vector<bool> straight_halves(const Topology& topology);

/// The narrowest cut between these.
int straight_cut(const Topology& topology);

}  // namespace heddle
