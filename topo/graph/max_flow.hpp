// SPDX-License-Identifier: Apache-2.0
// How much can flow from one vertex of a graph to another.
#pragma once

#include <cstddef>
#include <vector>

namespace heddle {

/// A way from one vertex to another, and how much it can carry: any unit, 0 or more, finite. Its opposite is an arc of its own.
struct FlowArc {
  int from = 0;
  int to = 0;
  double capacity = 0;
};

/// The most that can flow from `source` to `sink` over arcs between vertices 0 … vertices-1; there may be several between two.
/// Capacities that are whole numbers below 2^53 give a whole number. Dinic's algorithm (1970).
double maximum_flow(int vertices, const std::vector<FlowArc>& arcs, int source, int sink);

}  // namespace heddle
