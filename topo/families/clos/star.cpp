// SPDX-License-Identifier: Apache-2.0
// One switch with a cable to each endpoint.
#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "topo/fabric/stored_links.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/spec/families.hpp"

namespace heddle {
namespace {

std::string star_spec(std::int64_t endpoints) { return fmt::format("star:{}", endpoints); }

int checked_star_endpoints(std::int64_t endpoints) {
  const auto n = static_cast<double>(endpoints);
  require_numberable(star_spec(endpoints), n, 2 * n);
  return static_cast<int>(endpoints);
}

class Star final : public Topology {
 public:
  /// Throws InputError if there are too many endpoints.
  explicit Star(std::int64_t endpoints) : endpoints_(checked_star_endpoints(endpoints)) {}

  std::string shape() const override { return star_spec(endpoints_); }
  int endpoints() const override { return endpoints_; }
  int switches() const override { return 1; }
  int links() const override { return 2 * endpoints_; }
  LinkEnds ends(LinkId link) const override {
    const VertexId endpoint = link / 2;
    const VertexId the_switch = endpoints_;
    return link == up(endpoint) ? LinkEnds{endpoint, the_switch} : LinkEnds{the_switch, endpoint};
  }
  bool is_direct() const override { return false; }
  int channels(Routing) const override { return 1; }
  void route(VertexId from, VertexId to, Routing, Route& route) const override {
    route.clear();
    if (from == to) return;
    route.add_link(up(from));
    route.add_link(down(to));
    route.close_path(1);
  }
  TopologyProperties properties() const override {
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

 private:
  /// To the switch and back from it; the links of one cable are neighbours.
  static LinkId up(VertexId endpoint) { return 2 * endpoint; }
  static LinkId down(VertexId endpoint) { return 2 * endpoint + 1; }

  int endpoints_;
};

std::unique_ptr<Topology> build_star(SpecFields& fields) { return std::make_unique<Star>(read_one_size(fields)); }

}  // namespace

std::vector<FamilyEntry> star_families() {
  return {{{"star", "star:72", "one switch with a cable to each endpoint"}, build_star}};
}

}  // namespace heddle
