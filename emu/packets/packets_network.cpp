// SPDX-License-Identifier: Apache-2.0
// The packet model's row: the network itself is emu/packets/packet_network.hpp.
#include <fmt/format.h>

#include "emu/network/make_network.hpp"
#include "emu/packets/packet_network.hpp"

namespace heddle::emu {

namespace {

std::string_view lack_of_packets(ModelNeed need) {
  switch (need) {
    case ModelNeed::contention:
    case ModelNeed::slow_links:
      break;
    case ModelNeed::background:
      return "has no background: its packets would have no end, and a lock-up could not be told; use a group (--groups)";
    case ModelNeed::streams:
      return "has no switches that compute: their operations are no packets yet";
    case ModelNeed::dead_links:
      return "has no links that are down: ways around may cross channels out of order and lock up";
  }
  return "";
}

std::string lack_on_fabric(const Fabric& fabric, const Model& model) {
  const Topology& topology = fabric.topology();
  for (LinkId link = 0; link < topology.links(); ++link) {
    if (!Pace::fits(fabric.bandwidth(link)))
      return fmt::format("has no links of less than 1 kB/s, as {} is", topology.link_name(link));
  }
  const int needed = topology.channels(fabric.settings().routing);
  if (model.packet_settings().channels || needed <= PacketSettings::kMostChannels) return "";
  return fmt::format(
      "has at most {} virtual channels, and routes of {} need {}: give vcs=N, which can lock up, or another routing",
      PacketSettings::kMostChannels, topology.spec(), needed);
}

}  // namespace

NetworkModel packets_model() {
  return {.model = Model::packets,
          .summary = "in packets, through buffers",
          .why_not = &lack_of_packets,
          .why_not_on = &lack_on_fabric,
          .make = &make_one<PacketNetwork>};
}

}  // namespace heddle::emu
