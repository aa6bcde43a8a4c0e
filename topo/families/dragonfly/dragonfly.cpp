// SPDX-License-Identifier: Apache-2.0
#include "topo/families/dragonfly/dragonfly.hpp"

#include <fmt/format.h>

#include <algorithm>

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

}  // namespace

Dragonfly::Dragonfly(const GroupWiring& wiring, std::int64_t hosts)
    : StoredLinks(checked_counts(wiring, hosts).endpoints, checked_counts(wiring, hosts).routers),
      wiring_(wiring),
      hosts_(static_cast<std::int32_t>(hosts)) {
  const std::int32_t routers = wiring_.switches;
  const auto vertex = [&](std::int32_t group, std::int32_t router) { return endpoints() + group * routers + router; };
  for (VertexId endpoint = 0; endpoint < endpoints(); ++endpoint) add_cable(endpoint, endpoints() + router_of(endpoint), kHost);
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

std::string Dragonfly::shape() const { return spec_of(wiring_, hosts_); }

LinkId Dragonfly::local_link(std::int32_t from_router, std::int32_t to_router) const {
  const std::int32_t routers = wiring_.switches;
  const std::int32_t group = from_router / routers;
  const auto [low, high] = std::minmax({from_router % routers, to_router % routers});
  const std::int32_t cable = group * (routers * (routers - 1) / 2) + pair_number(low, high, routers);
  return first_local_ + 2 * cable + (from_router < to_router ? 0 : 1);
}

LinkId Dragonfly::global_link(std::int32_t from_group, std::int32_t to_group, std::int32_t copy) const {
  const auto [low, high] = std::minmax({from_group, to_group});
  const std::int32_t cable = pair_number(low, high, wiring_.groups) * wiring_.cables + copy;
  return first_global_ + 2 * cable + (from_group < to_group ? 0 : 1);
}

int Dragonfly::local_links(std::int32_t from_router, std::int32_t to_router, std::int32_t copy) const {
  const std::int32_t routers = wiring_.switches;
  const std::int32_t from_group = from_router / routers;
  const std::int32_t to_group = to_router / routers;
  return (wiring_.switch_to(from_group, to_group, copy) == from_router % routers ? 0 : 1) +
         (wiring_.switch_to(to_group, from_group, copy) == to_router % routers ? 0 : 1);
}

int Dragonfly::fewest_local_links(std::int32_t from_router, std::int32_t to_router) const {
  int fewest = 2;
  for (std::int32_t q = 0; q < wiring_.cables; ++q) fewest = std::min(fewest, local_links(from_router, to_router, q));
  return fewest;
}

void Dragonfly::add_way(VertexId from, VertexId to, std::int32_t copy, Route& route) const {
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

void Dragonfly::route(VertexId from, VertexId to, Routing routing, Route& route) const {
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

int Dragonfly::group(VertexId endpoint, int tier) const {
  if (tier == 0) return router_of(endpoint);
  return tier == 1 ? router_of(endpoint) / wiring_.switches : 0;
}

/// All groups look the same, so the ways out of group 0 say it of all.
int Dragonfly::diameter() const {
  if (endpoints() == 1) return 0;
  int longest = wiring_.switches > 1 ? 3 : hosts_ > 1 ? 2 : 0;
  for (std::int32_t from = 0; from < wiring_.switches; ++from) {
    for (std::int32_t to = wiring_.switches; to < switches() && longest < 5; ++to)
      longest = std::max(longest, 3 + fewest_local_links(from, to));
  }
  return longest;
}

TopologyProperties Dragonfly::properties() const {
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

std::string Dragonfly::vertex_name(VertexId vertex) const {
  if (vertex < endpoints()) return fmt::format("{}", vertex);
  const std::int32_t router = vertex - endpoints();
  return fmt::format("r{}.{}", router / wiring_.switches, router % wiring_.switches);
}

namespace {

std::unique_ptr<Topology> build_dragonfly(SpecFields& fields) {
  const std::int64_t routers = required_number(fields, "routers");
  const std::int64_t hosts = required_number(fields, "hosts");
  return std::make_unique<Dragonfly>(read_group_wiring(fields, routers, 1, "routers"), hosts);
}

}  // namespace

std::vector<FamilyRow> dragonfly_families() {
  return {{{"dragonfly", "dragonfly:groups=9,routers=4,hosts=2",
            "groups of fully connected routers, a cable between every two groups"},
           build_dragonfly}};
}

}  // namespace heddle
