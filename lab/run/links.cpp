// SPDX-License-Identifier: Apache-2.0
#include "lab/run/links.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <set>
#include <span>

#include "topo/fabric/ways.hpp"

namespace heddle {

LinkSpeeds::LinkSpeeds(const Setup& setup) : fabric_(setup.fabric) {
  const Topology& topology = fabric_.topology();
  std::vector<LinkFault> faults = setup.settings.faults.links;
  std::ranges::stable_sort(faults, {}, &LinkFault::at);
  for (const LinkFault& fault : faults) {
    std::vector<Part>& parts = faulty_[fault.link];
    if (const LinkId trunk = topology.trunk_of(fault.link); parts.empty() && trunk != fault.link)
      of_trunk_[trunk].push_back(fault.link);
    const double before = parts.empty() ? 1 : parts.back().share;
    parts.push_back({fault.at, fault.down ? 0 : std::min(before, 1 / fault.slower)});
  }
}

double LinkSpeeds::share(LinkId link, Time now) const {
  const auto found = faulty_.find(link);
  double share = 1;
  if (found == faulty_.end()) return share;
  for (const Part& part : found->second)
    if (part.from <= now) share = part.share;
  return share;
}

double LinkSpeeds::at(LinkId link, Time now) const {
  const double whole = fabric_.bandwidth(link).bytes_per_second();
  if (faulty_.empty()) return whole;
  if (const auto trunk = of_trunk_.find(link); trunk != of_trunk_.end()) {
    const int links = fabric_.topology().trunk(link).count;
    double lost = 0;
    for (const LinkId one : trunk->second) lost += 1 - share(one, now);
    return whole * (1 - lost / links);
  }
  const double left = share(link, now);
  return left == 1 ? whole : left == 0 ? 0 : whole * left;
}

bool LinkSpeeds::is_slowed(LinkId link, Time now) const {
  if (const auto trunk = of_trunk_.find(link); trunk != of_trunk_.end())
    return std::ranges::any_of(trunk->second, [&](LinkId one) { return share(one, now) < 1; });
  return share(link, now) < 1;
}

std::vector<double> background_bytes(const Setup& setup, const Report& report) {
  const Topology& topology = setup.fabric.topology();
  std::vector<double> bytes(static_cast<std::size_t>(topology.links()), 0);
  const auto add = [&](LinkId link, double more) {
    if (link < topology.links()) {
      bytes[static_cast<std::size_t>(link)] += more;
      return;
    }
    const Trunk trunk = topology.trunk(link);
    for (int i = 0; i < trunk.count; ++i) bytes[static_cast<std::size_t>(trunk[i])] += more / trunk.count;
  };
  for (std::size_t f = 0; f < std::min(setup.background.size(), report.background.size()); ++f) {
    const BackgroundFlow& flow = setup.background[f].flow;
    const auto carried = static_cast<double>(report.background[f].bytes.count());
    if (flow.link) {
      add(*flow.link, carried);
      continue;
    }
    Route route;
    FilledRoutes(setup.fabric).find(flow.from, flow.to, route);
    for (const Route::Path& path : route.paths())
      for (std::int32_t i = 0; i < path.count; ++i)
        add(route.links()[static_cast<std::size_t>(path.first + i)], carried * path.share);
  }
  return bytes;
}

namespace {

/// Rates are rounded: what differs by no more than this part is equal.
constexpr double kEqualRates = 1e-6;

/// The messages in each link, timestamp by timestamp.
class LinksOverTime {
 public:
  LinksOverTime(const Timeline& timeline, const Setup& setup)
      : timeline_(timeline),
        speeds_(setup),
        links_(static_cast<std::size_t>(setup.fabric.topology().links() + setup.fabric.topology().trunks())),
        rate_(timeline.flows.size(), -1) {
    const Fabric& fabric = setup.fabric;
    for (const BackgroundFlow& flow : setup.settings.background) {
      if (flow.link) {
        at(*flow.link).others = true;
        continue;
      }
      Route route;
      FilledRoutes(fabric).find(flow.from, flow.to, route);
      for (const LinkId link : route.links()) at(link).others = true;
    }
  }

  /// It is `now`, which does not go back.
  void go_on(Time now) { now_ = now; }

  bool is_slowed(LinkId link) const { return speeds_.is_slowed(link, now_); }

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
    for (const LinkId link : links_of(flow)) least = std::min(least, speeds_.at(link, now_));
    return least;
  }

  /// Of its links in which nothing is faster, the fullest: under max-min fairness those give it its rate.
  std::vector<LinkId> holding_up(std::uint32_t flow) {
    double fullest = 0;
    for (const LinkId link : links_of(flow)) fullest = std::max(fullest, fullness(flow, link));
    std::vector<LinkId> links;
    for (const LinkId link : links_of(flow))
      if (fullness(flow, link) >= fullest * (1 - kEqualRates)) links.push_back(link);
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
    if (*it.rates.rbegin() > rate_[flow] * (1 + kEqualRates)) return 0;
    const double whole = speeds_.at(link, now_);
    return whole > 0 ? it.total / whole : 1;
  }

  const Timeline& timeline_;
  LinkSpeeds speeds_;
  Time now_;
  std::vector<Link> links_;   ///< and trunks
  std::vector<double> rate_;  ///< by flow; -1: not there
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

}  // namespace

std::vector<LinkHold> find_link_holds(const Timeline& timeline, const Setup& setup) {
  LinksOverTime links(timeline, setup);
  const std::vector<Time> ends = ends_of_rates(timeline);
  const std::vector<std::uint32_t> leaving = flows_by_end(timeline);
  std::vector<LinkHold> holds;
  std::size_t left = 0;
  for (std::size_t first = 0; first < timeline.rates.size();) {
    const Time now = timeline.rates[first].time;
    std::size_t last = first;
    links.go_on(now);
    for (; left < leaving.size() && timeline.flows[leaving[left]].end <= now; ++left) links.leave(leaving[left]);
    for (; last < timeline.rates.size() && timeline.rates[last].time == now; ++last)
      if (ends[last] > now) links.set_rate(timeline.rates[last].flow, timeline.rates[last].bytes_per_second);
    for (std::size_t r = first; r < last; ++r) {
      const auto [flow, time, rate] = timeline.rates[r];
      if (ends[r] <= now) continue;
      const double lost = std::max(1 - rate / links.rate_alone(flow), 1e-9);
      const std::vector<LinkId> by = links.holding_up(flow);
      const double seconds = (ends[r] - now).seconds() * timeline.flows[flow].share / static_cast<double>(by.size());
      for (const LinkId link : by)
        holds.push_back({timeline.flows[flow].message, link, seconds, lost * seconds, links.is_slowed(link)});
    }
    first = last;
  }
  return holds;
}

}  // namespace heddle
