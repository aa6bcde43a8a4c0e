// SPDX-License-Identifier: Apache-2.0
// The flags that describe a fabric, shared by `run` and `topo`, and what they say.
#pragma once

#include <optional>
#include <string>

#include "lab/experiment/fabric_spec.hpp"

namespace CLI {
class App;
}

namespace heddle {

/// As written on the command line; what was not written has no value.
struct FabricOptions {
  std::string topology;
  std::optional<std::string> preset;
  std::optional<std::string> bandwidth;  ///< here and in the next three: one value, or a list by tier of links
  std::optional<std::string> latency;
  std::optional<std::string> eta_alpha;
  std::optional<std::string> eta_beta;
  std::optional<std::string> hop;
  std::optional<std::string> host_link;
  std::optional<std::string> alpha;
  std::optional<std::string> gamma;
  std::optional<std::string> send_overhead;
  std::optional<std::string> recv_overhead;
  std::optional<std::string> routing;

  bool operator==(const FabricOptions&) const = default;
};

/// Throws InputError that names the flag.
FabricSpec read_fabric_spec(const FabricOptions& options);

/// Adds all but the topology, which `run` takes as a flag and `topo` as a word.
void add_fabric_flags(CLI::App& command, FabricOptions& options);

// For a command that takes several presets, bandwidths, latencies and routings: what to say of each of these flags, and all the others.
inline constexpr auto kFabricFlagGroup = "Fabric";
std::string preset_flag_text();
std::string bandwidth_flag_text();
std::string latency_flag_text();
std::string routing_flag_text();
void add_other_fabric_flags(CLI::App& command, FabricOptions& options);

}  // namespace heddle
