// SPDX-License-Identifier: Apache-2.0
// Every endpoint has a cable to every other.
#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "topo/fabric/stored_links.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/spec/families.hpp"

namespace heddle {
namespace {

std::string full_mesh_spec(std::int64_t endpoints) { return fmt::format("fullmesh:{}", endpoints); }

int checked_endpoints(std::int64_t endpoints) {
  const auto n = static_cast<double>(endpoints);
  require_numberable(full_mesh_spec(endpoints), n, n * (n - 1));
  return static_cast<int>(endpoints);
}

class FullMesh final : public Topology {
 public:
  /// Throws InputError if there are too many endpoints or links.
  explicit FullMesh(std::int64_t endpoints) : endpoints_(checked_endpoints(endpoints)) {}

  std::string shape() const override { return full_mesh_spec(endpoints_); }
  int endpoints() const override { return endpoints_; }
  int switches() const override { return 0; }
  int links() const override { return endpoints_ * (endpoints_ - 1); }
  // The links that leave vertex 0 come first, then those of vertex 1, each in the order of where they lead; none leads back to
  // its own vertex.
  LinkEnds ends(LinkId link) const override {
    const VertexId from = link / (endpoints_ - 1);
    const VertexId to = link % (endpoints_ - 1);
    return {from, to < from ? to : to + 1};
  }
  bool is_direct() const override { return true; }
  void route(VertexId from, VertexId to, Routing, Route& route) const override {
    route.clear();
    if (from == to) return;
    route.add_link(from * (endpoints_ - 1) + (to < from ? to : to - 1));
    route.close_path(1);
  }
  TopologyProperties properties() const override {
    TopologyProperties facts;
    facts.endpoints = endpoints_;
    facts.cables = links() / 2;
    facts.tiers.front().cables = facts.cables;
    facts.degree = endpoints_ - 1;
    facts.diameter = endpoints_ > 1 ? 1 : 0;
    facts.bisection = (endpoints_ / 2) * (endpoints_ - endpoints_ / 2);
    return facts;
  }

 private:
  int endpoints_;
};

std::unique_ptr<Topology> build_full_mesh(SpecFields& fields) { return std::make_unique<FullMesh>(read_one_size(fields)); }

}  // namespace

std::vector<FamilyEntry> full_mesh_families() {
  return {{{"fullmesh", "fullmesh:8", "a cable between every two endpoints"}, build_full_mesh}};
}

}  // namespace heddle
