// SPDX-License-Identifier: Apache-2.0
// A fabric for Graphviz.
#pragma once

#include <ostream>

#include "topo/fabric/topology.hpp"

namespace heddle {

/// Writes an undirected graph in the DOT language: switches as boxes above endpoints, layer by layer; rings and grids of two
/// dimensions at their coordinates; parallel cables as one edge that says how many ("x18"); a colour per tier of links. Throws
/// InputError if there are too many cables to draw.
void write_dot(const Topology& topology, std::ostream& out);

}  // namespace heddle
