// SPDX-License-Identifier: Apache-2.0
#include "show/drawing/heatmap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "emu/record/report.hpp"
#include "heddle/errors.hpp"
#include "heddle/units.hpp"
#include "lab/documents/fabric_report.hpp"
#include "lab/run/links.hpp"

namespace heddle::pictures {

namespace {

std::vector<double> bytes_of(const Report& report) {
  std::vector<double> bytes;
  for (const LinkReport& link : report.links) bytes.push_back(static_cast<double>(link.bytes.count()));
  return bytes;
}

}  // namespace

HeatmapOf parse_heatmap_of(std::string_view text) {
  if (text == "bytes") return HeatmapOf::bytes;
  if (text == "utilisation") return HeatmapOf::utilisation;
  if (text == "contention") return HeatmapOf::contention;
  throw InputError(fmt::format("'{}': bytes, utilisation or contention", text));
}

LinkLoads::LinkLoads(HeatmapOf of, std::vector<double> loads, const Report& report) : of_(of), loads_(std::move(loads)) {
  for (const LinkReport& link : report.links) bytes_.push_back(link.bytes.count());
  for (const double load : loads_) {
    most_ = std::max(most_, load);
    total_ += load;
    loaded_ += load > 0 ? 1 : 0;
  }
  scale_ = most_;
}

LinkLoads::LinkLoads(const Report& report) : LinkLoads(HeatmapOf::bytes, bytes_of(report), report) {}

double LinkLoads::most_of(const std::vector<LinkId>& links) const {
  double most = 0;
  for (const LinkId link : links) most = std::max(most, load(link));
  return most;
}

std::vector<LinkId> LinkLoads::busiest(std::size_t count) const {
  std::vector<LinkId> order(loads_.size());
  std::iota(order.begin(), order.end(), 0);
  count = std::min(count, static_cast<std::size_t>(loaded_));
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(), [&](LinkId a, LinkId b) {
    return std::tuple(-load(a), -bytes(a), a) < std::tuple(-load(b), -bytes(b), b);
  });
  order.resize(count);
  return order;
}

LinkLoads LinkLoads::on_scale(double end) const {
  LinkLoads scaled = *this;
  scaled.scale_ = std::max(end, most_);
  return scaled;
}

LinkLoads LinkLoads::times(double factor) const {
  LinkLoads scaled = *this;
  for (double& load : scaled.loads_) load *= factor;
  scaled.most_ *= factor;
  scaled.total_ *= factor;
  scaled.scale_ *= factor;
  return scaled;
}

std::string LinkLoads::fault_text(LinkId link) const {
  std::string text;
  for (const LinkFault& fault : faults_)
    if (fault.link == link) text += (text.empty() ? "" : " ") + state_text(fault);
  return text;
}

bool LinkLoads::is_down(LinkId link) const {
  return std::ranges::any_of(faults_, [link](const LinkFault& fault) { return fault.link == link && fault.down; });
}

int LinkLoads::step(double load, int steps) const {
  if (load <= 0) return 0;
  // What is a whole number of steps but for the rounding of a division is that many.
  return std::clamp(static_cast<int>(std::ceil(load / scale_ * steps * (1 - 1e-12))), 1, steps);
}

std::string_view LinkLoads::why_none() const {
  if (of_ == HeatmapOf::contention) return "No message lost time by sharing a link.";
  const bool carried = std::ranges::any_of(bytes_, [](std::int64_t bytes) { return bytes > 0; });
  return carried ? "No link has a limit that could be used up." : "No link carried a byte.";
}

std::string LinkLoads::text(double load) const {
  switch (of_) {
    case HeatmapOf::bytes:
      return to_string(Bytes(std::llround(load)));
    case HeatmapOf::utilisation:
      return fmt::format("{:.3g}%", 100 * load);
    case HeatmapOf::contention:
      break;
  }
  return to_string(Time::ps(std::llround(load * 1e12)));
}

namespace {

constexpr double kLeast = 1e-12;  // seconds that a link can cost: times are whole picoseconds

}  // namespace

std::vector<double> contention_of_links(const Timeline& timeline, const Setup& setup) {
  const std::vector<LinkHold> holds = find_link_holds(timeline, setup);
  std::vector<double> of_message(timeline.messages.size(), 0);
  for (const LinkHold& each : holds) of_message[each.message] += each.lost;
  const Topology& topology = setup.fabric.topology();
  std::vector<double> seconds(static_cast<std::size_t>(topology.links()), 0);
  for (const LinkHold& each : holds) {
    const MessageRecord& message = timeline.messages[each.message];
    const Time lost = message.drained - message.entered - message.full_rate;
    if (lost <= Time::ps(1)) continue;  // rounding
    const double part = lost.seconds() * each.lost / of_message[each.message];
    if (each.link < topology.links()) {
      seconds[static_cast<std::size_t>(each.link)] += part;
      continue;
    }
    const Trunk trunk = topology.trunk(each.link);
    for (int i = 0; i < trunk.count; ++i) seconds[static_cast<std::size_t>(trunk[i])] += part / trunk.count;
  }
  for (double& of_link : seconds)
    if (of_link < kLeast) of_link = 0;
  return seconds;
}

namespace {

LinkLoads unmarked_loads(HeatmapOf of, const Setup& setup, const Outcome& outcome) {
  const Report& report = *outcome.report();
  if (of == HeatmapOf::bytes) return LinkLoads(report);
  if (of == HeatmapOf::contention) return {of, contention_of_links(*outcome.timeline, setup), report};
  std::vector<double> parts;
  for (const LinkReport& link : report.links) parts.push_back(utilisation(link, setup.fabric, report.completion));
  return {of, std::move(parts), report};
}

}  // namespace

LinkLoads measured_loads(HeatmapOf of, const Setup& setup, const Outcome& outcome) {
  LinkLoads loads = unmarked_loads(of, setup, outcome);
  loads.mark(link_faults_of(setup, outcome));
  return loads;
}

std::vector<std::string> faulty_links(const LinkLoads& loads, const Topology& topology, std::size_t count) {
  std::set<LinkId> links;
  for (const LinkFault& fault : loads.faults()) links.insert(fault.link);
  std::vector<std::string> texts;
  for (const LinkId link : links) {
    if (texts.size() == count) {
      texts.push_back(fmt::format("and {} more", links.size() - count));
      break;
    }
    const std::string load = loads.load(link) > 0 ? loads.text(loads.load(link)) : "nothing";
    texts.push_back(fmt::format("{}: {}; {}", topology.link_name(link), loads.fault_text(link), load));
  }
  return texts;
}

std::vector<BusyLink> busiest_links(const LinkLoads& loads, const Fabric& fabric, std::size_t count) {
  const Topology& topology = fabric.topology();
  const std::vector<NamedSpeed> tiers = speeds_by_tier(fabric);
  std::vector<BusyLink> busiest;
  for (const LinkId link : loads.busiest(count)) {
    const std::string load =
        loads.of() == HeatmapOf::bytes ? fmt::format("{} B", loads.bytes(link)) : loads.text(loads.load(link));
    busiest.push_back({topology.link_name(link), load, tier_name(tiers, topology, link), fabric.bandwidth(link)});
  }
  return busiest;
}

}  // namespace heddle::pictures
