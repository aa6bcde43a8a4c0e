// SPDX-License-Identifier: Apache-2.0
#include "topo/fabric/topology.hpp"

#include <fmt/format.h>

#include <utility>

#include "topo/fabric/fabric.hpp"

namespace heddle {

std::string Topology::vertex_name(VertexId vertex) const {
  return vertex < endpoints() ? fmt::format("{}", vertex) : fmt::format("s{}", vertex - endpoints());
}

std::string Topology::link_name(LinkId link) const {
  const LinkEnds link_ends = ends(link);
  return vertex_name(link_ends.from) + "->" + vertex_name(link_ends.to);
}

std::vector<LinkSpeed> Topology::tier_speeds() const { return {}; }

void Topology::route_in_runs(VertexId from, VertexId to, Routing routing, RunRoute& route) const {
  route.assign([&](Route& single) { this->route(from, to, routing, single); });
}

const SwitchOffers& Topology::offers(VertexId a_switch) const {
  static const SwitchOffers kNone;
  return offers_.empty() ? kNone : offers_[static_cast<std::size_t>(a_switch - endpoints())];
}

void Topology::set_offers(std::vector<SwitchOffers> by_switch, std::string text) {
  offers_ = std::move(by_switch);
  offers_text_ = std::move(text);
}

}  // namespace heddle
