// SPDX-License-Identifier: Apache-2.0
// Topologies by their text, "torus:8x8".
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "topo/fabric/topology.hpp"

namespace heddle {

/// "ring:16", "torus:8x8x4", "mesh:4x4", "fullmesh:8", "star:72". Throws InputError that names the text, the reason and an
/// example; an unknown family gets the nearest name.
std::shared_ptr<const Topology> parse_topology(std::string_view spec);

/// The families that parse_topology knows: name, form, one sentence.
struct TopologyFamily {
  std::string_view name;
  std::string_view example;
  std::string_view summary;
  bool reads_file = false;  ///< the example names a file, which is not there
};
const std::vector<TopologyFamily>& topology_families();

}  // namespace heddle
