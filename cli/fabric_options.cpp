// SPDX-License-Identifier: Apache-2.0
#include "cli/fabric_options.hpp"

#include <fmt/format.h>

#include <string_view>

#include "cli/flag_value.hpp"

namespace heddle {

namespace {

std::string preset_names() {
  std::string names;
  for (const FabricPreset& preset : fabric_presets()) names += fmt::format("{}{}", names.empty() ? "" : ", ", preset.name);
  return names;
}

/// Replaces `value` where the flag was given.
template <class Value, class Parse>
void override_by(std::string_view flag, const std::optional<std::string>& text, Parse parse, Value& value) {
  if (text) value = read_flag(flag, *text, parse);
}

}  // namespace

void add_fabric_flags(CLI::App& command, FabricOptions& options) {
  const std::string group = "Fabric";
  const LinkSpeed without_preset;
  const auto add = [&](const std::string& flag, std::optional<std::string>& value, const std::string& type,
                       const std::string& description) {
    command.add_option(flag, value, description)->type_name(type)->group(group);
  };
  add("--preset", options.preset, "NAME",
      fmt::format("A source's speeds: {}. Other flags override single ones", preset_names()));
  add("--bw", options.bandwidth, "RATE",
      fmt::format("Bandwidth of each link, one way ({} without a preset); inf: unlimited",
                  to_string(without_preset.bandwidth)));
  add("--latency", options.latency, "TIME",
      fmt::format("Latency of each link ({} without a preset)", to_string(without_preset.latency)));
  add("--hop", options.hop, "TIME", "Forwarding time of each router; on a switched fabric, of each switch");
  add("--alpha", options.alpha, "TIME", "Start-up of a message; messages posted together overlap theirs");
  add("--gamma", options.gamma, "TIME", "Local work (reduce, copy) per byte");
  add("--send-overhead", options.send_overhead, "TIME", "Time that each send occupies its rank (LogP's o)");
  add("--recv-overhead", options.recv_overhead, "TIME", "Time that each receive occupies its rank");
  add("--routing", options.routing, "WAY",
      "Where two ways tie: adaptive (half of the message each way, the default) or deterministic (one way)");
}

FabricSettings read_fabric_settings(const FabricOptions& options) {
  FabricSettings settings;
  if (options.preset) settings = read_flag("--preset", *options.preset, find_fabric_preset).settings;
  for (LinkSpeed& speed : settings.tiers) {
    override_by("--bw", options.bandwidth, parse_bandwidth, speed.bandwidth);
    override_by("--latency", options.latency, parse_time, speed.latency);
  }
  override_by("--hop", options.hop, parse_time, settings.hop);
  override_by("--alpha", options.alpha, parse_time, settings.alpha);
  override_by("--gamma", options.gamma, parse_seconds, settings.gamma);
  override_by("--send-overhead", options.send_overhead, parse_time, settings.send_overhead);
  override_by("--recv-overhead", options.recv_overhead, parse_time, settings.recv_overhead);
  override_by("--routing", options.routing, parse_routing, settings.routing);
  return settings;
}

Fabric read_fabric(const FabricOptions& options, std::string_view topology_flag) {
  std::shared_ptr<const Topology> topology = read_flag(topology_flag, options.topology, parse_topology);
  return Fabric(std::move(topology), read_fabric_settings(options));
}

}  // namespace heddle
