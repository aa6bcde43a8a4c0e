// SPDX-License-Identifier: Apache-2.0
// How long the farthest message is on its way once it has left.
#pragma once

#include "core/units.hpp"
#include "topo/fabric/fabric.hpp"

namespace heddle {

struct LongestRoute {
  Time latency;       ///< L(P) of the longest path of any route between endpoints
  bool exact = true;  ///< false: of those looked at, so that it is at least this
};

/// Looks at the routes between all endpoints, two of those that hang on the same switches by the same links; of fabrics that
/// are too large for that, at those from a few endpoints: each time the one farthest from the last, then in order.
LongestRoute longest_route(const Fabric& fabric);

}  // namespace heddle
