// SPDX-License-Identifier: Apache-2.0
// A topology with its speeds: what each link carries and how long it takes. The meaning of each number is in docs/model.md.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "heddle/communicator.hpp"
#include "heddle/units.hpp"
#include "topo/fabric/topology.hpp"

namespace heddle {

struct LinkSpeed {
  Bandwidth bandwidth = Bandwidth(50e9);  ///< B
  Time latency = Time::ps(100'000);       ///< ℓ
  double eta_alpha = 1;                   ///< ≥ 1, multiplies the latency and the h of the vertex that the link leaves
  double eta_beta = 1;                    ///< 0 < η_β ≤ 1, multiplies the bandwidth
};

struct FabricSettings {
  std::vector<LinkSpeed> tiers = {LinkSpeed{}};  ///< by the link's tier; the last serves all tiers beyond
  Time hop;                                      ///< h: of every router of a direct network, of every switch of a switched one
  Time host_link;      ///< of the link between a host and its router, on direct networks; zero: the host is the router
  Time alpha;          ///< α: start-up of a message; messages posted together overlap theirs
  Time send_overhead;  ///< LogP's o: occupies the sending rank
  Time recv_overhead;  ///< occupies the receiving rank
  double gamma = 0;    ///< γ: seconds of local work (reduce_into, copy) per byte
  Routing routing = Routing::split();
};

class Fabric {
 public:
  /// Throws InputError for settings out of their range.
  Fabric(std::shared_ptr<const Topology> topology, FabricSettings settings);

  const Topology& topology() const { return *topology_; }
  const FabricSettings& settings() const { return settings_; }

  /// B·η_β of a link; of a trunk, that of its links together.
  Bandwidth bandwidth(LinkId link) const {
    const Speed& of_link = speeds_[speed(link)];
    return link < links_ ? of_link.bandwidth : of_link.bandwidth * topology_->trunk(link).count;
  }
  /// (ℓ + h of the vertex that the link leaves)·η_α: what it, or one link of a trunk, adds to L(P).
  Time latency(LinkId link) const { return speeds_[speed(link)].latency; }

  /// h·η_α of that vertex alone.
  Time crossing(LinkId link) const;

  /// What the two host links of a route add to L(P): 2·host_link + h, as the router that the message enters by forwards it too.
  /// Zero where hosts have no link of their own, and on switched networks, where it is a link like others.
  Time host_links() const { return host_links_; }

  /// L(P): the time from drained to arrived on one path.
  Time path_latency(const Route& route, const Route::Path& path) const;
  Time path_latency(const RunRoute& route, const RunRoute::Path& path) const;

  /// Whether a split route's ways may be of unequal width, so that its shares are not the topology's even ones.
  bool has_unequal_ways() const { return has_unequal_ways_; }

  /// Whether all links, and trunks, have the same bandwidth.
  bool has_one_bandwidth() const { return settings_.tiers.size() == 1 && topology_->trunks() == 0; }

 private:
  /// LinkSpeed with everything multiplied and added: of a tier's links that leave endpoints, or of those that leave switches.
  struct Speed {
    Bandwidth bandwidth;
    Time latency;
  };

  std::size_t speed(LinkId link) const { return uniform_ ? 0 : speed_of_link_[static_cast<std::size_t>(link)]; }

  std::shared_ptr<const Topology> topology_;
  FabricSettings settings_;
  Time host_links_;
  LinkId links_;               ///< trunks are numbered from here
  std::vector<Speed> speeds_;  ///< by tier: from an endpoint, from a switch
  bool has_unequal_ways_ = false;
  bool uniform_ = false;                     ///< all links have the same speed
  std::vector<std::uint8_t> speed_of_link_;  ///< index into speeds_, by link and trunk; empty if uniform
};

/// A message alone on its way between two endpoints: α + L(P) and the time of a byte on the narrowest link.
MessageCost message_cost(const Fabric& fabric, VertexId from, VertexId to);

}  // namespace heddle
