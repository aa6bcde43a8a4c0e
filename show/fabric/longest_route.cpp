// SPDX-License-Identifier: Apache-2.0
#include "show/fabric/longest_route.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "topo/fabric/ways.hpp"

namespace heddle {

namespace {

constexpr std::int64_t kMostLinks = 20'000'000;  // to walk; a tenth of a second or so

struct Farthest {
  Time latency;
  VertexId endpoint = 0;
};

class RouteWalker {
 public:
  explicit RouteWalker(const Fabric& fabric) : fabric_(fabric) {}

  bool tired() const { return walked_ > kMostLinks; }

  /// The farthest of these endpoints from one, of those that it got to before it was tired.
  Farthest farthest_from(VertexId source, const std::vector<VertexId>& endpoints) {
    Farthest farthest{.latency = Time(), .endpoint = source};
    for (const VertexId to : endpoints) {
      if (tired()) break;
      fabric_.topology().route(source, to, fabric_.settings().routing, route_);
      walked_ += static_cast<std::int64_t>(route_.links().size()) + 1;
      for (const Route::Path& path : route_.paths()) {
        const Time latency = fabric_.path_latency(route_, path);
        if (latency > farthest.latency) farthest = {latency, to};
      }
      look_at_ways();
    }
    return farthest;
  }

  bool has_unequal_ways() const { return has_unequal_ways_; }
  std::size_t most_ways() const { return most_ways_; }

 private:
  /// Of so many routes: filling them takes its time.
  void look_at_ways() {
    constexpr int kMostFilled = 2'000;
    most_ways_ = std::max(most_ways_, route_.paths().size());
    if (!fabric_.has_unequal_ways() || has_unequal_ways_ || route_.paths().size() < 2 || ++filled_ > kMostFilled) return;
    const auto capacity = [this](LinkId link) { return fabric_.bandwidth(link).bytes_per_second(); };
    has_unequal_ways_ = !shares_by_width(fabric_.topology(), route_, capacity).empty();
  }

  const Fabric& fabric_;
  Route route_;
  bool has_unequal_ways_ = false;
  std::size_t most_ways_ = 0;
  int filled_ = 0;
  std::int64_t walked_ = 0;
};

/// Two of all endpoints that hang on the same vertices by the same links: routes treat those alike.
std::vector<VertexId> representatives(const Topology& topology) {
  using Neighbor = std::pair<VertexId, int>;  // and the tier of the link
  std::vector<std::vector<Neighbor>> neighbors(static_cast<std::size_t>(topology.endpoints()));
  for (LinkId link = 0; link < topology.links(); ++link) {
    const LinkEnds ends = topology.ends(link);
    if (ends.from < topology.endpoints())
      neighbors[static_cast<std::size_t>(ends.from)].emplace_back(ends.to, topology.tier(link));
  }
  std::map<std::vector<Neighbor>, int> alike;
  std::vector<VertexId> chosen;
  for (VertexId endpoint = 0; endpoint < topology.endpoints(); ++endpoint) {
    std::vector<Neighbor>& of_it = neighbors[static_cast<std::size_t>(endpoint)];
    std::sort(of_it.begin(), of_it.end());
    if (++alike[std::move(of_it)] <= 2) chosen.push_back(endpoint);
  }
  return chosen;
}

}  // namespace

LongestRoute longest_route(const Fabric& fabric) {
  const Topology& topology = fabric.topology();
  // Every link of a direct network with one speed adds the same; its routes, which may be very long, need no walk.
  if (topology.is_direct() && fabric.settings().tiers.size() == 1 && !fabric.has_unequal_ways()) {
    const int diameter = topology.properties().diameter;
    return {diameter == 0 ? Time() : fabric.host_links() + diameter * fabric.latency(0), true};
  }
  const std::vector<VertexId> endpoints = representatives(topology);
  RouteWalker walker(fabric);
  std::vector<bool> seen(static_cast<std::size_t>(topology.endpoints()));
  LongestRoute longest;
  const auto look_from = [&](VertexId source) {
    seen[static_cast<std::size_t>(source)] = true;
    const Farthest farthest = walker.farthest_from(source, endpoints);
    longest.latency = std::max(longest.latency, farthest.latency);
    return farthest.endpoint;
  };
  for (VertexId source = 0; !seen[static_cast<std::size_t>(source)] && !walker.tired();) source = look_from(source);
  for (const VertexId source : endpoints)
    if (!seen[static_cast<std::size_t>(source)] && !walker.tired()) look_from(source);
  longest.exact = !walker.tired();
  longest.has_unequal_ways = walker.has_unequal_ways();
  longest.most_ways = walker.most_ways();
  return longest;
}

}  // namespace heddle
