// SPDX-License-Identifier: Apache-2.0
#include "topo/families/clos/star.hpp"

#include <fmt/format.h>

#include "topo/fabric/size_limit.hpp"
#include "topo/spec/families.hpp"

namespace heddle {
namespace {

std::string star_spec(std::int64_t endpoints) { return fmt::format("star:{}", endpoints); }

int checked_star_endpoints(std::int64_t endpoints) {
  const auto n = static_cast<double>(endpoints);
  require_numberable(star_spec(endpoints), n, 2 * n);
  return static_cast<int>(endpoints);
}

}  // namespace

Star::Star(std::int64_t endpoints) : endpoints_(checked_star_endpoints(endpoints)) {}

std::string Star::shape() const { return star_spec(endpoints_); }

LinkEnds Star::ends(LinkId link) const {
  const VertexId endpoint = link / 2;
  const VertexId the_switch = endpoints_;
  return link == up(endpoint) ? LinkEnds{endpoint, the_switch} : LinkEnds{the_switch, endpoint};
}

void Star::route(VertexId from, VertexId to, Routing, Route& route) const {
  route.clear();
  if (from == to) return;
  route.add_link(up(from));
  route.add_link(down(to));
  route.close_path(1);
}

TopologyProperties Star::properties() const {
  TopologyProperties facts;
  facts.endpoints = endpoints_;
  facts.switches = 1;
  facts.cables = endpoints_;
  facts.degree = 1;
  facts.diameter = endpoints_ > 1 ? 2 : 0;
  facts.bisection = endpoints_ / 2;
  facts.tiers = {{.name = "endpoint to switch", .switches = 1, .cables = endpoints_, .oversubscription = 1}};
  return facts;
}

namespace {

std::unique_ptr<Topology> build_star(SpecFields& fields) { return std::make_unique<Star>(read_one_size(fields)); }

}  // namespace

std::vector<FamilyRow> star_families() {
  return {{{"star", "star:72", "one switch with a cable to each endpoint"}, build_star}};
}

}  // namespace heddle
