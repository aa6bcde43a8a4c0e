// SPDX-License-Identifier: Apache-2.0
// The flags that describe a fabric, shared by `run` and `topo`.
#pragma once

#include <string>

#include "cli/flags/fabric_options.hpp"

namespace CLI {
class App;
}

namespace heddle {

/// Adds all but the topology, which `run` takes as a flag and `topo` as a word.
void add_fabric_flags(CLI::App& command, FabricOptions& options);

// For a command that takes several presets, bandwidths and latencies: what to say of each of these flags, and all the others.
inline constexpr auto kFabricFlagGroup = "Fabric";
std::string preset_flag_text();
std::string bandwidth_flag_text();
std::string latency_flag_text();
void add_other_fabric_flags(CLI::App& command, FabricOptions& options);

}  // namespace heddle
