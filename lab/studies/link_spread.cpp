// SPDX-License-Identifier: Apache-2.0
#include "lab/studies/link_spread.hpp"

#include <algorithm>
#include <vector>

#include "topo/graph/parallel_links.hpp"

namespace heddle {

namespace {

/// A link that carries so many times the even part is worth a line.
constexpr double kUneven = 1.5;

LinkSpread spread_of(const ParallelLinks& part, int tier, const Topology& topology, const std::vector<bool>& has_rank,
                     const Report& report) {
  LinkSpread spread{.tier = tier, .endpoints = part.endpoints.size()};
  for (const LinkId link : part.links) {
    const LinkReport& carried = report.links[static_cast<std::size_t>(link)];
    const VertexId from = topology.ends(link).from;
    const bool is_endpoint = from < topology.endpoints();
    if (carried.bytes.count() == 0 && is_endpoint && !has_rank[static_cast<std::size_t>(from)]) continue;
    ++spread.links;
    spread.from_endpoints = spread.from_endpoints && is_endpoint;
    if (carried.bytes.count() == 0) continue;
    ++spread.used;
    spread.bytes += carried.bytes.count();
    if (carried.bytes > spread.most.bytes || (carried.bytes == spread.most.bytes && carried.busy > spread.most.busy))
      spread.most = carried;
  }
  return spread;
}

}  // namespace

std::optional<LinkSpread> most_uneven_links(const Setup& plan, const Report& report) {
  const Topology& topology = plan.fabric.topology();
  if (report.links.size() < static_cast<std::size_t>(topology.links())) return std::nullopt;  // a model without links
  int last_tier = 0;
  for (LinkId link = 0; link < topology.links(); ++link) last_tier = std::max(last_tier, topology.tier(link));
  std::vector<bool> has_rank(static_cast<std::size_t>(topology.endpoints()));
  for (const VertexId endpoint : plan.placement) has_rank[static_cast<std::size_t>(endpoint)] = true;
  std::optional<LinkSpread> worst;
  for (int tier = 1; tier <= last_tier; ++tier) {
    for (const ParallelLinks& part : parallel_links(topology, tier)) {
      if (part.links.size() < 2 || part.endpoints.size() < 2) continue;
      const LinkSpread spread = spread_of(part, tier, topology, has_rank, report);
      if (spread.bytes == 0 || spread.links < 2 || spread.times_even() < kUneven) continue;
      if (!worst || spread.most.busy > worst->most.busy) worst = spread;
    }
  }
  return worst;
}

}  // namespace heddle
