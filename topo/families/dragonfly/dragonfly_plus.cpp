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
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>

#include "topo/fabric/stored_links.hpp"
#include "topo/families/dragonfly/group_wiring.hpp"
#include "topo/graph/narrowest_cut.hpp"
#include "topo/spec/families.hpp"

namespace heddle {
namespace {

enum PlusTier : int { kHostToLeaf, kLeafToSpine, kBetweenGroups };

std::string spec_of(const GroupWiring& wiring, std::int64_t leaves, std::int64_t hosts) {
  return fmt::format("dragonfly+:groups={},leaves={},spines={},hosts={}{}", wiring.groups, leaves, wiring.switches, hosts,
                     wiring.cables == wiring.switches ? "" : fmt::format(",cables={}", wiring.cables));
}

struct PlusCounts {
  int endpoints;
  int switches;
};

PlusCounts checked_counts(const GroupWiring& wiring, std::int64_t leaves, std::int64_t hosts) {
  const double groups = wiring.groups;
  const double all_leaves = groups * static_cast<double>(leaves);
  const double endpoints = all_leaves * static_cast<double>(hosts);
  const double uplinks = all_leaves * wiring.switches;
  const double global = groups * (groups - 1) / 2 * wiring.cables;
  require_storable(spec_of(wiring, leaves, hosts), endpoints, 2 * (endpoints + uplinks + global));
  return {static_cast<int>(endpoints), static_cast<int>(all_leaves + groups * wiring.switches)};
}

class DragonflyPlus final : public StoredLinks {
 public:
  /// wiring.switches is the number of spines in a group. Throws InputError if there are too many of anything.
  DragonflyPlus(const GroupWiring& wiring, std::int64_t leaves, std::int64_t hosts)
      : StoredLinks(checked_counts(wiring, leaves, hosts).endpoints, checked_counts(wiring, leaves, hosts).switches),
        wiring_(wiring),
        leaves_(static_cast<std::int32_t>(leaves)),
        hosts_(static_cast<std::int32_t>(hosts)),
        has_trunks_(wiring.cables % wiring.switches == 0) {
    const std::int32_t spines = wiring_.switches;
    const VertexId first_leaf = endpoints();
    const VertexId first_spine = first_leaf + all_leaves();
    for (VertexId endpoint = 0; endpoint < endpoints(); ++endpoint)
      add_cable(endpoint, first_leaf + leaf_of(endpoint), kHostToLeaf);
    first_uplink_ = links();
    for (std::int32_t leaf = 0; leaf < all_leaves(); ++leaf) {
      for (std::int32_t spine = 0; spine < spines; ++spine)
        add_cable(first_leaf + leaf, first_spine + leaf / leaves_ * spines + spine, kLeafToSpine);
    }
    first_global_ = links();
    for (std::int32_t low = 0; low < wiring_.groups; ++low) {
      for (std::int32_t high = low + 1; high < wiring_.groups; ++high) {
        for (std::int32_t q = 0; q < wiring_.cables; ++q) {
          add_cable(first_spine + low * spines + wiring_.switch_to(low, high, q),
                    first_spine + high * spines + wiring_.switch_to(high, low, q), kBetweenGroups);
        }
      }
    }
  }

  std::string shape() const override { return spec_of(wiring_, leaves_, hosts_); }
  /// Up to a leaf, up to a spine, across, down, down.
  LinkOrder order(LinkId link) const override {
    if (link >= first_global_) return {0, 2};
    const int tier = link < first_uplink_ ? 0 : 1;
    return {0, (link - (tier == 0 ? 0 : first_uplink_)) % 2 == 0 ? tier : 4 - tier};
  }
  int channels(Routing) const override { return 1; }
  bool is_direct() const override { return false; }
  int trunks() const override { return has_trunks_ ? 2 * (all_leaves() + wiring_.pairs()) : 0; }
  Trunk trunk(LinkId trunk) const override {
    const LinkId number = trunk - links();
    const LinkId of_leaves = 2 * all_leaves();
    if (number < of_leaves) return {uplink(number / 2, 0) + number % 2, 2, wiring_.switches};
    const LinkId of_pair = number - of_leaves;
    return {first_global_ + 2 * wiring_.cables * (of_pair / 2) + of_pair % 2, 2, wiring_.cables};
  }
  LinkId trunk_of(LinkId link) const override {
    if (!has_trunks_ || link < first_uplink_) return link;
    const LinkId back = (link - first_uplink_) % 2;
    if (link < first_global_) return links() + 2 * ((link - first_uplink_) / 2 / wiring_.switches) + back;
    return links() + 2 * (all_leaves() + (link - first_global_) / 2 / wiring_.cables) + back;
  }
  WayWidths way_widths() const override { return WayWidths::any; }
  void route(VertexId from, VertexId to, Routing routing, Route& route) const override {
    route.clear();
    if (from == to) return;
    if (leaf_of(from) == leaf_of(to)) {
      route.add_link(2 * from);
      route.add_link(2 * to + 1);
      route.close_path(1);
    } else if (leaf_of(from) / leaves_ == leaf_of(to) / leaves_) {
      route_inside(from, to, routing, route);
    } else {
      route_between(from, to, routing, route);
    }
  }
  /// Leaf, group, all.
  int group_tiers() const override { return 3; }
  int group(VertexId endpoint, int tier) const override {
    if (tier == 0) return leaf_of(endpoint);
    return tier == 1 ? leaf_of(endpoint) / leaves_ : 0;
  }
  /// The bisection is the cut between the first half of the endpoints and the second: an upper bound.
  TopologyProperties properties() const override {
    TopologyProperties facts = counted_properties();
    facts.diameter = diameter();
    facts.bisection = straight_cut(*this);
    const int spines = wiring_.groups * wiring_.switches;
    const int uplinks = (first_global_ - first_uplink_) / 2;
    const int global = (links() - first_global_) / 2;
    const double of_group = (wiring_.groups - 1.0) * wiring_.cables;
    facts.tiers = {{"endpoint to leaf", all_leaves(), endpoints(), 1},
                   {"leaf to spine", spines, uplinks, static_cast<double>(hosts_) / wiring_.switches},
                   {"global", 0, global, of_group > 0 ? static_cast<double>(leaves_) * wiring_.switches / of_group : 1}};
    return facts;
  }
  /// "l3.1", "s3.0": leaf 1 and spine 0 of group 3.
  std::string vertex_name(VertexId vertex) const override {
    if (vertex < endpoints()) return fmt::format("{}", vertex);
    const std::int32_t a_switch = vertex - endpoints();
    if (a_switch < all_leaves()) return fmt::format("l{}.{}", a_switch / leaves_, a_switch % leaves_);
    const std::int32_t spine = a_switch - all_leaves();
    return fmt::format("s{}.{}", spine / wiring_.switches, spine % wiring_.switches);
  }

