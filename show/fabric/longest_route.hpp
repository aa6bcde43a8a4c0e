// SPDX-License-Identifier: Apache-2.0
// How long the farthest message is on its way once it has left.
#pragma once

#include <cstddef>

#include "core/units.hpp"
#include "topo/fabric/fabric.hpp"

namespace heddle {

struct LongestRoute {
  Time latency;       ///< L(P) of the longest path of any route between endpoints
  bool exact = true;  ///< false: of those looked at, so that it is at least this
  /// Of the routes looked at, some have ways of unequal width: each is filled by what it can carry (topo/fabric/ways.hpp).
  bool has_unequal_ways = false;
  std::size_t most_ways = 0;  ///< of one of them
};

/// Looks at the routes between all endpoints, two of those that hang on the same switches by the same links; of fabrics that
/// are too large for that, at those from a few endpoints: each time the one farthest from the last, then in order.
LongestRoute longest_route(const Fabric& fabric);

}  // namespace heddle
