// SPDX-License-Identifier: Apache-2.0
// A topology with its speeds: what each link carries and how long it takes. The meaning of each number is in docs/model.md.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/message_cost.hpp"
#include "core/units.hpp"
#include "topo/topology.hpp"

namespace heddle {

struct LinkSpeed {
  Bandwidth bandwidth = Bandwidth(50e9);  ///< B
  Time latency = Time::ps(100'000);       ///< ℓ
  double eta_alpha = 1;                   ///< ≥ 1, multiplies the latency
  double eta_beta = 1;                    ///< 0 < η_β ≤ 1, multiplies the bandwidth
};

struct FabricSettings {
  std::vector<LinkSpeed> tiers = {LinkSpeed{}};  ///< by the link's tier; the last serves all tiers beyond
  Time hop;                                      ///< h: of every router of a direct network, of every switch of a switched one
  Time alpha;                                    ///< α: start-up of a message; messages posted together overlap theirs
  Time send_overhead;                            ///< LogP's o: occupies the sending rank
  Time recv_overhead;                            ///< occupies the receiving rank
  double gamma = 0;                              ///< γ: seconds of local work (reduce_into, copy) per byte
  TieBreak tie_break = TieBreak::split;
};

class Fabric {
 public:
  /// Throws InputError for settings out of their range.
  Fabric(std::shared_ptr<const Topology> topology, FabricSettings settings);

  const Topology& topology() const { return *topology_; }
  const FabricSettings& settings() const { return settings_; }

  /// B·η_β of a link.
  Bandwidth bandwidth(LinkId link) const { return speed(link).bandwidth; }
  /// ℓ·η_α plus h of the vertex that the link leaves: what it adds to L(P).
  Time latency(LinkId link) const {
    const Speed& of_tier = speed(link);
    if (uniform_ || topology_->ends(link).from < topology_->endpoints()) return of_tier.from_endpoint;
    return of_tier.from_switch;
  }

  /// L(P): the time from drained to arrived on one path.
  Time path_latency(const Route& route, const Route::Path& path) const;

 private:
  /// LinkSpeed with everything multiplied and added.
  struct Speed {
    Bandwidth bandwidth;
    Time from_endpoint;
    Time from_switch;
  };

  const Speed& speed(LinkId link) const {
    if (speeds_.size() == 1) return speeds_.front();
    return speeds_[std::min(static_cast<std::size_t>(topology_->tier(link)), speeds_.size() - 1)];
  }

  std::shared_ptr<const Topology> topology_;
  FabricSettings settings_;
  std::vector<Speed> speeds_;  ///< by tier, as settings_.tiers
  bool uniform_ = false;       ///< all links have the same latency
};

/// A message alone on its way between two endpoints: α + L(P) and the time of a byte on the narrowest link.
MessageCost message_cost(const Fabric& fabric, VertexId from, VertexId to);

/// A source's parameters under one name.
struct FabricPreset {
  std::string_view name;
  std::string_view summary;  ///< with the source
  FabricSettings settings;
};
const std::vector<FabricPreset>& fabric_presets();
/// Throws InputError with the nearest name.
const FabricPreset& find_fabric_preset(std::string_view name);

}  // namespace heddle
