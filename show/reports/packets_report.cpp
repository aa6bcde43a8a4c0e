// SPDX-License-Identifier: Apache-2.0
#include "show/reports/packets_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "core/printable.hpp"
#include "emu/packets/packet_room.hpp"
#include "heddle/units.hpp"
#include "lab/documents/context.hpp"
#include "lab/documents/packets_brief.hpp"
#include "show/document/document.hpp"

namespace heddle {

namespace {

std::string slots_text(std::int64_t slots) { return slots == emu::kUnboundedSlots ? "inf" : std::to_string(slots); }

std::string buffers_text(const PacketRoom& room) {
  if (room.least == emu::kUnboundedSlots) return "buffers without bound";
  return room.least == room.most ? fmt::format("buffers of {}", room.most)
                                 : fmt::format("buffers {} to {}", slots_text(room.least), slots_text(room.most));
}

std::string forward_text(const PacketSettings::Forward& forward) {
  if (forward.kind == PacketSettings::Forward::Kind::bytes) return fmt::format("forwarded after {}", to_string(forward));
  return fmt::format("{} forwarding", to_string(forward));
}

}  // namespace

std::string packets_head(const Fabric& fabric, const PacketSettings& settings) {
  const PacketRoom room = packet_room(fabric, settings);
  const std::string header = settings.header == Bytes(0) ? "" : fmt::format(" and {} of header", to_string(settings.header));
  std::string text =
      fmt::format("# packets of {}{}, {}, {}, {}, {}, {}\n", to_string(settings.mtu), header, forward_text(settings.forward),
                  buffers_text(room), to_string(settings.queues), to_string(settings.arbiter), counted(room.channels, "VC"));
  if (const auto& shortage = room.shortage) {
    const Topology& topology = fabric.topology();
    text += fmt::format("# buffers of {} hold {}'{}' (a round trip of {}) to {:.2g} % of its rate; {} would not\n",
                        emu::slots_of(fabric, settings, shortage->link), room.channels > 1 ? "each VC of " : "",
                        tier_name(speeds_by_tier(fabric), topology, shortage->link), to_string(shortage->round_trip),
                        100 * shortage->part, shortage->slots);
  }
  return text;
}

std::string queues_lines(const Report& report, const Topology& topology) {
  if (!report.packets || report.completion == Time()) return "";
  constexpr std::size_t kMost = 3;
  const std::vector<PacketLinkReport>& links = report.packets->links;
  std::vector<std::size_t> order(links.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t i) { return links[i].wait_total == Time(); });
  const auto is_longer = [&](std::size_t a, std::size_t b) {
    return std::pair(mean_wait(links[b]), a) < std::pair(mean_wait(links[a]), b);
  };
  const std::size_t shown = std::min(kMost, order.size());
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(shown), is_longer);
  order.resize(shown);
  std::string text;
  for (const std::size_t i : order) {
    const PacketLinkReport& link = links[i];
    text += fmt::format("{} {}: {} on average, {} at most (queue of {}; {:.3g} % busy, {:.3g} % stalled, {:.3g} % blocked)",
                        text.empty() ? "#   packets waited longest for" : ";", topology.link_name(static_cast<LinkId>(i)),
                        to_string(mean_wait(link)), to_string(link.wait_max), link.queue_max,
                        100 * part_of_time(link.busy, report.completion), 100 * part_of_time(link.stalled, report.completion),
                        100 * part_of_time(link.blocked, report.completion));
  }
  return text.empty() ? text : text + '\n';
}

}  // namespace heddle
