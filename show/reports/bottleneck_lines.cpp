// SPDX-License-Identifier: Apache-2.0
#include "show/reports/explanation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <tuple>

#include "emu/record/report.hpp"
#include "lab/documents/fabric_report.hpp"
#include "lab/run/links.hpp"
#include "show/document/table.hpp"

namespace heddle {

namespace {

constexpr std::size_t kMostDrainingTiers = 4;
constexpr double kAsFull = 1e-6;  // utilisations that differ by less are equal: times are whole picoseconds

/// A link with all that it carried.
struct UsedLink {
  const LinkReport* link;
  double own;     ///< utilisation by the run's messages
  double others;  ///< by the load in the background
  double all() const { return own + others; }
};

std::vector<UsedLink> used_links(const Setup& setup, const Report& report) {
  const std::vector<double> background = background_bytes(setup, report);
  std::vector<UsedLink> used;
  for (const LinkReport& link : report.links) {
    if (link.bytes == Bytes()) continue;
    const double own = utilisation(link, setup.fabric, report.completion);
    const double others = background[static_cast<std::size_t>(link.link)] / static_cast<double>(link.bytes.count());
    used.push_back({&link, own, own * others});
  }
  return used;
}

std::string microseconds_text(double seconds) { return fmt::format("{:.3f}", seconds * 1e6); }

std::string short_percent(double part) { return fmt::format("{:.3g} %", 100 * part); }

double part_of(Time part, Time whole) { return static_cast<double>(part.ps()) / static_cast<double>(whole.ps()); }

std::string carried_text(const LinkReport& link, Time completion) {
  return fmt::format("{} bytes, at most {} at once, busy {} of the time", link.bytes.count(),
                     counted(link.peak_flows, "message"), short_percent(part_of(link.busy, completion)));
}

/// Seconds in which messages drained, of which so many over links that a fault slows.
struct Drained {
  double seconds = 0;
  double slowed = 0;
};
using DrainedByTier = std::map<int, Drained>;

std::string draining_text(const Setup& setup, const DrainedByTier& tiers, Time completion, std::string_view what) {
  std::vector<std::pair<int, Drained>> order(tiers.begin(), tiers.end());
  std::erase_if(order, [](const auto& one) { return one.second.seconds < 1e-12; });
  std::ranges::stable_sort(order, std::greater<>(), [](const auto& one) { return one.second.seconds; });
  if (order.empty()) return "";
  const std::vector<NamedSpeed> speeds = speeds_by_tier(setup.fabric);
  std::string text;
  for (std::size_t i = 0; i < std::min(order.size(), kMostDrainingTiers); ++i) {
    const auto& [tier, drained] = order[i];
    const NamedSpeed& speed = speeds[std::min(static_cast<std::size_t>(tier), speeds.size() - 1)];
    text +=
        fmt::format("{}{} ({}) {} us, {} of the time", text.empty() ? "" : "; ", speed.name, to_string(speed.speed.bandwidth),
                    microseconds_text(drained.seconds), short_percent(drained.seconds / completion.seconds()));
    if (drained.slowed > 1e-12)
      text += fmt::format(" ({} us over links that a fault slows)", microseconds_text(drained.slowed));
  }
  return fmt::format("#   {}: {}\n", what, text);
}

bool has_several_tiers(const Setup& setup) { return setup.fabric.topology().properties().tiers.size() > 1; }

int tier_of(const Topology& topology, LinkId link) {
  return topology.tier(link < topology.links() ? link : topology.trunk(link)[0]);
}

/// The narrowest link on the way between two ranks, and the latency of that way; no value: they sit on one endpoint.
struct Way {
  LinkId narrowest;
  Time latency;
};
std::optional<Way> way_between(const Setup& setup, const LinkSpeeds& speeds, int source, int dest, Time now) {
  const VertexId from = setup.placement[static_cast<std::size_t>(source)];
  const VertexId to = setup.placement[static_cast<std::size_t>(dest)];
  if (from == to) return std::nullopt;
  Route route;
  setup.fabric.topology().route(from, to, setup.fabric.settings().routing, route);
  const Route::Path& path = route.paths().front();
  std::optional<LinkId> narrowest;
  for (std::int32_t i = 0; i < path.count; ++i) {
    const LinkId link = route.links()[static_cast<std::size_t>(path.first + i)];
    if (!narrowest || speeds.at(link, now) < speeds.at(*narrowest, now)) narrowest = link;
  }
  if (!narrowest) return std::nullopt;
  return Way{*narrowest, setup.fabric.path_latency(route, path)};
}

}  // namespace

std::string link_kind_text(const Setup& setup, LinkId link, Time until) {
  const Topology& topology = setup.fabric.topology();
  const LinkSpeeds speeds(setup);
  std::string text =
      fmt::format("{}, {}", tier_name(speeds_by_tier(setup.fabric), topology, link), to_string(setup.fabric.bandwidth(link)));
  if (speeds.is_slowed(link, Time()))
    text += fmt::format(", slowed to {}", to_string(Bandwidth(speeds.at(link, Time()))));
  else if (speeds.is_slowed(link, until))
    text += ", slowed from some time on";
  return text;
}

std::string most_utilised_line(const Setup& setup, const Report& report) {
  const std::vector<UsedLink> used = used_links(setup, report);
  if (used.empty() || report.completion == Time()) return "";
  // Of equals that in which most messages meet, then that with most bytes, then the first.
  const auto is_less = [](const UsedLink& a, const UsedLink& b) {
    if (std::abs(a.all() - b.all()) > kAsFull) return a.all() < b.all();
    return std::tuple(a.link->peak_flows, a.link->bytes) < std::tuple(b.link->peak_flows, b.link->bytes);
  };
  const UsedLink* most = &used.front();
  for (const UsedLink& one : used)
    if (is_less(*most, one)) most = &one;
  const std::string name = setup.fabric.topology().link_name(most->link->link);
  const std::string carried = carried_text(*most->link, report.completion);
  if (most->all() == 0) return fmt::format("#   most loaded link, none of them limited: {} with {}\n", name, carried);
  const auto equal = std::ranges::count_if(used, [&](const UsedLink& one) { return most->all() - one.all() <= kAsFull; });
  const std::string others = most->others > 0 ? fmt::format(" and {} by the background", short_percent(most->others)) : "";
  const std::string as_much = equal > 1 ? fmt::format("; {} others as full", equal - 1) : "";
  return fmt::format("#   most utilised link: {} ({}): {} of what it could carry{}{}; {}\n", name,
                     link_kind_text(setup, most->link->link, report.completion), short_percent(most->own), others, as_much,
                     carried);
}

std::string draining_line(const Setup& setup, const Report& report, const Timeline& timeline,
                          const std::vector<std::uint32_t>& path, const std::vector<LinkHold>& holds) {
  if (!has_several_tiers(setup) || report.completion == Time()) return "";
  std::map<std::uint32_t, double> held;  // of each message of the path, by all of its links
  for (const std::uint32_t message : path) held[message] = 0;
  for (const LinkHold& hold : holds)
    if (const auto of = held.find(hold.message); of != held.end()) of->second += hold.seconds;
  DrainedByTier tiers;
  for (const LinkHold& hold : holds) {
    const auto of = held.find(hold.message);
    if (of == held.end() || of->second <= 0) continue;
    const MessageRecord& message = timeline.messages[hold.message];
    const double seconds = (message.drained - message.entered).seconds() * hold.seconds / of->second;
    Drained& drained = tiers[tier_of(setup.fabric.topology(), hold.link)];
    drained.seconds += seconds;
    if (hold.is_slowed) drained.slowed += seconds;
  }
  return draining_text(setup, tiers, report.completion, "the chain's messages drain at the rate of");
}

std::string draining_alone_line(const Setup& setup, const Report& report, const Timeline& timeline,
                                const std::vector<std::uint32_t>& path) {
  if (!has_several_tiers(setup) || report.completion == Time()) return "";
  const LinkSpeeds speeds(setup);
  DrainedByTier tiers;
  for (const std::uint32_t number : path) {
    const MessageRecord& message = timeline.messages[number];
    if (message.source == MessageRecord::kSwitches || message.dest == MessageRecord::kSwitches) continue;
    const auto way = way_between(setup, speeds, message.source, message.dest, message.entered);
    if (!way || message.full_rate <= way->latency) continue;
    const double seconds = (message.full_rate - way->latency).seconds();
    Drained& drained = tiers[tier_of(setup.fabric.topology(), way->narrowest)];
    drained.seconds += seconds;
    if (speeds.is_slowed(way->narrowest, message.entered)) drained.slowed += seconds;
  }
  return draining_text(setup, tiers, report.completion, "contention apart, the chain's messages drain at the rate of");
}

}  // namespace heddle
