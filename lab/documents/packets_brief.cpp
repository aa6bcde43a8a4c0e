// SPDX-License-Identifier: Apache-2.0
#include "lab/documents/packets_brief.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace heddle {

namespace {

using Json = nlohmann::ordered_json;

template <class Number>
PacketsBrief::Most<Number> most_of(const PacketsReport& packets, Number PacketLinkReport::*number, const Topology& topology) {
  const auto most = std::ranges::max_element(packets.links, {}, number);
  if (most == packets.links.end() || (*most).*number == Number()) return {};
  return {(*most).*number, topology.link_name(static_cast<LinkId>(most - packets.links.begin()))};
}

Json link_name(const std::string& name) { return name.empty() ? Json(nullptr) : Json(name); }

std::string name_from(const Json& json) { return json.is_null() ? std::string() : json.get<std::string>(); }

Time picoseconds_from(const Json& json) { return Time::ps(json.get<std::int64_t>()); }

}  // namespace

PacketsBrief brief_of(const PacketsReport& packets, const Topology& topology) {
  return {.channels = packets.channels,
          .packets = packets.packets,
          .packet_hops = packets.packet_hops,
          .queue = most_of(packets, &PacketLinkReport::queue_max, topology),
          .wait = most_of(packets, &PacketLinkReport::wait_max, topology),
          .stalled = most_of(packets, &PacketLinkReport::stalled, topology)};
}

Time mean_wait(const PacketLinkReport& link) { return link.waits == 0 ? Time() : Time::ps(link.wait_total.ps() / link.waits); }

double part_of_time(Time part, Time whole) {
  return whole == Time() ? 0 : static_cast<double>(part.ps()) / static_cast<double>(whole.ps());
}

void to_json(Json& json, const PacketsBrief& brief) {
  json = {{"channels", brief.channels},
          {"packets", brief.packets},
          {"packet_hops", brief.packet_hops},
          {"queue_max", brief.queue.number},
          {"queue_max_link", link_name(brief.queue.link)},
          {"wait_max_ps", brief.wait.number.ps()},
          {"wait_max_link", link_name(brief.wait.link)},
          {"stalled_max_ps", brief.stalled.number.ps()},
          {"stalled_max_link", link_name(brief.stalled.link)}};
}

void from_json(const Json& json, PacketsBrief& brief) {
  brief = {.channels = json.at("channels"),
           .packets = json.at("packets"),
           .packet_hops = json.at("packet_hops"),
           .queue = {json.at("queue_max"), name_from(json.at("queue_max_link"))},
           .wait = {picoseconds_from(json.at("wait_max_ps")), name_from(json.at("wait_max_link"))},
           .stalled = {picoseconds_from(json.at("stalled_max_ps")), name_from(json.at("stalled_max_link"))}};
}

Json json_of(const PacketLinkReport& link) {
  return {{"queue_max", link.queue_max},          {"queue_mean", link.queue_mean}, {"wait_max_ps", link.wait_max.ps()},
          {"wait_mean_ps", mean_wait(link).ps()}, {"busy_ps", link.busy.ps()},     {"stalled_ps", link.stalled.ps()},
          {"blocked_ps", link.blocked.ps()},      {"slots_max", link.slots_max},   {"marked", link.marked}};
}

}  // namespace heddle
