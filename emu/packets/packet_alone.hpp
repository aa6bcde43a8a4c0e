// SPDX-License-Identifier: Apache-2.0
// How long a message takes in packets when nobody else is on the fabric and buffers have no bound (docs/model.md, "Packets").
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "emu/network/alone_times.hpp"
#include "emu/packets/packet_pace.hpp"
#include "emu/packets/packet_paths.hpp"
#include "emu/settings/packet_settings.hpp"
#include "topo/fabric/fabric.hpp"

namespace heddle::emu {

/// A message as packets: all carry the same, the last one the rest.
struct PacketCount {
  std::int64_t packets = 1;
  std::int64_t full = 0;  ///< bytes on the wire of each but the last
  std::int64_t last = 0;  ///< bytes on the wire of the last
};

PacketCount count_packets(std::int64_t bytes, const PacketSettings& settings);

/// How many packets take each path: in place of what `by_path` has.
void count_by_path(const PacketPaths& paths, std::int64_t packets, std::vector<std::int64_t>& by_path);

class PacketAlone {
 public:
  /// References outlive this. `paces`: of each link, now.
  PacketAlone(const Fabric& fabric, const PacketSettings& settings, const std::vector<Pace>& paces)
      : fabric_(fabric), settings_(settings), paces_(paces) {}

  /// Exact where a message has one path and no trunk on it; else never more than it takes.
  AloneTimes::Times of(const PacketPaths& paths, const PacketCount& count, std::span<const std::int64_t> by_path);

 private:
  /// What a packet meets at a hop: a link, or the quickest of a trunk.
  struct Hop {
    const Pace* pace;
    Time latency;
    int members;
  };
  Hop hop_of(LinkId hop) const;
  Time arrival(const PacketPaths& paths, const Route::Path& path, const PacketCount& count, std::int64_t packets,
               bool has_last) const;

  const Fabric& fabric_;
  const PacketSettings& settings_;
  const std::vector<Pace>& paces_;
};

}  // namespace heddle::emu
