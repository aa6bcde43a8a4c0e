// SPDX-License-Identifier: Apache-2.0
// What documents say of a run's packets (docs/packets.md): how many, and the links where they queued, waited and stood still most.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "emu/record/report.hpp"
#include "heddle/units.hpp"
#include "topo/fabric/topology.hpp"

namespace heddle {

struct PacketsBrief {
  /// The most that a link has, and of several links with as much the first. Empty: all have 0.
  template <class Number>
  struct Most {
    Number number = {};
    std::string link = {};

    bool operator==(const Most&) const = default;
  };

  int channels = 1;
  std::int64_t packets = 0;
  std::int64_t packet_hops = 0;
  Most<int> queue = {};     ///< packets
  Most<Time> wait = {};     ///< of one packet
  Most<Time> stalled = {};  ///< in all
  bool operator==(const PacketsBrief&) const = default;
};

PacketsBrief brief_of(const PacketsReport& packets, const Topology& topology);

/// What the packets of a link waited for it on average.
Time mean_wait(const PacketLinkReport& link);

/// 0 … 1; 0 where no time has passed.
double part_of_time(Time part, Time whole);

/// channels, packets, packet_hops, queue_max, queue_max_link, wait_max_ps, wait_max_link, stalled_max_ps, stalled_max_link.
void to_json(nlohmann::ordered_json& json, const PacketsBrief& brief);
/// Reads it back. Throws what nlohmann throws for what is none.
void from_json(const nlohmann::ordered_json& json, PacketsBrief& brief);

/// Of a link: queue_max, queue_mean, wait_max_ps, wait_mean_ps, busy_ps, stalled_ps, blocked_ps, slots_max, marked.
nlohmann::ordered_json json_of(const PacketLinkReport& link);

}  // namespace heddle
