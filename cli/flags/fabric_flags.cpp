// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/fabric_flags.hpp"
#include "topo/presets/fabric_presets.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>

namespace heddle {

namespace {

void add_fabric_flag(CLI::App& command, const std::string& flag, std::optional<std::string>& value, const std::string& type,
                     const std::string& description) {
  command.add_option(flag, value, description)->type_name(type)->group(kFabricFlagGroup);
}

}  // namespace

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

void add_fabric_flags(CLI::App& command, FabricOptions& options) {
  add_fabric_flag(command, "--preset", options.preset, "NAME", preset_flag_text());
  add_fabric_flag(command, "--bw", options.bandwidth, "RATE[,...]", bandwidth_flag_text());
  add_fabric_flag(command, "--latency", options.latency, "TIME[,...]", latency_flag_text());
  add_other_fabric_flags(command, options);
}

void add_other_fabric_flags(CLI::App& command, FabricOptions& options) {
  const auto add = [&](const std::string& flag, std::optional<std::string>& value, const std::string& type,
                       const std::string& description) { add_fabric_flag(command, flag, value, type, description); };
  add("--eta-alpha", options.eta_alpha, "FACTOR[,...]",
      "At least 1: multiplies the latency of links and of the routers or switches that they leave (1), or one for each tier");
  add("--eta-beta", options.eta_beta, "FACTOR[,...]",
      "Above 0 and at most 1: multiplies the bandwidth of links (1), or one for each tier");
  add("--hop", options.hop, "TIME", "Forwarding time of each router; on a switched fabric, of each switch");
  add("--host-link", options.host_link, "TIME",
      "On a direct network, the latency of a link between each host and its router: two of them and a router more on every "
      "route (0: hosts are their routers)");
  add("--alpha", options.alpha, "TIME", "Start-up of a message; messages posted together overlap theirs");
  add("--gamma", options.gamma, "TIME", "Local work (reduce, copy) per byte");
  add("--send-overhead", options.send_overhead, "TIME", "Time that each send occupies its rank (LogP's o)");
  add("--recv-overhead", options.recv_overhead, "TIME", "Time that each receive occupies its rank");
  add("--routing", options.routing, "WAY",
      "Where several shortest ways lead: adaptive (an even part of the message each way, the default), deterministic (all of "
      "it the first way) or ecmp[:SEED] (all of it one way, which a hash of sender and receiver chooses)");
}

}  // namespace heddle
