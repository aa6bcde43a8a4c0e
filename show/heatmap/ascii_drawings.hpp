// SPDX-License-Identifier: Apache-2.0
// Fabrics in digits, for ascii_heatmap: lines of at most 128 columns that end with a line feed; empty where a fabric has none.
// `rank` is the rank on each endpoint, -1: none.
#pragma once

#include <string>
#include <vector>

#include "show/drawing/drawing.hpp"
#include "show/heatmap/link_load.hpp"
#include "topo/fabric/topology.hpp"

namespace heddle::pictures {

/// A plain grid of one or two dimensions: each endpoint with the loads of the links that leave it; larger ones a digit for each
/// endpoint or block of endpoints.
std::string ascii_grid(const LinkLoads& loads, const Topology& topology, const std::vector<int>& rank);

/// Switches in layers: a line or two for each switch, a digit for each of those below it.
std::string ascii_layers(const LinkLoads& loads, const Topology& topology, const std::vector<int>& rank);

/// Endpoints joined by links of their own: a row for each sender, a column for each receiver.
std::string ascii_matrix(const LinkLoads& loads, const Topology& topology, const std::vector<int>& rank);

/// '.' or '1' … '9'.
char load_digit(const LinkLoads& loads, double load);

}  // namespace heddle::pictures
