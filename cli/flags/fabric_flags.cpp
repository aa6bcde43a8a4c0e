// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/fabric_flags.hpp"

#include <fmt/format.h>

#include "cli/flags/flag_group.hpp"
#include "topo/presets/fabric_presets.hpp"

namespace heddle {

std::string preset_flag_text() {
  std::string names;
  for (const FabricPreset& preset : fabric_presets()) names += fmt::format("{}{}", names.empty() ? "" : ", ", preset.name);
  return fmt::format("A source's speeds: {}; or file:PATH, which heddle fit writes. Other flags override single ones", names);
}

std::string bandwidth_flag_text() {
  return fmt::format(
      "Bandwidth of each link, one way ({} without a preset); inf: unlimited. A list gives the tiers of links "
      "one by one, innermost first; the last value serves all tiers beyond",
      to_string(LinkSpeed().bandwidth));
}

std::string latency_flag_text() {
  return fmt::format("Latency of each link ({} without a preset), or one for each tier", to_string(LinkSpeed().latency));
}

std::string routing_flag_text() {
  return "Where several shortest ways lead: adaptive (of the message, each way what it can carry, the default), deterministic "
         "(all of it the first way) or ecmp[:SEED] (all of it one way, which a hash of sender and receiver chooses)";
}

void add_fabric_flags(CLI::App& command, FabricOptions& options) {
  const FlagGroup fabric(command, kFabricFlagGroup);
  fabric.add("--preset", options.preset, "NAME", preset_flag_text());
  fabric.add("--bw", options.bandwidth, "RATE[,...]", bandwidth_flag_text());
  fabric.add("--latency", options.latency, "TIME[,...]", latency_flag_text());
  add_other_fabric_flags(command, options);
  fabric.add("--routing", options.routing, "WAY", routing_flag_text());
}

void add_other_fabric_flags(CLI::App& command, FabricOptions& options) {
  const FlagGroup fabric(command, kFabricFlagGroup);
  fabric.add(
      "--eta-alpha", options.eta_alpha, "FACTOR[,...]",
      "At least 1: multiplies the latency of links and of the routers or switches that they leave (1), or one for each tier");
  fabric.add("--eta-beta", options.eta_beta, "FACTOR[,...]",
             "Above 0 and at most 1: multiplies the bandwidth of links (1), or one for each tier");
  fabric.add("--hop", options.hop, "TIME", "Forwarding time of each router; on a switched fabric, of each switch");
  fabric.add(
      "--host-link", options.host_link, "TIME",
      "On a direct network, the latency of a link between each host and its router: two of them and a router more on every "
      "route (0: hosts are their routers)");
  fabric.add("--alpha", options.alpha, "TIME", "Start-up of a message; messages posted together overlap theirs");
  fabric.add("--gamma", options.gamma, "TIME", "Local work (reduce, copy) per byte");
  fabric.add("--send-overhead", options.send_overhead, "TIME", "Time that each send occupies its rank (LogP's o)");
  fabric.add("--recv-overhead", options.recv_overhead, "TIME", "Time that each receive occupies its rank");
}

}  // namespace heddle
