// SPDX-License-Identifier: Apache-2.0
#include "lab/links/link_speeds.hpp"

#include <algorithm>

#include "topo/fabric/ways.hpp"

namespace heddle {

LinkSpeeds::LinkSpeeds(const Setup& plan) : fabric_(plan.fabric) {
  const Topology& topology = fabric_.topology();
  std::vector<LinkFault> faults = plan.settings.faults.links;
  std::ranges::stable_sort(faults, {}, &LinkFault::at);
  for (const LinkFault& fault : faults) {
    std::vector<Part>& parts = faulty_[fault.link];
    if (const LinkId trunk = topology.trunk_of(fault.link); parts.empty() && trunk != fault.link)
      of_trunk_[trunk].push_back(fault.link);
    const double before = parts.empty() ? 1 : parts.back().share;
    parts.push_back({fault.at, fault.down ? 0 : std::min(before, 1 / fault.slower)});
  }
}

double LinkSpeeds::share(LinkId link, Time now) const {
  const auto found = faulty_.find(link);
  double share = 1;
  if (found == faulty_.end()) return share;
  for (const Part& part : found->second)
    if (part.from <= now) share = part.share;
  return share;
}

double LinkSpeeds::at(LinkId link, Time now) const {
  const double whole = fabric_.bandwidth(link).bytes_per_second();
  if (faulty_.empty()) return whole;
  if (const auto trunk = of_trunk_.find(link); trunk != of_trunk_.end()) {
    const int links = fabric_.topology().trunk(link).count;
    double lost = 0;
    for (const LinkId one : trunk->second) lost += 1 - share(one, now);
    return whole * (1 - lost / links);
  }
  const double left = share(link, now);
  return left == 1 ? whole : left == 0 ? 0 : whole * left;
}

bool LinkSpeeds::is_slowed(LinkId link, Time now) const {
  if (const auto trunk = of_trunk_.find(link); trunk != of_trunk_.end())
    return std::ranges::any_of(trunk->second, [&](LinkId one) { return share(one, now) < 1; });
  return share(link, now) < 1;
}

std::vector<double> background_bytes(const Setup& plan, const Report& report) {
  const Topology& topology = plan.fabric.topology();
  std::vector<double> bytes(static_cast<std::size_t>(topology.links()), 0);
  const auto add = [&](LinkId link, double more) {
    if (link < topology.links()) {
      bytes[static_cast<std::size_t>(link)] += more;
      return;
    }
    const Trunk trunk = topology.trunk(link);
    for (int i = 0; i < trunk.count; ++i) bytes[static_cast<std::size_t>(trunk[i])] += more / trunk.count;
  };
  for (std::size_t f = 0; f < std::min(plan.background.size(), report.background.size()); ++f) {
    const BackgroundFlow& flow = plan.background[f].flow;
    const auto carried = static_cast<double>(report.background[f].bytes.count());
    if (flow.link) {
      add(*flow.link, carried);
      continue;
    }
    Route route;
    FilledRoutes(plan.fabric).find(flow.from, flow.to, route);
    for (const Route::Path& path : route.paths())
      for (std::int32_t i = 0; i < path.count; ++i)
        add(route.links()[static_cast<std::size_t>(path.first + i)], carried * path.share);
  }
  return bytes;
}

}  // namespace heddle
