// SPDX-License-Identifier: Apache-2.0
#include "show/heatmap/busiest_links.hpp"

#include <fmt/format.h>

#include <set>

#include "lab/documents/fabric_report.hpp"

namespace heddle::pictures {

std::vector<std::string> faulty_links(const LinkLoads& loads, const Topology& topology, std::size_t count) {
  std::set<LinkId> links;
  for (const LinkFault& fault : loads.faults()) links.insert(fault.link);
  std::vector<std::string> texts;
  for (const LinkId link : links) {
    if (texts.size() == count) {
      texts.push_back(fmt::format("and {} more", links.size() - count));
      break;
    }
    const std::string load = loads.load(link) > 0 ? loads.text(loads.load(link)) : "nothing";
    texts.push_back(fmt::format("{}: {}; {}", topology.link_name(link), loads.fault_text(link), load));
  }
  return texts;
}

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
