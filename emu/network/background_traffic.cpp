// SPDX-License-Identifier: Apache-2.0
#include "emu/network/fluid_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "heddle/errors.hpp"
#include "topo/fabric/ways.hpp"

namespace heddle {

namespace emu {

namespace {

std::vector<LinkId> copied_links_of(const Route& route, const Route::Path& path) {
  const auto first = route.links().begin() + path.first;
  return {first, first + path.count};
}

Route route_of(const Fabric& fabric, const BackgroundFlow& flow) {
  Route route;
  if (flow.link) {
    route.add_link(*flow.link);
    route.close_path(1);
  } else {
    FilledRoutes(fabric).find(flow.from, flow.to, route);
  }
  return route;
}

}  // namespace

BackgroundTraffic::BackgroundTraffic(const Fabric& fabric, std::span<const BackgroundFlow> flows, LinkId first_cap)
    : flows_(flows.size()) {
  if (flows.empty()) return;
  on_link_.resize(static_cast<std::size_t>(fabric.topology().links() + fabric.topology().trunks()));
  for (std::size_t f = 0; f < flows.size(); ++f) {
    const Route route = route_of(fabric, flows[f]);
    const auto cap = static_cast<LinkId>(first_cap + static_cast<LinkId>(caps_.size()));
    if (!flows[f].rate.is_unlimited()) caps_.push_back(flows[f].rate.bytes_per_second() / kPicosecondsPerSecond);
    for (const Route::Path& path : route.paths()) {
      std::vector<LinkId> links = copied_links_of(route, path);
      for (const LinkId link : links) ++on_link_[static_cast<std::size_t>(link)];
      if (!flows[f].rate.is_unlimited()) links.push_back(cap);
      parts_.push_back({.links = std::move(links), .share = path.share, .flow = f});
    }
  }
}

void BackgroundTraffic::start(MaxMin& max_min) {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    [[maybe_unused]] const FlowId id = max_min.add(parts_[i].links, parts_[i].share);
    assert(id == i);
  }
}

void BackgroundTraffic::set_rate(FlowId flow, double bytes_per_picosecond, Time now) {
  Part& part = parts_[flow];
  part.carried += part.rate * static_cast<double>((now - part.since).ps());
  part.since = now;
  part.rate = bytes_per_picosecond;
}

std::vector<BackgroundReport> BackgroundTraffic::report(Time end) const {
  std::vector<double> carried(flows_);
  for (const Part& part : parts_)
    carried[part.flow] += part.carried + part.rate * static_cast<double>(std::max<std::int64_t>(0, (end - part.since).ps()));
  std::vector<BackgroundReport> reports;
  for (const double bytes : carried) reports.push_back({Bytes(std::llround(bytes))});
  return reports;
}

}  // namespace emu

void require_possible(const Fabric& fabric, const BackgroundFlow& flow) {
  const Topology& topology = fabric.topology();
  if (!(flow.rate.bytes_per_second() > 0)) throw InputError("a background flow needs a rate above 0; try 100Gbps");
  if (flow.link) {
    if (*flow.link < 0 || *flow.link >= topology.links())
      throw InputError(fmt::format("a background flow over link {}: {} has links 0 to {}", *flow.link, topology.spec(),
                                   topology.links() - 1));
    if (fabric.settings().routing.splits() && topology.trunk_of(*flow.link) != *flow.link)
      throw InputError(fmt::format(
          "link {} is one of several that adaptive routes take evenly, and load on it alone would make them uneven; use "
          "--routing ecmp or deterministic, or load a whole way between two endpoints as 0->5",
          topology.link_name(*flow.link)));
  } else {
    const auto is_endpoint = [&](VertexId vertex) { return vertex >= 0 && vertex < topology.endpoints(); };
    if (!is_endpoint(flow.from) || !is_endpoint(flow.to) || flow.from == flow.to)
      throw InputError(fmt::format("a background flow from endpoint {} to {}: two different ones of 0 to {} are needed",
                                   flow.from, flow.to, topology.endpoints() - 1));
  }
  const Route route = emu::route_of(fabric, flow);
  const auto is_limited = [&](LinkId link) { return !fabric.bandwidth(link).is_unlimited(); };
  if (std::none_of(route.links().begin(), route.links().end(), is_limited))
    throw InputError("a background flow over links of unlimited bandwidth slows nobody; limit them with --bw");
}

}  // namespace heddle
