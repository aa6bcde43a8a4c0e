// SPDX-License-Identifier: Apache-2.0
// Vertices and links of a topology by the names that it gives them.
#pragma once

#include <string_view>
#include <vector>

#include "topo/fabric/topology.hpp"

namespace heddle {

/// "5", "(0,1)", "s0", "leaf3": an endpoint by its number, anything by its name. Throws InputError with the nearest name, or,
/// where none is near, with `help`.
VertexId find_vertex(std::string_view name, const Topology& topology, std::string_view help);

/// All that lead straight from one vertex to another: cables may lie side by side. Throws InputError if there is none.
std::vector<LinkId> links_between(VertexId from, VertexId to, const Topology& topology);

/// At commas that stand in no parentheses: "(0,1)->(0,2),3->4".
std::vector<std::string_view> split_outside_parentheses(std::string_view text);

}  // namespace heddle
