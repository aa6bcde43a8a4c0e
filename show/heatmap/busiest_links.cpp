// SPDX-License-Identifier: Apache-2.0
#include "show/heatmap/busiest_links.hpp"

#include <fmt/format.h>

#include "lab/documents/fabric_report.hpp"

namespace heddle::pictures {

std::vector<BusyLink> busiest_links(const LinkLoads& loads, const Fabric& fabric, std::size_t count) {
  const Topology& topology = fabric.topology();
  const std::vector<NamedSpeed> tiers = speeds_by_tier(fabric);
  std::vector<BusyLink> busiest;
  for (const LinkId link : loads.busiest(count)) {
    const std::string load =
        loads.of() == HeatmapOf::bytes ? fmt::format("{} B", loads.bytes(link)) : loads.text(loads.load(link));
    busiest.push_back({topology.link_name(link), load, tier_name(tiers, topology, link), fabric.bandwidth(link)});
  }
  return busiest;
}

}  // namespace heddle::pictures
