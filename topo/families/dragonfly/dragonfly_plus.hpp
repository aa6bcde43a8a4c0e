// SPDX-License-Identifier: Apache-2.0
// Dragonfly+ (Shpiner, Haramaty, Eliad, Zdornov, Gafni, Zahavi: Dragonfly+: Low Cost Topology for Scaling Datacenters, HiPINEB
// 2017): groups that are leaf-spine networks inside, whose spines carry the cables to other groups. Leonardo's network is one
// (23 groups of 180 nodes).
//
//       group 0               group 1
//      s0     s1 ─────────── s0     s1       one cable from each spine to each other group, unless cables= says otherwise
//      │ ╲   ╱ │             │ ╲   ╱ │
//      │  ╲ ╱  │             │  ╲ ╱  │       every leaf is joined to every spine of its group
//      │  ╱ ╲  │             │  ╱ ╲  │
//      l0     l1             l0     l1
//     ╱╲      ╱╲            ╱╲      ╱╲       endpoints
//
// Routing is minimal: endpoint, leaf, spine, spine of the other group, leaf, endpoint; within a group up to a spine and down.
// All spines of a group tie, and all cables between two groups.
//
// Where every spine has as many cables to each other group as the next (cables = a multiple of spines), a split message takes
// all uplinks of its leaf evenly, all cables between the groups and all links down to the leaf: each of these sets is a trunk.
// Elsewhere there are no trunks, and a split message has one path for each cable between the groups.
//
// Endpoints are numbered group by group, leaf by leaf; of the switches, all leaves come first. Tiers of links: 0 endpoint to
// leaf, 1 leaf to spine, 2 global.
#pragma once

#include <memory>
#include <string>

#include "topo/fabric/stored_links.hpp"
#include "topo/families/dragonfly/group_wiring.hpp"

namespace heddle {

class DragonflyPlus final : public StoredLinks {
 public:
  /// wiring.switches is the number of spines in a group. Throws InputError if there are too many of anything.
  DragonflyPlus(const GroupWiring& wiring, std::int64_t leaves, std::int64_t hosts);

  std::string shape() const override;
  bool is_direct() const override { return false; }
  int trunks() const override;
  Trunk trunk(LinkId trunk) const override;
  LinkId trunk_of(LinkId link) const override;
  WayWidths way_widths() const override { return WayWidths::any; }
  void route(VertexId from, VertexId to, Routing routing, Route& route) const override;
  /// Leaf, group, all.
  int group_tiers() const override { return 3; }
  int group(VertexId endpoint, int tier) const override;
  /// The bisection is the cut between the first half of the endpoints and the second: an upper bound.
  TopologyProperties properties() const override;
  /// "l3.1", "s3.0": leaf 1 and spine 0 of group 3.
  std::string vertex_name(VertexId vertex) const override;

 private:
  std::int32_t leaf_of(VertexId endpoint) const { return endpoint / hosts_; }
  std::int32_t all_leaves() const { return wiring_.groups * leaves_; }
  LinkId uplink(std::int32_t leaf, std::int32_t spine) const { return first_uplink_ + 2 * (leaf * wiring_.switches + spine); }
  /// The first of the links from one group to another; the others follow two by two.
  LinkId first_global(std::int32_t from_group, std::int32_t to_group) const;
  void route_inside(VertexId from, VertexId to, Routing routing, Route& route) const;
  void route_between(VertexId from, VertexId to, Routing routing, Route& route) const;
  int diameter() const;

  GroupWiring wiring_;
  std::int32_t leaves_;  ///< of a group
  std::int32_t hosts_;   ///< of a leaf
  LinkId first_uplink_ = 0;
  LinkId first_global_ = 0;
  bool has_trunks_;
};

}  // namespace heddle
