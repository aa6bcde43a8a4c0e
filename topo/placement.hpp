// SPDX-License-Identifier: Apache-2.0
// Which rank sits on which endpoint.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "topo/topology.hpp"

namespace heddle {

/// endpoint[r] is where rank r sits; no two ranks share one.
using Placement = std::vector<VertexId>;

/// Rank r on endpoint r. Throws InputError if there are more ranks than endpoints.
Placement linear_placement(int ranks, const Topology& topology);
/// Drawn by seed; the same seed gives the same placement on every machine.
Placement random_placement(int ranks, const Topology& topology, std::uint64_t seed);
/// One endpoint per line, rank 0 first; blank lines and lines that begin with # are skipped. Throws InputError with the line
/// number.
Placement placement_from_file(const std::string& path, int ranks, const Topology& topology);

/// The seed of a "random" that names none.
inline constexpr std::uint64_t kDefaultPlacementSeed = 1;

/// "linear", "random", "random:SEED" or "file:PATH". Throws InputError.
Placement parse_placement(std::string_view text, int ranks, const Topology& topology);

}  // namespace heddle
