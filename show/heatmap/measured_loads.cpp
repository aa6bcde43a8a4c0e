// SPDX-License-Identifier: Apache-2.0
#include "show/heatmap/measured_loads.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <set>
#include <span>

#include "emu/report/link_use.hpp"
#include "topo/fabric/ways.hpp"

namespace heddle::pictures {

namespace {

/// Rates are rounded: what differs by no more than this part is equal.
constexpr double kAlike = 1e-6;

constexpr double kLeast = 1e-12;  // seconds that a link can cost: times are whole picoseconds

/// The messages in each link, instant by instant.
class LinksOverTime {
 public:
  LinksOverTime(const Timeline& timeline, const Fabric& fabric, const std::vector<BackgroundFlow>& background)
      : timeline_(timeline),
        fabric_(fabric),
        links_(static_cast<std::size_t>(fabric.topology().links() + fabric.topology().trunks())),
        rate_(timeline.flows.size(), -1) {
    for (const BackgroundFlow& flow : background) {
      if (flow.link) {
        at(*flow.link).others = true;
        continue;
      }
      Route route;
      FilledRoutes(fabric).find(flow.from, flow.to, route);
      for (const LinkId link : route.links()) at(link).others = true;
    }
  }

  void set_rate(std::uint32_t flow, double rate) {
    leave(flow);
    rate_[flow] = rate;
    for (const LinkId link : links_of(flow)) {
      at(link).total += rate;
      at(link).rates.insert(rate);
    }
  }

  void leave(std::uint32_t flow) {
    const double rate = rate_[flow];
    if (rate < 0) return;
    for (const LinkId link : links_of(flow)) {
      at(link).total -= rate;
      at(link).rates.erase(at(link).rates.find(rate));
    }
    rate_[flow] = -1;
  }

  /// Alone it would have this, or more.
  double rate_alone(std::uint32_t flow) const {
    double least = std::numeric_limits<double>::infinity();
    for (const LinkId link : links_of(flow)) least = std::min(least, fabric_.bandwidth(link).bytes_per_second());
    return least;
  }

  /// Of its links in which nothing is faster, the fullest: under max-min fairness those give it its rate.
  std::vector<LinkId> holding_up(std::uint32_t flow) {
    double fullest = 0;
    for (const LinkId link : links_of(flow)) fullest = std::max(fullest, fullness(flow, link));
    std::vector<LinkId> links;
    for (const LinkId link : links_of(flow))
      if (fullness(flow, link) >= fullest * (1 - kAlike)) links.push_back(link);
    return links;
  }

 private:
  struct Link {
    double total = 0;  ///< bytes per second
    std::multiset<double> rates;
    bool others = false;  ///< a load in the background shares it
  };

  std::span<const LinkId> links_of(std::uint32_t flow) const {
    const FlowRecord& record = timeline_.flows[flow];
    return std::span(timeline_.links).subspan(record.first_link, record.links);
  }

  Link& at(LinkId link) { return links_[static_cast<std::size_t>(link)]; }

  /// 0 … 1. What the background takes is not known: such a link counts as full.
  double fullness(std::uint32_t flow, LinkId link) {
    const Link& it = at(link);
    if (it.others) return 1;
    if (*it.rates.rbegin() > rate_[flow] * (1 + kAlike)) return 0;
    return it.total / fabric_.bandwidth(link).bytes_per_second();
  }