 private:
  std::int32_t leaf_of(VertexId endpoint) const { return endpoint / hosts_; }
  std::int32_t all_leaves() const { return wiring_.groups * leaves_; }
  LinkId uplink(std::int32_t leaf, std::int32_t spine) const { return first_uplink_ + 2 * (leaf * wiring_.switches + spine); }
  /// The first of the links from one group to another; the others follow two by two.
  LinkId first_global(std::int32_t from_group, std::int32_t to_group) const {
    const auto [low, high] = std::minmax({from_group, to_group});
    return first_global_ + 2 * wiring_.cables * pair_number(low, high, wiring_.groups) + (from_group < to_group ? 0 : 1);
  }
  void route_inside(VertexId from, VertexId to, Routing routing, Route& route) const {
    const auto add_way = [&](LinkId up, LinkId down, double share) {
      for (LinkId link : {2 * from, up, down, 2 * to + 1}) route.add_link(link);
      route.close_path(share);
    };
    const std::int32_t spines = wiring_.switches;
    const LinkId up = uplink(leaf_of(from), 0);
    const LinkId down = uplink(leaf_of(to), 0) + 1;
    if (!routing.splits()) {
      const std::int32_t spine = routing.choice(from, to, 0, spines);
      add_way(up + 2 * spine, down + 2 * spine, 1);
    } else if (has_trunks_) {
      add_way(trunk_of(up), trunk_of(down), 1);
    } else {
      for (std::int32_t spine = 0; spine < spines; ++spine) add_way(up + 2 * spine, down + 2 * spine, 1.0 / spines);
    }
  }
  void route_between(VertexId from, VertexId to, Routing routing, Route& route) const {
    const std::int32_t from_group = leaf_of(from) / leaves_;
    const std::int32_t to_group = leaf_of(to) / leaves_;
    const LinkId global = first_global(from_group, to_group);
    const auto add_way = [&](LinkId up, LinkId across, LinkId down, double share) {
      for (LinkId link : {2 * from, up, across, down, 2 * to + 1}) route.add_link(link);
      route.close_path(share);
    };
    const auto add_copy = [&](std::int32_t q, double share) {
      add_way(uplink(leaf_of(from), wiring_.switch_to(from_group, to_group, q)), global + 2 * q,
              uplink(leaf_of(to), wiring_.switch_to(to_group, from_group, q)) + 1, share);
    };
    if (!routing.splits()) {
      add_copy(routing.choice(from, to, 0, wiring_.cables), 1);
    } else if (has_trunks_) {
      add_way(trunk_of(uplink(leaf_of(from), 0)), trunk_of(global), trunk_of(uplink(leaf_of(to), 0) + 1), 1);
    } else {
      for (std::int32_t q = 0; q < wiring_.cables; ++q) add_copy(q, 1.0 / wiring_.cables);
    }
  }
  int diameter() const {
    if (wiring_.groups > 1) return 5;
    if (leaves_ > 1) return 4;
    return hosts_ > 1 ? 2 : 0;
  }

  GroupWiring wiring_;
  std::int32_t leaves_;  ///< of a group
  std::int32_t hosts_;   ///< of a leaf
  LinkId first_uplink_ = 0;
  LinkId first_global_ = 0;
  bool has_trunks_;
};

}  // namespace

// Trunks: of each leaf the one up and the one down, then of each pair of groups the one each way.

namespace {

std::unique_ptr<Topology> build_dragonfly_plus(SpecFields& fields) {
  const std::int64_t leaves = required_number(fields, "leaves");
  const std::int64_t spines = required_number(fields, "spines");
  const std::int64_t hosts = required_number(fields, "hosts");
  return std::make_unique<DragonflyPlus>(read_group_wiring(fields, spines, spines, "spines"), leaves, hosts);
}

}  // namespace

std::vector<FamilyEntry> dragonfly_plus_families() {
  return {
      {{"dragonfly+", "dragonfly+:groups=23,leaves=18,spines=18,hosts=10", "leaf-spine groups whose spines join all groups"},
       build_dragonfly_plus}};
}

}  // namespace heddle
