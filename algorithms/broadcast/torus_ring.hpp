// SPDX-License-Identifier: Apache-2.0
// Broadcast along the lines of a grid, one dimension after the other. The story is in torus_ring.cpp.
#pragma once

#include "algorithms/schedule/grid_tree.hpp"
#include "algorithms/schedule/segments.hpp"
#include "core/communicator.hpp"

namespace heddle::broadcast {

/// As BroadcastFunction.
void torus_ring(Communicator& comm, VectorView vector, Rank root, schedule::LineWays ways, schedule::Segments segments);

}  // namespace heddle::broadcast
