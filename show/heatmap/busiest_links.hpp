// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/units.hpp"
#include "show/heatmap/link_load.hpp"
#include "topo/fabric/fabric.hpp"

namespace heddle::pictures {

/// A link of a list of the most loaded.
struct BusyLink {
  std::string name;  ///< "leaf3->spine0"
  std::string load;  ///< with its unit; of bytes all digits: "57344 B"
  std::string tier;  ///< "leaf to spine"
  Bandwidth bandwidth;
};

/// "0->1: slow=4, 38.4%", of at most `count` links with faults, by number; the last says how many more there are.
std::vector<std::string> faulty_links(const LinkLoads& loads, const Topology& topology, std::size_t count);

/// In the order of LinkLoads::busiest.
std::vector<BusyLink> busiest_links(const LinkLoads& loads, const Fabric& fabric, std::size_t count);

}  // namespace heddle::pictures
