// SPDX-License-Identifier: Apache-2.0
// What is known of packets that wait: for a run's report, and where none goes on.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "emu/packets/packet_network.hpp"
#include "emu/packets/packet_room.hpp"

namespace heddle::emu {

void PacketNetwork::note_state(LinkId link, const Output& output) {
  using State = PacketStatistics::State;
  State state = State::idle;
  if (links_[static_cast<std::size_t>(link)].is_sending)
    state = State::busy;
  else if (!output.offers.empty() || !output.ring.empty())
    state = State::stalled;
  else if (output.waiting > 0)
    state = State::blocked;
  statistics_.set(link, state, output.waiting, engine_.now());
}

void PacketNetwork::add_to(Report& report) const {
  PacketsReport& packets = report.packets.emplace();
  packets.channels = static_cast<int>(channels_);
  packets.packet_hops = statistics_.packet_hops();
  packets.packets = packets_started_;
  const std::vector<PacketStatistics::Link> links = statistics_.at_end(report.completion);
  packets.links.reserve(links.size());
  for (std::size_t i = 0; i < links.size(); ++i) {
    const PacketStatistics::Link& link = links[i];
    using State = PacketStatistics::State;
    const auto spent = [&](State state) { return link.spent[static_cast<std::size_t>(state)]; };
    const double time = static_cast<double>(report.completion.ps());
    packets.links.push_back({.busy = spent(State::busy),
                             .stalled = spent(State::stalled),
                             .blocked = spent(State::blocked),
                             .idle = spent(State::idle),
                             .packets = link.packets,
                             .wire_bytes = Bytes(link.wire_bytes),
                             .waits = link.waits,
                             .wait_max = link.wait_max,
                             .wait_total = link.wait_total,
                             .queue_max = static_cast<int>(link.queue_max),
                             .queue_mean = time > 0 ? link.queue_area / time : 0,
                             .slots = slots_[i] == kUnboundedSlots ? 0 : slots_[i],
                             .slots_max = link.slots_max,
                             .marked = link.marked});
  }
}

std::string PacketNetwork::standstill() const {
  struct Full {
    LinkId buffer;  ///< whose far end
    LinkId wanted;
  };
  std::vector<Full> all;
  std::vector<MessageId> held;
  for (const Output& output : outputs_) {
    for (const Offer& offer : output.offers) {
      const Packet& packet = packets_[offer.packets.first];
      held.push_back(packet.message);
      all.push_back({packet.held, output.links.front()});
    }
  }
  if (all.empty()) return {};
  std::ranges::sort(all,
                    [](const Full& a, const Full& b) { return std::pair(a.buffer, a.wanted) < std::pair(b.buffer, b.wanted); });
  std::ranges::sort(held);
  const auto messages = std::unique(held.begin(), held.end()) - held.begin();

  const Topology& topology = fabric_.topology();
  constexpr std::size_t kShown = 6;
  std::string full;
  for (const Full& one : std::span(all).first(std::min(all.size(), kShown))) {
    full += fmt::format("{}{} is full of packets for {}", full.empty() ? "" : ", ", topology.link_name(one.buffer),
                        topology.link_name(one.wanted));
  }
  if (all.size() > kShown) full += fmt::format(", and {} more", all.size() - kShown);
  const int has = static_cast<int>(channels_);
  const int needed = topology.channels(fabric_.settings().routing);
  const std::string channels =
      has < needed ? fmt::format(", with {} virtual channel{} where routes need {}", has, has == 1 ? "" : "s", needed)
                   : std::string();
  // Numbers of messages depend on the kind of threads.
  const auto ends_of = [this](MessageId message) {
    return std::pair(messages_[message].paths->from, messages_[message].paths->to);
  };
  const auto [from, to] = ends_of(*std::ranges::min_element(held, {}, ends_of));
  return fmt::format(
      "packets wait for each other{}: {} ({} message{} under way, from {} to {} first); vcs=auto or a larger buffer", channels,
      full, messages, messages == 1 ? "" : "s", topology.vertex_name(from), topology.vertex_name(to));
}

}  // namespace heddle::emu
