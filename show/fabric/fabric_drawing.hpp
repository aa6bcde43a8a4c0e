// SPDX-License-Identifier: Apache-2.0
// A small fabric as a picture of letters.
#pragma once

#include <optional>
#include <string>

#include "topo/fabric/topology.hpp"

namespace heddle {

/// Rings, and grids of one and two dimensions, as their cables run; switched fabrics as layers of boxes with the endpoints
/// below, where cables join neighbouring layers only. No value for others, and for what is wider or higher than a screen.
std::optional<std::string> draw_fabric(const Topology& topology);

}  // namespace heddle
