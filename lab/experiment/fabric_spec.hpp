// SPDX-License-Identifier: Apache-2.0
// A fabric as a value: its shape as text, and the speeds that are not the usual ones.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/units.hpp"
#include "topo/fabric.hpp"
#include "topo/routing.hpp"

namespace heddle {

/// What is not set is the preset's, or without one the topology's own, or FabricSettings' default.
struct FabricSpec {
  std::string topology = {};  ///< "torus:8x8": topo/topology_spec.hpp
  std::string preset = {};    ///< "swing-nsdi24"; empty: none

  // One value for each tier of links, innermost first, of which the last serves all tiers beyond; empty: not set.
  std::vector<Bandwidth> bandwidth = {};
  std::vector<Time> latency = {};
  std::vector<double> eta_alpha = {};
  std::vector<double> eta_beta = {};

  std::optional<Time> hop = {};
  std::optional<Time> alpha = {};
  std::optional<double> gamma = {};  ///< seconds of local work per byte
  std::optional<Time> send_overhead = {};
  std::optional<Time> recv_overhead = {};
  std::optional<Routing> routing = {};

  bool operator==(const FabricSpec&) const = default;
};

/// Throws InputError that names the flag which says it; `topology_flag` is what it calls the topology's.
Fabric build_fabric(const FabricSpec& spec, std::string_view topology_flag = "--topo");

/// The speeds alone; `of_topology` are the topology's own, if it has some.
FabricSettings settings_of(const FabricSpec& spec, std::vector<LinkSpeed> of_topology = {});

}  // namespace heddle
