// SPDX-License-Identifier: Apache-2.0
// A fabric's cables as a drawing has them: parallel ones as one.
#pragma once

#include <vector>

#include "topo/fabric/topology.hpp"

namespace heddle {

/// All cables between two vertices. The upper one is farther from the endpoints, or has the smaller number.
struct CableBundle {
  VertexId upper;
  VertexId lower;
  int tier;
  int cables;
};

/// By upper, then by lower end. A link without a link back is a cable, too.
std::vector<CableBundle> cable_bundles(const Topology& topology);

/// Whether all vertices are on a grid whose cables are those of a mesh, or of a torus if it wraps, one each, and there are no
/// others.
bool is_plain_grid(const Topology& topology);

/// How many links a vertex is from the nearest endpoint: endpoints 0, leaves 1, spines 2. A switch that no endpoint reaches:
/// -1.
std::vector<int> levels(const Topology& topology);

}  // namespace heddle
