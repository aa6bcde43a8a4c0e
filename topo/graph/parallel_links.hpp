// SPDX-License-Identifier: Apache-2.0
// Links of one tier side by side: the NICs of a pod, the uplinks of a leaf. Pure.
#pragma once

#include <vector>

#include "topo/fabric/topology.hpp"

namespace heddle {

/// A part of a fabric that links of lower tiers join, and the links of one tier that leave it.
struct ParallelLinks {
  std::vector<VertexId> endpoints;  ///< of the part, ascending; at least one
  std::vector<LinkId> links;        ///< ascending; at least one
};

/// Of each part of the fabric that has an endpoint, the links of `tier` that leave it; by the part's first endpoint.
std::vector<ParallelLinks> parallel_links(const Topology& topology, int tier);

}  // namespace heddle
