// SPDX-License-Identifier: Apache-2.0
// Dragonfly (Kim, Dally, Scott, Abts: Technology-Driven, Highly-Scalable Dragonfly Topology, ISCA 2008): groups of routers that
// are fully connected inside, and a few long cables between every two groups. LUMI's network is one (24 groups).
//
//        group 0             group 1
//    r0 ─── r1           r0 ─── r1        every router has its endpoints below it
//     │ ╲ ╱ │  global     │ ╲ ╱ │
//     │ ╱ ╲ │ ─────────── │ ╱ ╲ │
//    r2 ─── r3           r2 ─── r3
//
// Routing is minimal in the dragonfly's sense: up, at most one local link, one global link, at most one local link, down. Two
// global links through a third group may have as many or fewer links in all, but are never taken, because global links are what
// is scarce. Where several cables join two groups, the ways with the fewest local links tie.
//
// Endpoints are numbered group by group, router by router; so are routers. Tiers of links: 0 endpoint to router, 1 local,
// 2 global.
#pragma once

#include <memory>
#include <string>

#include "topo/fabric/stored_links.hpp"
#include "topo/families/dragonfly/group_wiring.hpp"

namespace heddle {

class Dragonfly final : public StoredLinks {
 public:
  /// wiring.switches is the number of routers in a group; `hosts` ≥ 1 is that of endpoints at a router. Throws InputError if
  /// there are too many of anything.
  Dragonfly(const GroupWiring& wiring, std::int64_t hosts);

  std::string shape() const override;
  bool is_direct() const override { return false; }
  WayWidths way_widths() const override { return WayWidths::any; }
  void route(VertexId from, VertexId to, Routing routing, Route& route) const override;
  /// Router, group, all.
  int group_tiers() const override { return 3; }
  int group(VertexId endpoint, int tier) const override;
  /// The bisection is the cut between the first half of the endpoints and the second: an upper bound.
  TopologyProperties properties() const override;
  /// "r3.1": router 1 of group 3.
  std::string vertex_name(VertexId vertex) const override;

 private:
  std::int32_t router_of(VertexId endpoint) const { return endpoint / hosts_; }
  LinkId local_link(std::int32_t from_router, std::int32_t to_router) const;
  LinkId global_link(std::int32_t from_group, std::int32_t to_group, std::int32_t copy) const;
  /// Local links on the way from one router over copy q of the cable between their groups to the other router: 0, 1 or 2.
  int local_links(std::int32_t from_router, std::int32_t to_router, std::int32_t copy) const;
  int fewest_local_links(std::int32_t from_router, std::int32_t to_router) const;
  void add_way(VertexId from, VertexId to, std::int32_t copy, Route& route) const;
  int diameter() const;

  GroupWiring wiring_;
  std::int32_t hosts_;
  LinkId first_local_ = 0;
  LinkId first_global_ = 0;
};

}  // namespace heddle
