// SPDX-License-Identifier: Apache-2.0
// How much can flow between two parts of a fabric's endpoints.
#pragma once

#include <vector>

#include "topo/topology.hpp"

namespace heddle {

/// The fewest links that must be cut so that nothing can go from the endpoints of part 0 to those of part 1, each switch on the
/// side where it costs less: a maximum flow (Dinic 1970; Even, Tarjan 1975 for links of equal capacity).
/// `part_of_endpoint` has a place for each endpoint.
int narrowest_cut(const Topology& topology, const std::vector<bool>& part_of_endpoint);

/// The same between the first ⌊N/2⌋ endpoints and the others.
int straight_cut(const Topology& topology);

}  // namespace heddle
