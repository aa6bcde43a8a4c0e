// SPDX-License-Identifier: Apache-2.0
// Loads of links in letters, for a terminal.
#pragma once

#include <string>

#include "show/heatmap/link_load.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/placement/placement.hpp"

namespace heddle::pictures {

/// Plain ASCII of at most 128 columns, for any fabric: a digit for each link where they fit, one for several where not, then a
/// table of loads by direction and the most loaded links. Digits are ninths of the loads' scale, '.' is nothing.
std::string ascii_heatmap(const LinkLoads& loads, const Fabric& fabric, const Placement& placement);

}  // namespace heddle::pictures
