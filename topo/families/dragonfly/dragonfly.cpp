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

enum Tier : int { kHost, kLocal, kGlobal };

std::string spec_of(const GroupWiring& wiring, std::int64_t hosts) {
  return fmt::format("dragonfly:groups={},routers={},hosts={}{}", wiring.groups, wiring.switches, hosts,
                     wiring.cables == 1 ? "" : fmt::format(",cables={}", wiring.cables));
}

struct Counts {
  int endpoints;
  int routers;
};

Counts checked_counts(const GroupWiring& wiring, std::int64_t hosts) {
  const double groups = wiring.groups;
  const double routers = groups * wiring.switches;
  const double endpoints = routers * static_cast<double>(hosts);
  const double local = routers * (wiring.switches - 1.0) / 2;
  const double global = groups * (groups - 1) / 2 * wiring.cables;
  require_storable(spec_of(wiring, hosts), endpoints, 2 * (endpoints + local + global));
  return {static_cast<int>(endpoints), static_cast<int>(routers)};
}

double ratio(double into, double out) { return out > 0 ? into / out : 1; }

class Dragonfly final : public StoredLinks {
 public:
  /// wiring.switches is the number of routers in a group; `hosts` ≥ 1 is that of endpoints at a router. Throws InputError if
  /// there are too many of anything.
  Dragonfly(const GroupWiring& wiring, std::int64_t hosts)
      : StoredLinks(checked_counts(wiring, hosts).endpoints, checked_counts(wiring, hosts).routers),
        wiring_(wiring),
        hosts_(static_cast<std::int32_t>(hosts)) {
    const std::int32_t routers = wiring_.switches;
    const auto vertex = [&](std::int32_t group, std::int32_t router) { return endpoints() + group * routers + router; };
    for (VertexId endpoint = 0; endpoint < endpoints(); ++endpoint)
      add_cable(endpoint, endpoints() + router_of(endpoint), kHost);
    first_local_ = links();
    for (std::int32_t group = 0; group < wiring_.groups; ++group) {
      for (std::int32_t low = 0; low < routers; ++low) {
        for (std::int32_t high = low + 1; high < routers; ++high) add_cable(vertex(group, low), vertex(group, high), kLocal);
      }
    }
    first_global_ = links();
    for (std::int32_t low = 0; low < wiring_.groups; ++low) {
      for (std::int32_t high = low + 1; high < wiring_.groups; ++high) {
        for (std::int32_t q = 0; q < wiring_.cables; ++q) {
          add_cable(vertex(low, wiring_.switch_to(low, high, q)), vertex(high, wiring_.switch_to(high, low, q)), kGlobal);
        }
      }
    }
  }

  std::string shape() const override { return spec_of(wiring_, hosts_); }
  /// Up, local, global, down: a local link behind a global one starts again.
  LinkOrder order(LinkId link) const override {
    if (link < first_local_) return {0, link % 2 == 0 ? 0 : 3};
    return {0, link < first_global_ ? 1 : 2};
  }
  int channels(Routing) const override { return diameter() > 3 ? 2 : 1; }
  bool is_direct() const override { return false; }
  WayWidths way_widths() const override { return WayWidths::any; }
  void route(VertexId from, VertexId to, Routing routing, Route& route) const override {
    route.clear();
    if (from == to) return;
    const std::int32_t first = router_of(from);
    const std::int32_t last = router_of(to);
    if (first / wiring_.switches == last / wiring_.switches) {
      route.add_link(2 * from);
      if (first != last) route.add_link(local_link(first, last));
      route.add_link(2 * to + 1);
      route.close_path(1);
      return;
    }
    const int fewest = fewest_local_links(first, last);
    std::int32_t ways = 0;
    for (std::int32_t q = 0; q < wiring_.cables; ++q) ways += local_links(first, last, q) == fewest ? 1 : 0;
    const std::int32_t chosen = routing.splits() ? 0 : routing.choice(from, to, 0, ways);
    for (std::int32_t q = 0, way = 0; q < wiring_.cables; ++q) {
      if (local_links(first, last, q) != fewest) continue;
      if (routing.splits() || way == chosen) {
        add_way(from, to, q, route);
        route.close_path(routing.splits() ? 1.0 / ways : 1.0);
      }
      ++way;
    }
  }
  /// Router, group, all.
  int group_tiers() const override { return 3; }
  int group(VertexId endpoint, int tier) const override {
    if (tier == 0) return router_of(endpoint);
    return tier == 1 ? router_of(endpoint) / wiring_.switches : 0;
  }
  /// The bisection is the cut between the first half of the endpoints and the second: an upper bound.
  TopologyProperties properties() const override {
    TopologyProperties facts = counted_properties();
    facts.diameter = diameter();
    facts.bisection = straight_cut(*this);
    const int local = (first_global_ - first_local_) / 2;
    const int global = (links() - first_global_) / 2;
    const double hosts_of_group = static_cast<double>(wiring_.switches) * hosts_;
    facts.tiers = {{"endpoint to router", switches(), endpoints(), 1},
                   {"local", 0, local, ratio(hosts_, wiring_.switches - 1.0)},
                   {"global", 0, global, ratio(hosts_of_group, (wiring_.groups - 1.0) * wiring_.cables)}};
    return facts;
  }
  /// "r3.1": router 1 of group 3.
  std::string vertex_name(VertexId vertex) const override {
    if (vertex < endpoints()) return fmt::format("{}", vertex);
    const std::int32_t router = vertex - endpoints();
    return fmt::format("r{}.{}", router / wiring_.switches, router % wiring_.switches);
  }

