// SPDX-License-Identifier: Apache-2.0
#include "show/trace/trace_tracks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <utility>

namespace heddle::pictures {

namespace {

/// Rates are added as whole numbers of this part of a byte per second, so that what is added and taken away again leaves
/// nothing behind.
constexpr double kRateUnit = 1.0 / 256;

std::int64_t in_units(double bytes_per_second) { return std::llround(bytes_per_second / kRateUnit); }

}  // namespace

FlowsByLink::FlowsByLink(const Timeline& timeline) : timeline_(timeline) {
  std::vector<std::pair<LinkId, std::uint32_t>> uses;
  uses.reserve(timeline.links.size());
  for (std::uint32_t f = 0; f < timeline.flows.size(); ++f) {
    const FlowRecord& flow = timeline.flows[f];
    for (std::uint32_t i = 0; i < flow.links; ++i) uses.emplace_back(timeline.links[flow.first_link + i], f);
  }
  std::ranges::sort(uses);
  for (const auto& [link, flow] : uses) {
    if (links_.empty() || links_.back() != link) {
      links_.push_back(link);
      first_flow_.push_back(flows_.size());
    }
    flows_.push_back(flow);
  }
  first_flow_.push_back(flows_.size());

  rates_.resize(timeline.rates.size());
  std::iota(rates_.begin(), rates_.end(), 0U);
  std::ranges::stable_sort(rates_, {}, [&](std::uint32_t r) { return timeline.rates[r].flow; });
  first_rate_.assign(timeline.flows.size() + 1, 0);
  for (const RateRecord& rate : timeline.rates) ++first_rate_[rate.flow + 1];
  std::partial_sum(first_rate_.begin(), first_rate_.end(), first_rate_.begin());
}

std::vector<LinkLoadStep> FlowsByLink::steps(std::size_t i) const {
  struct Change {
    Time time;
    int flows;
    std::int64_t rate;
  };
  std::vector<Change> changes;
  for (std::size_t use = first_flow_[i]; use < first_flow_[i + 1]; ++use) {
    const FlowRecord& flow = timeline_.flows[flows_[use]];
    changes.push_back({flow.begin, 1, 0});
    std::int64_t rate = 0;
    for (std::size_t r = first_rate_[flows_[use]]; r < first_rate_[flows_[use] + 1]; ++r) {
      const RateRecord& record = timeline_.rates[rates_[r]];
      const std::int64_t next = in_units(record.bytes_per_second);
      changes.push_back({record.time, 0, next - rate});
      rate = next;
    }
    changes.push_back({flow.end, -1, -rate});
  }
  std::ranges::stable_sort(changes, {}, &Change::time);

  std::vector<LinkLoadStep> steps;
  int flows = 0;
  std::int64_t rate = 0;
  for (std::size_t c = 0; c < changes.size(); ++c) {
    flows += changes[c].flows;
    rate += changes[c].rate;
    if (c + 1 < changes.size() && changes[c + 1].time == changes[c].time) continue;
    const LinkLoadStep step{changes[c].time, flows, std::llround(static_cast<double>(rate) * kRateUnit)};
    const LinkLoadStep before = steps.empty() ? LinkLoadStep{} : steps.back();
    if (step.flows != before.flows || step.bytes_per_second != before.bytes_per_second) steps.push_back(step);
  }
  return steps;
}

std::string link_or_trunk_name(const Topology& topology, LinkId link) {
  if (link < topology.links()) return topology.link_name(link);
  const Trunk trunk = topology.trunk(link);
  if (trunk.count == 1) return topology.link_name(trunk.first);
  return fmt::format("{} to {} ({} links)", topology.link_name(trunk.first), topology.link_name(trunk[trunk.count - 1]),
                     trunk.count);
}

void write_link_faults(const std::vector<LinkFault>& faults, const Topology& topology, TraceEvents& events) {
  std::map<LinkId, std::set<Time>> times;
  for (const LinkFault& fault : faults) times[fault.link].insert({Time(), fault.at});
  for (const auto& [link, changes] : times) {
    for (const Time at : changes) {
      double left = 1;
      for (const LinkFault& fault : faults)
        if (fault.link == link && fault.at <= at) left = fault.down ? 0 : std::min(left, 1 / fault.slower);
      events.counter(TraceGroup::links, at, topology.link_name(link) + " fault", {{"percent_of_bandwidth", 100 * left}});
    }
  }
}

void write_link_loads(const Timeline& timeline, const Topology& topology, TraceEvents& events) {
  const FlowsByLink flows(timeline);
  for (std::size_t i = 0; i < flows.links().size(); ++i) {
    const std::string name = link_or_trunk_name(topology, flows.links()[i]);
    for (const LinkLoadStep& step : flows.steps(i))
      events.counter(TraceGroup::links, step.time, name, {{"flows", step.flows}, {"bytes_per_second", step.bytes_per_second}});
  }
}

}  // namespace heddle::pictures
