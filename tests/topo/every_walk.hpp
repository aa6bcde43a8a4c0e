// SPDX-License-Identifier: Apache-2.0
// A route that names trunks, said out loud: every walk over their links.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/topo/topology_examples.hpp"

namespace heddle {

/// The walks that a path stands for, as lists of links: where it names a trunk, those over each link of it that fits.
inline std::vector<std::vector<LinkId>> walks_of(const Topology& topology, VertexId from, const Route& route,
                                                 const Route::Path& path) {
  std::vector<std::vector<LinkId>> walks = {{}};
  for (std::int32_t i = path.first; i < path.first + path.count; ++i) {
    std::vector<std::vector<LinkId>> longer;
    for (const std::vector<LinkId>& walk : walks) {
      for (LinkId link : links_of(topology, route.links()[static_cast<std::size_t>(i)])) {
        if (topology.ends(link).from != (walk.empty() ? from : topology.ends(walk.back()).to)) continue;
        longer.push_back(walk);
        longer.back().push_back(link);
      }
    }
    walks = std::move(longer);
  }
  return walks;
}

/// The same fabric without trunks: a split route is a path for each walk, with even shares.
class EveryWalk final : public Topology {
 public:
  explicit EveryWalk(std::shared_ptr<const Topology> fabric) : fabric_(std::move(fabric)) {}

  std::string shape() const override { return fabric_->spec(); }
  int endpoints() const override { return fabric_->endpoints(); }
  int switches() const override { return fabric_->switches(); }
  int links() const override { return fabric_->links(); }
  LinkEnds ends(LinkId link) const override { return fabric_->ends(link); }
  int tier(LinkId link) const override { return fabric_->tier(link); }
  bool is_direct() const override { return fabric_->is_direct(); }
  void route(VertexId from, VertexId to, Routing routing, Route& route) const override {
    const Route with_trunks = route_between(*fabric_, from, to, routing);
    route.clear();
    for (const Route::Path& path : with_trunks.paths()) {
      const auto walks = walks_of(*fabric_, from, with_trunks, path);
      for (const std::vector<LinkId>& walk : walks) {
        for (LinkId link : walk) route.add_link(link);
        route.close_path(path.share / static_cast<double>(walks.size()));
      }
    }
  }
  TopologyProperties properties() const override { return fabric_->properties(); }

 private:
  std::shared_ptr<const Topology> fabric_;
};

}  // namespace heddle