 private:
  std::int32_t router_of(VertexId endpoint) const { return endpoint / hosts_; }
  LinkId local_link(std::int32_t from_router, std::int32_t to_router) const {
    const std::int32_t routers = wiring_.switches;
    const std::int32_t group = from_router / routers;
    const auto [low, high] = std::minmax({from_router % routers, to_router % routers});
    const std::int32_t cable = group * (routers * (routers - 1) / 2) + pair_number(low, high, routers);
    return first_local_ + 2 * cable + (from_router < to_router ? 0 : 1);
  }
  LinkId global_link(std::int32_t from_group, std::int32_t to_group, std::int32_t copy) const {
    const auto [low, high] = std::minmax({from_group, to_group});
    const std::int32_t cable = pair_number(low, high, wiring_.groups) * wiring_.cables + copy;
    return first_global_ + 2 * cable + (from_group < to_group ? 0 : 1);
  }
  /// Local links on the way from one router over copy q of the cable between their groups to the other router: 0, 1 or 2.
  int local_links(std::int32_t from_router, std::int32_t to_router, std::int32_t copy) const {
    const std::int32_t routers = wiring_.switches;
    const std::int32_t from_group = from_router / routers;
    const std::int32_t to_group = to_router / routers;
    return (wiring_.switch_to(from_group, to_group, copy) == from_router % routers ? 0 : 1) +
           (wiring_.switch_to(to_group, from_group, copy) == to_router % routers ? 0 : 1);
  }
  int fewest_local_links(std::int32_t from_router, std::int32_t to_router) const {
    int fewest = 2;
    for (std::int32_t q = 0; q < wiring_.cables; ++q) fewest = std::min(fewest, local_links(from_router, to_router, q));
    return fewest;
  }
  void add_way(VertexId from, VertexId to, std::int32_t copy, Route& route) const {
    const std::int32_t routers = wiring_.switches;
    const std::int32_t from_group = router_of(from) / routers;
    const std::int32_t to_group = router_of(to) / routers;
    const std::int32_t exit = from_group * routers + wiring_.switch_to(from_group, to_group, copy);
    const std::int32_t entry = to_group * routers + wiring_.switch_to(to_group, from_group, copy);
    route.add_link(2 * from);
    if (exit != router_of(from)) route.add_link(local_link(router_of(from), exit));
    route.add_link(global_link(from_group, to_group, copy));
    if (entry != router_of(to)) route.add_link(local_link(entry, router_of(to)));
    route.add_link(2 * to + 1);
  }
  // All groups look the same, so the ways out of group 0 say it of all.
  int diameter() const {
    if (endpoints() == 1) return 0;
    int longest = wiring_.switches > 1 ? 3 : hosts_ > 1 ? 2 : 0;
    for (std::int32_t from = 0; from < wiring_.switches; ++from) {
      for (std::int32_t to = wiring_.switches; to < switches() && longest < 5; ++to)
        longest = std::max(longest, 3 + fewest_local_links(from, to));
    }
    return longest;
  }

  GroupWiring wiring_;
  std::int32_t hosts_;
  LinkId first_local_ = 0;
  LinkId first_global_ = 0;
};

std::unique_ptr<Topology> build_dragonfly(SpecFields& fields) {
  const std::int64_t routers = required_number(fields, "routers");
  const std::int64_t hosts = required_number(fields, "hosts");
  return std::make_unique<Dragonfly>(read_group_wiring(fields, routers, 1, "routers"), hosts);
}

}  // namespace

std::vector<FamilyEntry> dragonfly_families() {
  return {{{"dragonfly", "dragonfly:groups=9,routers=4,hosts=2",
            "groups of fully connected routers, a cable between every two groups"},
           build_dragonfly}};
}

}  // namespace heddle
