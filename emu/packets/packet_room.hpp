// SPDX-License-Identifier: Apache-2.0
// What room packets find on a fabric: virtual channels, and slots at the far ends of links (docs/model.md, "Packets").
#pragma once

#include <cstdint>
#include <optional>

#include "emu/packets/packet_pace.hpp"
#include "emu/settings/packet_settings.hpp"
#include "topo/fabric/fabric.hpp"

namespace heddle {

/// Of a whole fabric.
struct PacketRoom {
  /// A link that its buffer keeps from its rate, as a slot is free again only after a round trip.
  struct Shortage {
    LinkId link;
    Time round_trip;
    double part;         ///< of the link's rate, that one channel can have
    std::int64_t slots;  ///< that would do
  };

  int channels = 1;        ///< of each link
  std::int64_t least = 0;  ///< slots of a channel; emu::kUnboundedSlots: without bound
  std::int64_t most = 0;
  std::optional<Shortage> shortage = {};  ///< the worst one
};

/// The packet model serves the fabric.
PacketRoom packet_room(const Fabric& fabric, const PacketSettings& settings);

namespace emu {

inline constexpr std::uint32_t kUnboundedSlots = 0x7FFFFFFF;

/// Virtual channels of each link.
int channels_of(const Fabric& fabric, const PacketSettings& settings);

/// Slots at a link's far end, for each of its channels.
std::uint32_t slots_of(const Fabric& fabric, const PacketSettings& settings, LinkId link);

}  // namespace emu

}  // namespace heddle