  const Timeline& timeline_;
  const Fabric& fabric_;
  std::vector<Link> links_;   ///< and trunks
  std::vector<double> rate_;  ///< by flow; -1: not there
};

/// A link held a message up, so much.
struct HeldUp {
  std::uint32_t message;
  LinkId link;
  double weight;
};

/// When each rate of a flow ends: at its next, or at the end of the flow.
std::vector<Time> ends_of_rates(const Timeline& timeline) {
  std::vector<Time> next;
  for (const FlowRecord& flow : timeline.flows) next.push_back(flow.end);
  std::vector<Time> ends(timeline.rates.size());
  for (std::size_t r = timeline.rates.size(); r-- > 0;) {
    Time& of_flow = next[timeline.rates[r].flow];
    ends[r] = of_flow;
    of_flow = timeline.rates[r].time;
  }
  return ends;
}

/// Flows by their ends.
std::vector<std::uint32_t> flows_by_end(const Timeline& timeline) {
  std::vector<std::uint32_t> flows(timeline.flows.size());
  for (std::uint32_t f = 0; f < flows.size(); ++f) flows[f] = f;
  std::ranges::stable_sort(flows, {}, [&](std::uint32_t f) { return timeline.flows[f].end; });
  return flows;
}

std::vector<HeldUp> find_held_up(const Timeline& timeline, LinksOverTime& links) {
  const std::vector<Time> ends = ends_of_rates(timeline);
  const std::vector<std::uint32_t> leaving = flows_by_end(timeline);
  std::vector<HeldUp> held_up;
  std::size_t left = 0;
  for (std::size_t first = 0; first < timeline.rates.size();) {
    const Time now = timeline.rates[first].time;
    std::size_t last = first;
    for (; left < leaving.size() && timeline.flows[leaving[left]].end <= now; ++left) links.leave(leaving[left]);
    for (; last < timeline.rates.size() && timeline.rates[last].time == now; ++last)
      if (ends[last] > now) links.set_rate(timeline.rates[last].flow, timeline.rates[last].bytes_per_second);
    for (std::size_t r = first; r < last; ++r) {
      const auto [flow, time, rate] = timeline.rates[r];
      if (ends[r] <= now) continue;
      // A little of its time always counts, so that what a message lost is never nowhere.
      const double lost = std::max(1 - rate / links.rate_alone(flow), 1e-9);
      const std::vector<LinkId> by = links.holding_up(flow);
      for (const LinkId link : by)
        held_up.push_back({timeline.flows[flow].message, link,
                           lost * (ends[r] - now).seconds() * timeline.flows[flow].share / static_cast<double>(by.size())});
    }
    first = last;
  }
  return held_up;
}

}  // namespace

std::vector<double> contention_of_links(const Timeline& timeline, const Fabric& fabric,
                                        const std::vector<BackgroundFlow>& background) {
  LinksOverTime over_time(timeline, fabric, background);
  const std::vector<HeldUp> held_up = find_held_up(timeline, over_time);
  std::vector<double> of_message(timeline.messages.size(), 0);
  for (const HeldUp& each : held_up) of_message[each.message] += each.weight;
  const Topology& topology = fabric.topology();
  std::vector<double> seconds(static_cast<std::size_t>(topology.links()), 0);
  for (const HeldUp& each : held_up) {
    const MessageRecord& message = timeline.messages[each.message];
    const Time lost = message.drained - message.entered - message.full_rate;
    if (lost <= Time::ps(1)) continue;  // rounding
    const double part = lost.seconds() * each.weight / of_message[each.message];
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

LinkLoads unmarked_loads(HeatmapOf of, const Setup& plan, const Outcome& outcome) {
  const Report& report = *outcome.report();
  if (of == HeatmapOf::bytes) return LinkLoads(report);
  if (of == HeatmapOf::contention)
    return {of, contention_of_links(*outcome.timeline, plan.fabric, plan.settings.background), report};
  std::vector<double> parts;
  for (const LinkReport& link : report.links) parts.push_back(utilisation(link, plan.fabric, report.completion));
  return {of, std::move(parts), report};
}

}  // namespace

LinkLoads measured_loads(HeatmapOf of, const Setup& plan, const Outcome& outcome) {
  LinkLoads loads = unmarked_loads(of, plan, outcome);
  loads.mark(link_faults_of(plan, outcome));
  return loads;
}

}  // namespace heddle::pictures
