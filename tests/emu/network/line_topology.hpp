// SPDX-License-Identifier: Apache-2.0
// A one-way street: endpoints 0, 1, …, n, and link i from endpoint i to i+1, in a tier of its own, so that a test chooses each
// link's speed.
#pragma once

#include <string>

#include "topo/fabric/topology.hpp"

namespace heddle {

class LineTopology final : public Topology {
 public:
  explicit LineTopology(int links) : links_(links) {}

  std::string shape() const override { return "line:" + std::to_string(links_); }
  int endpoints() const override { return links_ + 1; }
  int switches() const override { return 0; }
  int links() const override { return links_; }
  LinkEnds ends(LinkId link) const override { return {link, link + 1}; }
  int tier(LinkId link) const override { return link; }
  bool is_direct() const override { return true; }
  void route(VertexId from, VertexId to, Routing, Route& route) const override {
    route.clear();
    for (VertexId at = from; at < to; ++at) route.add_link(at);
    if (from != to) route.close_path(1);
  }
  TopologyProperties properties() const override {
    return {.endpoints = endpoints(), .tiers = std::vector<TierProperties>(static_cast<std::size_t>(links_))};
  }

 private:
  int links_;
};

}  // namespace heddle
