// SPDX-License-Identifier: Apache-2.0
// The packet model's row: the network itself is emu/packets/packet_network.hpp.
#include "emu/network/make_network.hpp"
#include "emu/packets/packet_network.hpp"

namespace heddle::emu {

namespace {

std::string_view lack_of_packets(ModelNeed need) {
  switch (need) {
    case ModelNeed::contention:
      return {};
    case ModelNeed::background:
      return "has packets with an end: of a background without one a lock-up could not be told; use a group (--groups)";
    case ModelNeed::link_faults:
      break;
  }
  return "knows no faults of links";
}

}  // namespace

NetworkModel packets_model() {
  return {.model = Model::packets,
          .summary = "in packets, through buffers",
          .why_not = &lack_of_packets,
          .make = &make_one<PacketNetwork>};
}

}  // namespace heddle::emu
