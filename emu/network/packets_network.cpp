// SPDX-License-Identifier: Apache-2.0
// The packet model's row: the network itself is emu/packets/packet_network.hpp.
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

}  // namespace

NetworkModel packets_model() {
  return {.model = Model::packets,
          .summary = "in packets, through buffers",
          .why_not = &lack_of_packets,
          .make = &make_one<PacketNetwork>};
}

}  // namespace heddle::emu
