// SPDX-License-Identifier: Apache-2.0
// How much can flow between two parts of a fabric's endpoints.
#pragma once

#include <functional>
#include <vector>

#include "topo/fabric/topology.hpp"

namespace heddle {

/// The most that can flow from the endpoints of part 0 to those of part 1, each switch on the side where it costs less: a maximum
/// flow (topo/graph/max_flow.hpp) over all links, each with a finite capacity. `part_of_endpoint` has a place for each endpoint.
double flow_between_parts(const Topology& topology, const std::vector<bool>& part_of_endpoint,
                          const std::function<double(LinkId)>& capacity_of);

/// The fewest links that must be cut so that nothing can go from the endpoints of part 0 to those of part 1.
int narrowest_cut(const Topology& topology, const std::vector<bool>& part_of_endpoint);

/// Part 0: the first ⌊N/2⌋ endpoints; part 1: the others.
std::vector<bool> straight_halves(const Topology& topology);

/// The narrowest cut between these.
int straight_cut(const Topology& topology);

}  // namespace heddle
