// SPDX-License-Identifier: Apache-2.0
#include "topo/families/grids/full_mesh.hpp"

#include <fmt/format.h>

#include "topo/fabric/size_limit.hpp"
#include "topo/spec/families.hpp"

namespace heddle {
namespace {

std::string full_mesh_spec(std::int64_t endpoints) { return fmt::format("fullmesh:{}", endpoints); }

int checked_endpoints(std::int64_t endpoints) {
  const auto n = static_cast<double>(endpoints);
  require_numberable(full_mesh_spec(endpoints), n, n * (n - 1));
  return static_cast<int>(endpoints);
}

}  // namespace

FullMesh::FullMesh(std::int64_t endpoints) : endpoints_(checked_endpoints(endpoints)) {}

std::string FullMesh::shape() const { return full_mesh_spec(endpoints_); }

// The links that leave vertex 0 come first, then those of vertex 1, each in the order of where they lead; none leads back to
// its own vertex.
LinkEnds FullMesh::ends(LinkId link) const {
  const VertexId from = link / (endpoints_ - 1);
  const VertexId to = link % (endpoints_ - 1);
  return {from, to < from ? to : to + 1};
}

void FullMesh::route(VertexId from, VertexId to, Routing, Route& route) const {
  route.clear();
  if (from == to) return;
  route.add_link(from * (endpoints_ - 1) + (to < from ? to : to - 1));
  route.close_path(1);
}

TopologyProperties FullMesh::properties() const {
  TopologyProperties facts;
  facts.endpoints = endpoints_;
  facts.cables = links() / 2;
  facts.tiers.front().cables = facts.cables;
  facts.degree = endpoints_ - 1;
  facts.diameter = endpoints_ > 1 ? 1 : 0;
  facts.bisection = (endpoints_ / 2) * (endpoints_ - endpoints_ / 2);
  return facts;
}

namespace {

std::unique_ptr<Topology> build_full_mesh(SpecFields& fields) { return std::make_unique<FullMesh>(read_one_size(fields)); }

}  // namespace

std::vector<FamilyRow> full_mesh_families() {
  return {{{"fullmesh", "fullmesh:8", "a cable between every two endpoints"}, build_full_mesh}};
}

}  // namespace heddle
