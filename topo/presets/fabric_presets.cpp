// SPDX-License-Identifier: Apache-2.0
#include "topo/presets/fabric_presets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/nearest_name.hpp"
#include "heddle/errors.hpp"
#include "topo/presets/preset_file.hpp"

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

/// In the simulations behind the figures of Swing and of Trivance a host hangs off its router by a link like the others.
FabricSettings with_host_links(FabricSettings settings) {
  settings.host_link = settings.tiers.front().latency;
  return settings;
}

/// Explainer 03, §1.2: end to end 0.5 us over NVLink (two links), 2 us through one IB switch (two), 8 us through three (four).
/// The switches' time is in the links': 2·250 ns, 2·1 us, 2·(1 us + 3 us).
FabricSettings superpod_settings() {
  FabricSettings settings;
  settings.tiers = {LinkSpeed{.bandwidth = 900_GBps, .latency = 250_ns}, LinkSpeed{.bandwidth = 50_GBps, .latency = 1_us},
                    LinkSpeed{.bandwidth = 50_GBps, .latency = 3_us}};
  return settings;
}

/// Explainer 04, §3: 0.5 us for a message through the star's switch, for each of the two crossings of an in-network allreduce,
/// and for a step to a neighbour on the torus. With all of it in h, one setting says all three. η: 05, §4.1.
FabricSettings n512_settings(double eta_alpha, double eta_beta) {
  FabricSettings settings = settings_of(900_GBps, 0_ns, 500_ns, 0_ns);
  settings.tiers.front().eta_alpha = eta_alpha;
  settings.tiers.front().eta_beta = eta_beta;
  return settings;
}

}  // namespace

const std::vector<FabricPreset>& fabric_presets() {
  static const std::vector<FabricPreset> kPresets = {
      {"swing-nsdi24", "400 Gb/s links, 100 ns link and 300 ns hop latency, hosts on links of their own (Swing, NSDI 2024, §5)",
       with_host_links(settings_of(400_Gbps, 100_ns, 300_ns, 0_ns))},
      {"trivance",
       "800 Gb/s links, 100 ns link and 100 ns hop latency, hosts on links of their own, 1.5 us start-up (Trivance, §6)",
       with_host_links(settings_of(800_Gbps, 100_ns, 100_ns, 1500_ns))},
      {"nvl72",
       "900 GB/s to an NVLink switch, 0.4 us start-up and 0.1 us switch latency (Collectives Explainer 02, §2; for star:72)",
       settings_of(900_GBps, 0_ns, 100_ns, 400_ns)},
      {"superpod",
       "NVLink 900 GB/s, 0.5 us; InfiniBand 50 GB/s, 2 us below a leaf, 8 us through a spine (Collectives Explainer 03, §1.2)",
       superpod_settings()},
      {"explainer-n512",
       "900 GB/s, 0.5 us per switch or torus step, ideal (Collectives Explainer 04, §3; star:512, torus:8x8x8)",
       n512_settings(1, 1)},
      {"explainer-n512-crossbar",
       "the same, derated as a measured NVSwitch crossbar: eta 1, 0.80 (Collectives Explainer 05, §4.1)",
       n512_settings(1, 0.80)},
      {"explainer-n512-nvls", "the same, derated as measured NVLS: eta 1, 0.52 (Collectives Explainer 05, §4.1)",
       n512_settings(1, 0.52)},
      {"explainer-n512-torus", "the same, derated as a contended torus: eta 1.2, 0.60 (Collectives Explainer 05, §4.1)",
       n512_settings(1.2, 0.60)},
      {"tpu-v5p",
       "100 GB/s links, a sixth of a chip's 600 GB/s one way (Google Cloud TPU v5p), 0.5 us a step (Collectives Explainer 02, "
       "§3)",
       settings_of(100_GBps, 0_ns, 500_ns, 0_ns)},
  };
  return kPresets;
}

const FabricPreset& find_fabric_preset(std::string_view name) {
  const std::vector<FabricPreset>& presets = fabric_presets();
  const auto preset = std::find_if(presets.begin(), presets.end(), [name](const FabricPreset& p) { return p.name == name; });
  if (preset != presets.end()) return *preset;
  if (name.ends_with(".json") || name.find('/') != std::string_view::npos)
    throw InputError(fmt::format("'{0}' is no preset's name; if it is a file: file:{0}", name));
  std::vector<std::string_view> names;
  for (const FabricPreset& known : presets) names.push_back(known.name);
  throw InputError(unknown_name_message("preset", name, names));
}

FabricSettings preset_settings(std::string_view preset) {
  constexpr std::string_view kFile = "file:";
  if (preset.starts_with(kFile)) return read_preset_file(std::string(preset.substr(kFile.size())));
  return find_fabric_preset(preset).settings;
}

}  // namespace heddle
