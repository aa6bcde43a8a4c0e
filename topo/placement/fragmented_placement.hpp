// SPDX-License-Identifier: Apache-2.0
// Where a batch system puts a job on a busy machine.
#pragma once

#include <cstdint>

#include "topo/placement/placement.hpp"

namespace heddle {

/// Ranks in the order of the endpoints, in runs of 1 to 16 neighbours with gaps between, somewhere on the machine: of the
/// endpoints that the job spans, at most half belong to others. Groups get uneven numbers of ranks, but near ranks stay near,
/// as on machines that hand out free nodes in order. Drawn by seed, the same on every machine. Throws InputError as
/// linear_placement.
Placement fragmented_placement(int ranks, const Topology& topology, std::uint64_t seed);

}  // namespace heddle
