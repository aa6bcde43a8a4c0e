// SPDX-License-Identifier: Apache-2.0
#include "emu/packets/packet_alone.hpp"

#include <algorithm>

namespace heddle::emu {

PacketCount count_packets(std::int64_t bytes, const PacketSettings& settings) {
  const std::int64_t mtu = settings.mtu.count();
  const std::int64_t packets = std::max<std::int64_t>(1, (bytes + mtu - 1) / mtu);
  const std::int64_t header = settings.header.count();
  return {packets, mtu + header, bytes - (packets - 1) * mtu + header};
}

void count_by_path(const PacketPaths& paths, std::int64_t packets, std::vector<std::int64_t>& by_path) {
  const std::size_t all = paths.route.paths().size();
  by_path.assign(all, 0);
  if (paths.is_even) {
    const auto count = static_cast<std::int64_t>(all);
    for (std::size_t i = 0; i < all; ++i)
      by_path[i] = packets / count + (static_cast<std::int64_t>(i) < packets % count ? 1 : 0);
    return;
  }
  PathTurns turns(paths);
  for (std::int64_t packet = 0; packet < packets; ++packet) ++by_path[turns.next(paths, packet)];
}

PacketAlone::Hop PacketAlone::hop_of(LinkId hop) const {
  const Topology& topology = fabric_.topology();
  if (hop < topology.links()) return {&paces_[static_cast<std::size_t>(hop)], fabric_.latency(hop), 1};
  const Trunk trunk = topology.trunk(hop);
  LinkId best = trunk.first;
  for (int i = 1; i < trunk.count; ++i) {
    if (paces_[static_cast<std::size_t>(trunk[i])].is_faster(paces_[static_cast<std::size_t>(best)])) best = trunk[i];
  }
  return {&paces_[static_cast<std::size_t>(best)], fabric_.latency(best), trunk.count};
}

// Packets follow each other through the hops as in a pipe. Of three it is enough to know when they start on each hop: of the first, of
// the last that is full, and of the last, which may be short and wait for the one before.
Time PacketAlone::arrival(const PacketPaths& paths, const Route::Path& path, const PacketCount& count, std::int64_t packets,
                          bool has_last) const {
  const std::int64_t full_ones = has_last ? packets - 1 : packets;
  Time first, full, last;  // when each starts on the hop at hand
  Time full_end, last_end;
  Hop before{};
  for (std::int32_t i = 0; i < path.count; ++i) {
    const Hop hop = hop_of(paths.hop(static_cast<std::size_t>(path.first + i)));
    // From the start on the hop before to the start on this one.
    const auto step = [&](std::int64_t bytes) {
      if (i == 0) return Time();
      const Time takes = before.pace->nominal(bytes);
      return before.latency +
             std::max(head_start(settings_.forward, *before.pace, bytes, takes), takes - hop.pace->nominal(bytes));
    };
    if (full_ones > 0) {
      const Time takes = hop.pace->nominal(count.full);
      first += step(count.full);
      const std::int64_t in_line = (full_ones - 1) / hop.members;
      full = std::max(full + step(count.full), first + hop.pace->nominal(in_line * count.full));
      full_end = full + takes;
    }
    if (has_last) {
      last += step(count.last);
      if (full_ones > 0 && hop.members == 1) last = std::max(last, full_end);
      last_end = last + hop.pace->nominal(count.last);
    }
    before = hop;
  }
  return std::max(full_end, last_end) + before.latency + fabric_.host_links();
}

AloneTimes::Times PacketAlone::of(const PacketPaths& paths, const PacketCount& count, std::span<const std::int64_t> by_path) {
  AloneTimes::Times times;
  // The last packet takes the path of its number; where shares are uneven, any may be the one: then none is taken to be short.
  const std::size_t of_last =
      paths.is_even ? static_cast<std::size_t>((count.packets - 1) % static_cast<std::int64_t>(by_path.size())) : 0;
  for (std::size_t i = 0; i < by_path.size(); ++i) {
    if (by_path[i] == 0) continue;
    const Route::Path& path = paths.path(i);
    const bool has_last = paths.is_even ? i == of_last : true;
    times.arrived = std::max(times.arrived, arrival(paths, path, count, by_path[i], has_last));
    const Hop hop = hop_of(paths.hop(static_cast<std::size_t>(path.first)));
    const std::int64_t bytes = (by_path[i] - (has_last ? 1 : 0)) * count.full + (has_last ? count.last : 0);
    times.drained = std::max(times.drained, hop.pace->nominal(bytes / hop.members));
  }
  // Paths that begin with the same link share it, and likewise those that end with the same one.
  const auto through = [&](auto link_of) {
    Time longest;
    for (std::size_t i = 0; i < by_path.size(); ++i) {
      if (by_path[i] == 0) continue;
      std::int64_t packets = 0;
      for (std::size_t j = 0; j < by_path.size(); ++j) packets += link_of(j) == link_of(i) ? by_path[j] : 0;
      const Hop hop = hop_of(link_of(i));
      longest = std::max(longest, hop.pace->nominal(((packets - 1) * count.full + count.last) / hop.members));
    }
    return longest;
  };
  if (by_path.size() > 1) {
    times.drained = std::max(times.drained, through([&](std::size_t i) { return paths.first_hop(i); }));
    Time shortest = kLatestTime;
    for (std::size_t i = 0; i < by_path.size(); ++i) {
      if (by_path[i] > 0) shortest = std::min(shortest, fabric_.path_latency(paths.route, paths.path(i)));
    }
    const Time busiest = std::max(times.drained, through([&](std::size_t i) {
                                    return paths.hop(static_cast<std::size_t>(paths.path(i).first + paths.path(i).count - 1));
                                  }));
    times.arrived = std::max(times.arrived, shortest + busiest);
  }
  return times;
}

}  // namespace heddle::emu
