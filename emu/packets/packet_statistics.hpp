// SPDX-License-Identifier: Apache-2.0
// What each link did at each time of a run, and how long its queue was.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "heddle/units.hpp"
#include "topo/fabric/topology.hpp"

namespace heddle::emu {

class PacketStatistics {
 public:
  enum class State : std::uint8_t {
    idle,
    busy,
    stalled,  ///< something is offered, and has no credit
    blocked,  ///< nothing is offered, and packets that may go on wait behind others
  };

  struct Link {
    Time spent[4] = {};  ///< by state, up to `since`
    Time since;
    State state = State::idle;
    std::uint32_t queue = 0;
    std::uint32_t queue_max = 0;  ///< that lasted longer than a timestamp
    double queue_area = 0;        ///< packets times picoseconds, up to `since`
    std::int64_t packets = 0;
    std::int64_t wire_bytes = 0;
    std::int64_t waits = 0;
    Time wait_max;
    Time wait_total;
    std::uint32_t slots_max = 0;
    std::int64_t marked = 0;
  };

  explicit PacketStatistics(std::size_t links) : links_(links) {}

  const Link& of(LinkId link) const { return links_[static_cast<std::size_t>(link)]; }
  std::int64_t packet_hops() const { return packet_hops_; }

  /// From `now` on, once nothing more changes at this timestamp.
  void set(LinkId id, State state, std::uint32_t queue, Time now) {
    Link& link = links_[static_cast<std::size_t>(id)];
    close(link, now);
    link.state = state;
    link.queue = queue;
  }
  void sent(LinkId id, std::int64_t wire_bytes) {
    Link& link = links_[static_cast<std::size_t>(id)];
    ++link.packets;
    ++packet_hops_;
    link.wire_bytes += wire_bytes;
  }
  void waited(LinkId id, Time time) {
    Link& link = links_[static_cast<std::size_t>(id)];
    link.wait_max = std::max(link.wait_max, time);
    link.wait_total += time;
    ++link.waits;
  }
  void marked(LinkId id) { ++links_[static_cast<std::size_t>(id)].marked; }
  void holds(LinkId id, std::uint32_t slots) {
    Link& link = links_[static_cast<std::size_t>(id)];
    link.slots_max = std::max(link.slots_max, slots);
  }
  /// All of a run that ends then.
  std::vector<Link> at_end(Time end) const {
    std::vector<Link> all = links_;
    for (Link& link : all) {
      close(link, end);
      // After it nothing is left but credits on their way back.
      Time& idle = link.spent[static_cast<std::size_t>(State::idle)];
      if (link.since > end) idle = idle - (link.since - end);
    }
    return all;
  }

 private:
  static void close(Link& link, Time now) {
    if (now <= link.since) return;
    const Time passed = now - link.since;
    link.spent[static_cast<std::size_t>(link.state)] += passed;
    link.queue_max = std::max(link.queue_max, link.queue);
    link.queue_area += static_cast<double>(link.queue) * static_cast<double>(passed.ps());
    link.since = now;
  }

  std::vector<Link> links_;
  std::int64_t packet_hops_ = 0;
};

}  // namespace heddle::emu
