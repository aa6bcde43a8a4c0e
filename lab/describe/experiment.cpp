// SPDX-License-Identifier: Apache-2.0
#include "lab/describe/experiment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/affine.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/flag_value.hpp"
#include "topo/files/file_graph.hpp"
#include "topo/presets/fabric_presets.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

bool is_in_place_by_default(Collective collective) { return collective != Collective::alltoall; }

Datatype type_of(const Experiment& experiment) {
  if (experiment.type) return *experiment.type;
  return reduces(experiment.collective) && experiment.op == &affine_op() ? affine_type() : Datatype::i32();
}

std::string type_name(const Experiment& experiment) {
  const Datatype type = type_of(experiment);
  return reduces(experiment.collective) && type == affine_type() ? affine_op().name() : to_string(type);
}

std::string op_name(const Experiment& experiment) { return reduces(experiment.collective) ? experiment.op->name() : "none"; }

int shown_root(const Experiment& experiment) { return has_root(experiment.collective) ? experiment.root : -1; }

bool has_lists(const FabricSpec& spec) {
  const auto is_list = [](const auto& tiers) { return tiers.values.size() > 1 || tiers.by_dimension; };
  return is_list(spec.bandwidth) || is_list(spec.latency) || is_list(spec.eta_alpha) || is_list(spec.eta_beta);
}

std::size_t tiers_of_links(const Topology& topology) { return std::max<std::size_t>(1, topology.properties().tiers.size()); }

std::optional<FitRecord> fit_record_of(const FabricSpec& spec) {
  constexpr std::string_view kFile = "file:";
  if (!spec.preset.starts_with(kFile)) return std::nullopt;
  FabricSpec untouched;
  untouched.topology = spec.topology;
  untouched.preset = spec.preset;
  untouched.routing = spec.routing;
  if (spec != untouched) return std::nullopt;
  return read_flag("--preset", spec.preset,
                   [&](std::string_view preset) { return read_fit_record(std::string(preset.substr(kFile.size()))); });
}

FabricSettings settings_of(const FabricSpec& spec, std::vector<LinkSpeed> of_topology) {
  FabricSettings settings;
  if (!of_topology.empty()) settings.tiers = std::move(of_topology);
  if (!spec.preset.empty()) settings = read_flag("--preset", spec.preset, preset_settings);
  set_by_tier(settings.tiers, &LinkSpeed::bandwidth, spec.bandwidth);
  set_by_tier(settings.tiers, &LinkSpeed::latency, spec.latency);
  set_by_tier(settings.tiers, &LinkSpeed::eta_alpha, spec.eta_alpha);
  set_by_tier(settings.tiers, &LinkSpeed::eta_beta, spec.eta_beta);
  settings.hop = spec.hop.value_or(settings.hop);
  settings.host_link = spec.host_link.value_or(settings.host_link);
  settings.alpha = spec.alpha.value_or(settings.alpha);
  settings.gamma = spec.gamma.value_or(settings.gamma);
  settings.send_overhead = spec.send_overhead.value_or(settings.send_overhead);
  settings.recv_overhead = spec.recv_overhead.value_or(settings.recv_overhead);
  settings.routing = spec.routing.value_or(settings.routing);
  return settings;
}

void require_tiers(const FabricSpec& spec, std::size_t tiers, std::string_view fabric) {
  const auto require = [&](std::string_view flag, std::size_t values) {
    if (values > tiers)
      throw InputError(fmt::format("{}: {} values, one for each tier of links, and {} has {} tier{}; give at most {}", flag,
                                   values, fabric, tiers, tiers == 1 ? "" : "s", tiers));
  };
  require("--bw", spec.bandwidth.values.size());
  require("--latency", spec.latency.values.size());
  require("--eta-alpha", spec.eta_alpha.values.size());
  require("--eta-beta", spec.eta_beta.values.size());
}

void require_host_links(const FabricSpec& spec, bool is_direct, std::string_view fabric) {
  if (is_direct || spec.host_link.value_or(Time()) == Time()) return;
  throw InputError(fmt::format(
      "--host-link: hosts of {} are joined by links of their own, whose latency is --latency; leave it out", fabric));
}

namespace {

/// How many, if each tier of its links is a dimension, else 0. Takes a while on a large fabric.
std::size_t dimensions_of_links(const Topology& topology) {
  const std::vector<TierProperties> tiers = topology.properties().tiers;
  if (tiers.size() <= 1) return topology.grid() != nullptr && topology.grid()->dimensions() == 1 ? 1 : 0;
  for (std::size_t d = 0; d < tiers.size(); ++d) {
    const std::string name = fmt::format("dimension {}", d);  // of a product "dimension 0, ring"
    if (tiers[d].name != name && !tiers[d].name.starts_with(name + ',')) return 0;
  }
  return tiers.size();
}

/// Throws InputError if a flag names other dimensions than those that the topology has tiers of.
void require_dimensions(const FabricSpec& spec, const Topology& topology) {
  const auto require = [&](std::string_view flag, const auto& tiers) {
    if (!tiers.by_dimension) return;
    const std::size_t dimensions = dimensions_of_links(topology);
    const std::size_t named = tiers.values.size();
    if (dimensions == named) return;
    if (dimensions == 0)
      throw InputError(fmt::format("{}: it names dimensions, and {} has tiers of links; give a list, innermost first", flag,
                                   topology.spec()));
    throw InputError(fmt::format("{}: '{}' is {}; the dimensions of {} are {}{}, each to be named", flag,
                                 dimension_name(std::min(named, dimensions)), named < dimensions ? "missing" : "none",
                                 topology.spec(), dimensions == 1 ? "" : "x to ", dimension_name(dimensions - 1)));
  };
  require("--bw", spec.bandwidth);
  require("--latency", spec.latency);
  require("--eta-alpha", spec.eta_alpha);
  require("--eta-beta", spec.eta_beta);
}

}  // namespace

std::shared_ptr<const Topology> topology_of(const FabricSpec& spec) {
  if (!spec.topology.starts_with(kGivenFabric)) return parse_topology(spec.topology);
  const std::string_view name = std::string_view(spec.topology).substr(kGivenFabric.size());
  if (spec.given) {
    if (const auto known = spec.given->find(name); known != spec.given->end()) return known->second;
  }
  throw InputError(
      fmt::format("topology '{}': a program gave that fabric as a value, which a text cannot repeat; write it to a file, "
                  "and name that: file:{}.json",
                  spec.topology, name));
}

Fabric build_fabric(const FabricSpec& spec, std::string_view topology_flag, SurplusTiers surplus) {
  std::shared_ptr<const Topology> topology =
      read_flag(topology_flag, spec.topology, [&](std::string_view) { return topology_of(spec); });
  if (has_lists(spec)) {
    if (std::shared_ptr<const Topology> dimensions = topology->by_dimension()) topology = std::move(dimensions);
  }
  require_dimensions(spec, *topology);
  if (surplus == SurplusTiers::refused && has_lists(spec)) require_tiers(spec, tiers_of_links(*topology), topology->spec());
  if (surplus == SurplusTiers::refused) require_host_links(spec, topology->is_direct(), topology->spec());
  FabricSettings settings = settings_of(spec, topology->tier_speeds());
  return {std::move(topology), std::move(settings)};
}

}  // namespace heddle
