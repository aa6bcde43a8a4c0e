// SPDX-License-Identifier: Apache-2.0
#include "lab/decisions/channels_needed.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/message_cost.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/graph/narrowest_cut.hpp"
#include "topo/placement/placement.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::decisions {

namespace {

FabricSettings settings_of(const nlohmann::ordered_json& fabric) {
  FabricSettings settings;
  if (fabric.contains("routing")) settings.routing = parse_routing(fabric.at("routing").get<std::string>());
  if (!fabric.contains("tiers") || fabric.at("tiers").empty()) return settings;
  settings.tiers.clear();
  for (const auto& tier : fabric.at("tiers"))
    settings.tiers.push_back(
        {.bandwidth = Bandwidth(tier.at("bandwidth_Bps").get<double>()), .eta_beta = tier.at("eta_beta").get<double>()});
  return settings;
}

/// The first rank that has another one in its node, and these two and one of another node.
struct Three {
  std::size_t here, beside, elsewhere;
};
std::optional<Three> three_ranks(const std::vector<int>& node) {
  for (std::size_t here = 0; here < node.size(); ++here) {
    const auto beside = std::find(node.begin() + static_cast<std::ptrdiff_t>(here) + 1, node.end(), node[here]);
    if (beside == node.end()) continue;
    const auto elsewhere = std::ranges::find_if(node, [&](int other) { return other != node[here]; });
    return Three{here, static_cast<std::size_t>(beside - node.begin()), static_cast<std::size_t>(elsewhere - node.begin())};
  }
  return std::nullopt;
}

/// Bytes a second that can leave a node for all others at once.
double out_of_node(const Fabric& fabric, const Placement& placement, const std::vector<int>& node, int which) {
  std::vector<bool> is_elsewhere(static_cast<std::size_t>(fabric.topology().endpoints()), true);
  for (std::size_t rank = 0; rank < node.size(); ++rank)
    if (node[rank] == which) is_elsewhere[static_cast<std::size_t>(placement[rank])] = false;
  return flow_between_parts(fabric.topology(), is_elsewhere,
                            [&fabric](LinkId link) { return fabric.bandwidth(link).bytes_per_second(); });
}

}  // namespace

int channels_needed(const nlohmann::ordered_json& fabric) {
  const std::shared_ptr<const Topology> topology = parse_topology(fabric.at("topology").get<std::string>());
  const std::string placed = fabric.contains("placement") ? fabric.at("placement").get<std::string>() : "linear";
  const Placement placement = parse_placement(placed, fabric.at("ranks").get<int>(), *topology);
  const Tiers tiers = tiers_of(placement, *topology);
  if (tiers.group.size() < 2) return 1;
  const std::vector<int>& node = tiers.group.front();
  const std::optional<Three> ranks = three_ranks(node);
  if (!ranks) return 1;

  const Fabric whole(topology, settings_of(fabric));
  const auto seconds_per_byte = [&](std::size_t to) {
    return message_cost(whole, placement[ranks->here], placement[to]).seconds_per_byte;
  };
  const double between = seconds_per_byte(ranks->elsewhere);
  constexpr double kSame = 1.001;
  if (between <= kSame * seconds_per_byte(ranks->beside)) return 1;
  constexpr double kTwo = 1.999;
  if (out_of_node(whole, placement, node, node[ranks->here]) * between < kTwo) return 1;
  std::vector<int> sizes(node.size());
  for (const int group : node) ++sizes[static_cast<std::size_t>(group)];
  return *std::ranges::max_element(sizes);
}

}  // namespace heddle::decisions
