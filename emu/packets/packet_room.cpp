// SPDX-License-Identifier: Apache-2.0
#include "emu/packets/packet_room.hpp"

#include <algorithm>

namespace heddle {

namespace {

using emu::kUnboundedSlots;
using emu::Pace;

/// What a full packet takes on a link, and how long after its start its slot is free again where it may go on at once.
struct RoundTrip {
  Time takes;
  Time time;
};

RoundTrip round_trip_of(const Fabric& fabric, const PacketSettings& settings, LinkId link) {
  const Pace pace(fabric.bandwidth(link));
  const std::int64_t full = settings.mtu.count() + settings.header.count();
  const Time takes = pace.nominal(full);
  const Time latency = fabric.latency(link);
  const Time back = latency - fabric.crossing(link);
  return {takes, latency + head_start(settings.forward, pace, full, takes) + takes + back};
}

std::int64_t packets_within(const RoundTrip& trip) { return (trip.time.ps() + trip.takes.ps() - 1) / trip.takes.ps(); }

}  // namespace

namespace emu {

int channels_of(const Fabric& fabric, const PacketSettings& settings) {
  return settings.channels.value_or(std::max(1, fabric.topology().channels(fabric.settings().routing)));
}

std::uint32_t slots_of(const Fabric& fabric, const PacketSettings& settings, LinkId link) {
  const PacketSettings::Buffer& asked = settings.buffer;
  std::int64_t slots = kUnboundedSlots;
  switch (asked.kind) {
    case PacketSettings::Buffer::Kind::unbounded:
      break;
    case PacketSettings::Buffer::Kind::slots:
      slots = asked.amount;
      break;
    case PacketSettings::Buffer::Kind::bytes:
      slots = std::max<std::int64_t>(asked.amount / settings.mtu.count(), 1);
      break;
    case PacketSettings::Buffer::Kind::automatic:
      if (const RoundTrip trip = round_trip_of(fabric, settings, link); trip.takes > Time())
        slots = std::max<std::int64_t>(8, 2 * packets_within(trip));
      break;
  }
  return static_cast<std::uint32_t>(std::min<std::int64_t>(slots, kUnboundedSlots));
}

}  // namespace emu

PacketRoom packet_room(const Fabric& fabric, const PacketSettings& settings) {
  PacketRoom room;
  room.channels = emu::channels_of(fabric, settings);
  room.least = kUnboundedSlots;
  for (LinkId link = 0; link < fabric.topology().links(); ++link) {
    const std::int64_t slots = emu::slots_of(fabric, settings, link);
    room.least = std::min(room.least, slots);
    room.most = std::max(room.most, slots);
    RoundTrip trip = round_trip_of(fabric, settings, link);
    if (trip.takes == Time() || slots == kUnboundedSlots) continue;
    // Where it may end, its slot is free as soon as its tail is there.
    if (fabric.topology().ends(link).to < fabric.topology().endpoints())
      trip.time = fabric.latency(link) + trip.takes + (fabric.latency(link) - fabric.crossing(link));
    const double part = static_cast<double>(slots) * static_cast<double>(trip.takes.ps()) / static_cast<double>(trip.time.ps());
    if (part < 1 && (!room.shortage || part < room.shortage->part))
      room.shortage = {link, trip.time, part, packets_within(trip)};
  }
  return room;
}

}  // namespace heddle
