// SPDX-License-Identifier: Apache-2.0
// Every endpoint has a cable to every other.
#pragma once

#include <cstdint>
#include <string>

#include "topo/fabric/topology.hpp"

namespace heddle {

class FullMesh final : public Topology {
 public:
  /// Throws InputError if there are too many endpoints or links.
  explicit FullMesh(std::int64_t endpoints);

  std::string shape() const override;
  int endpoints() const override { return endpoints_; }
  int switches() const override { return 0; }
  int links() const override { return endpoints_ * (endpoints_ - 1); }
  LinkEnds ends(LinkId link) const override;
  bool is_direct() const override { return true; }
  void route(VertexId from, VertexId to, Routing routing, Route& route) const override;
  TopologyProperties properties() const override;

 private:
  int endpoints_;
};

}  // namespace heddle
