// SPDX-License-Identifier: Apache-2.0
#include "show/heatmap/measured_loads.hpp"

#include <algorithm>
#include <cstddef>

#include "emu/record/report.hpp"
#include "lab/run/links.hpp"

namespace heddle::pictures {

namespace {

constexpr double kLeast = 1e-12;  // seconds that a link can cost: times are whole picoseconds

}  // namespace

std::vector<double> contention_of_links(const Timeline& timeline, const Setup& plan) {
  const std::vector<LinkHold> holds = find_link_holds(timeline, plan);
  std::vector<double> of_message(timeline.messages.size(), 0);
  for (const LinkHold& each : holds) of_message[each.message] += each.lost;
  const Topology& topology = plan.fabric.topology();
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

LinkLoads unmarked_loads(HeatmapOf of, const Setup& plan, const Outcome& outcome) {
  const Report& report = *outcome.report();
  if (of == HeatmapOf::bytes) return LinkLoads(report);
  if (of == HeatmapOf::contention) return {of, contention_of_links(*outcome.timeline, plan), report};
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
