// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/errors.hpp"
#include "core/nearest_name.hpp"
#include "topo/fabric.hpp"

namespace heddle {
namespace {

using namespace literals;

FabricSettings settings_of(Bandwidth bandwidth, Time latency, Time hop, Time alpha) {
  FabricSettings settings;
  settings.tiers = {LinkSpeed{.bandwidth = bandwidth, .latency = latency}};
  settings.hop = hop;
  settings.alpha = alpha;
  return settings;
}

}  // namespace

const std::vector<FabricPreset>& fabric_presets() {
  static const std::vector<FabricPreset> kPresets = {
      {"swing-nsdi24", "400 Gb/s links, 100 ns link and 300 ns hop latency (Swing, NSDI 2024, §5)",
       settings_of(400_Gbps, 100_ns, 300_ns, 0_ns)},
      {"trivance", "800 Gb/s links, 100 ns link and 100 ns hop latency, 1.5 us start-up (Trivance, §6)",
       settings_of(800_Gbps, 100_ns, 100_ns, 1500_ns)},
      {"nvl72",
       "900 GB/s to an NVLink switch, 0.4 us start-up and 0.1 us switch latency (Collectives Explainer 02, §2; for star:72)",
       settings_of(900_GBps, 0_ns, 100_ns, 400_ns)},
  };
  return kPresets;
}

const FabricPreset& find_fabric_preset(std::string_view name) {
  const std::vector<FabricPreset>& presets = fabric_presets();
  const auto preset = std::find_if(presets.begin(), presets.end(), [name](const FabricPreset& p) { return p.name == name; });
  if (preset != presets.end()) return *preset;
  std::vector<std::string_view> names;
  for (const FabricPreset& known : presets) names.push_back(known.name);
  throw InputError(unknown_name_message("preset", name, names));
}

}  // namespace heddle
