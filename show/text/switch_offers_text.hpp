// SPDX-License-Identifier: Apache-2.0
// What switches offer, for people.
#pragma once

#include <string>
#include <vector>

#include "topo/fabric/topology.hpp"

namespace heddle {

/// "alu, multicast, radix 64"; empty for a switch that only forwards.
std::string offers_text(const SwitchOffers& offers);

/// Switches that offer the same.
struct OfferingSwitches {
  std::string offers;
  std::vector<VertexId> switches;
};
/// In the order of their first switch; without those that only forward.
std::vector<OfferingSwitches> offering_switches(const Topology& topology);

/// "s0-s7, s9, s16-s140 by 4": vertices in ascending order, by their names.
std::string ranges_text(const std::vector<VertexId>& vertices, const Topology& topology);

}  // namespace heddle
