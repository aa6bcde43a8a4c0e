// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "topo/fabric/topology.hpp"

namespace heddle::pictures {

/// Links that a reader thinks of together.
struct LinkClass {
  std::string name;  ///< "dimension 0, up"; "leaf to spine, up"
  std::vector<LinkId> links;
};

/// Every link in one class: of a plain grid by dimension and direction, else by tier and, where switches are in layers, by
/// direction. None is empty.
std::vector<LinkClass> link_classes(const Topology& topology);

/// Whether switches are in layers: each cable joins neighbouring ones (levels() in show/fabric/cable_bundles.hpp).
bool is_layered(const Topology& topology, const std::vector<int>& level);

/// +1 or -1, the way a link leads along a line of a grid: over the border where it closes the line.
int step_along(int from, int to);

}  // namespace heddle::pictures
