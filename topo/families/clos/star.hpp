// SPDX-License-Identifier: Apache-2.0
// One switch with a cable to each endpoint.
#pragma once

#include <cstdint>
#include <string>

#include "topo/fabric/topology.hpp"

namespace heddle {

class Star final : public Topology {
 public:
  /// Throws InputError if there are too many endpoints.
  explicit Star(std::int64_t endpoints);

  std::string shape() const override;
  int endpoints() const override { return endpoints_; }
  int switches() const override { return 1; }
  int links() const override { return 2 * endpoints_; }
  LinkEnds ends(LinkId link) const override;
  bool is_direct() const override { return false; }
  void route(VertexId from, VertexId to, Routing routing, Route& route) const override;
  TopologyProperties properties() const override;

 private:
  /// To the switch and back from it; the links of one cable are neighbours.
  static LinkId up(VertexId endpoint) { return 2 * endpoint; }
  static LinkId down(VertexId endpoint) { return 2 * endpoint + 1; }

  int endpoints_;
};

}  // namespace heddle
