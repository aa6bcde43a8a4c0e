// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/fabric_spec.hpp"

#include <utility>

#include "lab/grammar/flag_value.hpp"
#include "lab/grammar/tier_values.hpp"

namespace heddle {

FabricSettings settings_of(const FabricSpec& spec, std::vector<LinkSpeed> of_topology) {
  FabricSettings settings;
  if (!of_topology.empty()) settings.tiers = std::move(of_topology);
  if (!spec.preset.empty()) settings = read_flag("--preset", spec.preset, find_fabric_preset).settings;
  const auto set_tiers = [&](const auto& values, auto LinkSpeed::*member) {
    if (!values.empty()) set_by_tier(settings.tiers, member, values);
  };
  set_tiers(spec.bandwidth, &LinkSpeed::bandwidth);
  set_tiers(spec.latency, &LinkSpeed::latency);
  set_tiers(spec.eta_alpha, &LinkSpeed::eta_alpha);
  set_tiers(spec.eta_beta, &LinkSpeed::eta_beta);
  settings.hop = spec.hop.value_or(settings.hop);
  settings.alpha = spec.alpha.value_or(settings.alpha);
  settings.gamma = spec.gamma.value_or(settings.gamma);
  settings.send_overhead = spec.send_overhead.value_or(settings.send_overhead);
  settings.recv_overhead = spec.recv_overhead.value_or(settings.recv_overhead);
  settings.routing = spec.routing.value_or(settings.routing);
  return settings;
}

Fabric build_fabric(const FabricSpec& spec, std::string_view topology_flag) {
  std::shared_ptr<const Topology> topology = read_flag(topology_flag, spec.topology, parse_topology);
  FabricSettings settings = settings_of(spec, topology->tier_speeds());
  return {std::move(topology), std::move(settings)};
}

}  // namespace heddle
