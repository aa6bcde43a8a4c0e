// SPDX-License-Identifier: Apache-2.0
// How far apart in time the ranks of a placement are.
#pragma once

#include "core/units.hpp"
#include "topo/fabric.hpp"
#include "topo/placement.hpp"

namespace heddle::emu {

/// The least latency of a way from one rank's endpoint to another's (Σ of Fabric::latency over its links), for the two ranks
/// that are farthest apart. Zero for a single rank. Every way counts, not only the routed ones: nothing is faster, relayed or
/// not. Exact for up to a few hundred ranks and on rings, tori, meshes, stars and full meshes of any size; else, where
/// looking from each rank would take too long, at most the true value.
Time longest_latency(const Fabric& fabric, const Placement& placement);

}  // namespace heddle::emu
