// SPDX-License-Identifier: Apache-2.0
// A fabric as a value: its shape as text, and the speeds that are not the usual ones.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/units.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/fabric/routing.hpp"
#include "topo/presets/preset_file.hpp"

namespace heddle {

/// What is not set is the preset's, or without one the topology's own, or FabricSettings' default.
struct FabricSpec {
  std::string topology = {};  ///< "torus:8x8": topo/spec/topology_spec.hpp
  std::string preset = {};    ///< "swing-nsdi24", "file:fitted.json"; empty: none

  // One value for each tier of links, innermost first, of which the last serves all tiers beyond; empty: not set.
  std::vector<Bandwidth> bandwidth = {};
  std::vector<Time> latency = {};
  std::vector<double> eta_alpha = {};
  std::vector<double> eta_beta = {};

  std::optional<Time> hop = {};
  std::optional<Time> host_link = {};
  std::optional<Time> alpha = {};
  std::optional<double> gamma = {};  ///< seconds of local work per byte
  std::optional<Time> send_overhead = {};
  std::optional<Time> recv_overhead = {};
  std::optional<Routing> routing = {};

  bool operator==(const FabricSpec&) const = default;
};

/// Whether one of --bw, --latency, --eta-alpha and --eta-beta has several values.
bool has_lists(const FabricSpec& spec);

/// How many values these may have. Takes a while on a large fabric.
std::size_t tiers_of_links(const Topology& topology);

/// Throws InputError if --bw, --latency, --eta-alpha or --eta-beta has values for more tiers than there are; `fabric` names whose.
void require_tiers(const FabricSpec& spec, std::size_t tiers, std::string_view fabric);

/// The fit that the speeds come from: of a preset in a file that has a record of it, unless another speed is set. Throws InputError.
std::optional<FitRecord> fit_record_of(const FabricSpec& spec);

/// Whether build_fabric refuses values for more tiers of links than the topology has.
enum class SurplusTiers { refused, accepted };

/// Throws InputError that names the flag which says it; `topology_flag` is what it calls the topology's.
Fabric build_fabric(const FabricSpec& spec, std::string_view topology_flag = "--topo",
                    SurplusTiers surplus = SurplusTiers::refused);

/// The speeds alone; `of_topology` are the topology's own, if it has some.
FabricSettings settings_of(const FabricSpec& spec, std::vector<LinkSpeed> of_topology = {});

}  // namespace heddle
