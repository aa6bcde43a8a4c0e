// SPDX-License-Identifier: Apache-2.0
// How much of a message takes each of several ways: as much as the way can carry (docs/model.md, "Ways of unequal width").
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "topo/fabric/fabric.hpp"
#include "topo/fabric/topology.hpp"

namespace heddle {

/// The share of each path of a route, so that the fullest link is as empty as it can be, then the next fullest, and so on. Empty:
/// the ways are equally wide, and the route's own shares are right. 0: a way that is no millionth as wide as the others together.
/// `capacity` of a link or trunk of the route: above 0, in any unit, infinite where nothing limits it.
std::vector<double> shares_by_width(const Topology& topology, const Route& route,
                                    const std::function<double(LinkId)>& capacity);

/// Shares that have been worked out, by the links in which ways differ: messages between two leaves have the same, whosever they are.
class KnownShares {
 public:
  /// Fills a route of several paths; one of a single path is left as it is.
  void fill(const Topology& topology, Route& route, const std::function<double(LinkId)>& capacity);
  /// Capacities have changed.
  void forget() { shares_.clear(); }

 private:
  struct Hash {
    std::size_t operator()(const std::vector<LinkId>& links) const;
  };
  void take_key_of(const Route& route);

  std::unordered_map<std::vector<LinkId>, std::vector<double>, Hash> shares_;
  std::vector<LinkId> key_;  ///< of the route at hand
};

/// The routes of a fabric's messages, for somebody who asks often.
class FilledRoutes {
 public:
  /// The fabric outlives it.
  explicit FilledRoutes(const Fabric& fabric) : fabric_(fabric) {}

  void find(VertexId from, VertexId to, Route& route) {
    fabric_.topology().route(from, to, fabric_.settings().routing, route);
    if (fabric_.has_unequal_ways()) fill(route);
  }
  void find_in_runs(VertexId from, VertexId to, RunRoute& route) {
    if (!fabric_.has_unequal_ways()) return fabric_.topology().route_in_runs(from, to, fabric_.settings().routing, route);
    route.assign([&](Route& single) { find(from, to, single); });
  }

 private:
  void fill(Route& route);

  const Fabric& fabric_;
  KnownShares shares_;
};

}  // namespace heddle
