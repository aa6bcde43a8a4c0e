// SPDX-License-Identifier: Apache-2.0
// A small leaf-spine for tests of what describes fabrics, written out link by link: nothing of it comes from the families.
#pragma once

#include <string>
#include <vector>

#include "topo/fabric/topology.hpp"

namespace heddle::test {

/// Six endpoints, two on each of leaves s0 to s2 (tier 0); each leaf with two cables to each of spines s3 and s4 (tier 1).
class TwoLayers final : public Topology {
 public:
  TwoLayers() {
    for (VertexId endpoint = 0; endpoint < 6; ++endpoint) add_cable(endpoint, 6 + endpoint / 2);
    for (VertexId leaf = 6; leaf < 9; ++leaf)
      for (VertexId spine : {9, 9, 10, 10}) add_cable(leaf, spine);
  }
  std::string shape() const override { return "layers"; }
  int endpoints() const override { return 6; }
  int switches() const override { return 5; }
  int links() const override { return static_cast<int>(ends_.size()); }
  LinkEnds ends(LinkId link) const override { return ends_.at(static_cast<std::size_t>(link)); }
  int tier(LinkId link) const override { return link < 12 ? 0 : 1; }
  bool is_direct() const override { return false; }
  /// Over the first cable to the first spine.
  void route(VertexId from, VertexId to, Routing, Route& route) const override {
    route.clear();
    if (from == to) return;
    route.add_link(2 * from);
    if (from / 2 != to / 2) {
      route.add_link(12 + 8 * (from / 2));
      route.add_link(12 + 8 * (to / 2) + 1);
    }
    route.add_link(2 * to + 1);
    route.close_path(1);
  }
  int group_tiers() const override { return 2; }
  int group(VertexId endpoint, int tier) const override { return tier == 0 ? endpoint / 2 : 0; }
  TopologyProperties properties() const override {
    return {.endpoints = 6,
            .switches = 5,
            .cables = 18,
            .degree = 1,
            .diameter = 4,
            .bisection = 3,
            .tiers = {{"host to leaf", 3, 6, 1}, {"leaf to spine", 2, 12, 0.5}}};
  }

 private:
  void add_cable(VertexId a, VertexId b) {
    ends_.push_back({a, b});
    ends_.push_back({b, a});
  }

  std::vector<LinkEnds> ends_;
};

}  // namespace heddle::test
