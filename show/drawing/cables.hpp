// SPDX-License-Identifier: Apache-2.0
// A fabric's cables as a drawing has them: parallel ones as one, links in classes.
#pragma once

#include <string>
#include <vector>

#include "topo/fabric/topology.hpp"

namespace heddle {

// A fabric's cables as a drawing has them: parallel ones as one.

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

namespace heddle::pictures {

/// Links that a reader thinks of together.
struct LinkClass {
  std::string name;  ///< "dimension 0, up"; "leaf to spine, up"
  std::vector<LinkId> links;
};

/// Every link in one class: of a plain grid by dimension and direction, else by tier and, where switches are in layers, by
/// direction. None is empty.
std::vector<LinkClass> link_classes(const Topology& topology);

/// Whether switches are in layers: each cable joins neighbouring ones (levels() in show/drawing/cables.hpp).
bool is_layered(const Topology& topology, const std::vector<int>& level);

/// +1 or -1, the way a link leads along a line of a grid: over the border where it closes the line.
int step_along(int from, int to);

}  // namespace heddle::pictures
