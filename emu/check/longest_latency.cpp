// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "emu/check/lower_bound.hpp"

namespace heddle::emu {

namespace {

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

struct Farthest {
  Time latency;
  VertexId endpoint;
};

Farthest farthest_from(VertexId source, const Latencies& latencies, const Placement& placement) {
  const std::vector<Time> latency = latencies.of(source);
  const auto nearer = [&](VertexId a, VertexId b) { return latency[index(a)] < latency[index(b)]; };
  const VertexId endpoint = *std::max_element(placement.begin(), placement.end(), nearer);
  return {latency[index(endpoint)], endpoint};
}

}  // namespace

Latencies::Latencies(const Fabric& fabric, Way way) {
  const Topology& topology = fabric.topology();
  const auto near_end = [way](LinkEnds ends) { return way == Way::from ? ends.from : ends.to; };
  const auto far_end = [way](LinkEnds ends) { return way == Way::from ? ends.to : ends.from; };
  first_.assign(index(topology.endpoints() + topology.switches()) + 1, 0);
  for (LinkId link = 0; link < topology.links(); ++link) ++first_[index(near_end(topology.ends(link))) + 1];
  for (std::size_t v = 1; v < first_.size(); ++v) first_[v] += first_[v - 1];
  links_.resize(index(topology.links()));
  std::vector<std::int32_t> next(first_.begin(), first_.end() - 1);
  for (LinkId link = 0; link < topology.links(); ++link) {
    const LinkEnds ends = topology.ends(link);
    links_[index(next[index(near_end(ends))]++)] = {far_end(ends), fabric.latency(link)};
  }
  is_uniform_ = std::ranges::all_of(links_, [this](const Link& link) { return link.latency == links_.front().latency; });
}

/// Breadth first where a link more is always the same time more, else Dijkstra's algorithm.
std::vector<Time> Latencies::of(VertexId start) const { return is_uniform_ ? by_links(start) : by_time(start); }

std::vector<Time> Latencies::by_links(VertexId start) const {
  std::vector<Time> latency(first_.size() - 1, Time::max());
  std::vector<VertexId> reached{start};
  reached.reserve(latency.size());
  latency[index(start)] = Time();
  for (std::size_t next = 0; next < reached.size(); ++next) {
    const VertexId vertex = reached[next];
    for (std::int32_t i = first_[index(vertex)]; i < first_[index(vertex) + 1]; ++i) {
      const Link& link = links_[index(i)];
      Time& known = latency[index(link.next)];
      if (known != Time::max()) continue;
      known = latency[index(vertex)] + link.latency;
      reached.push_back(link.next);
    }
  }
  return latency;
}

std::vector<Time> Latencies::by_time(VertexId start) const {
  using Reached = std::pair<Time, VertexId>;
  std::vector<Time> latency(first_.size() - 1, Time::max());
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> queue;
  latency[index(start)] = Time();
  queue.push({Time(), start});
  while (!queue.empty()) {
    const auto [reached, vertex] = queue.top();
    queue.pop();
    if (reached > latency[index(vertex)]) continue;
    for (std::int32_t i = first_[index(vertex)]; i < first_[index(vertex) + 1]; ++i) {
      const Link& link = links_[index(i)];
      Time& known = latency[index(link.next)];
      if (reached + link.latency >= known) continue;
      known = reached + link.latency;
      queue.push({known, link.next});
    }
  }
  return latency;
}

Time longest_latency(const Latencies& latencies, const Placement& placement) {
  if (placement.size() < 2) return Time();
  if (static_cast<std::int64_t>(placement.size()) * latencies.steps() <= kMostLatencySteps) {
    Time longest;
    for (const VertexId source : placement) longest = std::max(longest, farthest_from(source, latencies, placement).latency);
    return longest;
  }
  // From the farthest of the farthest: a corner of a mesh after one step, anywhere on a symmetric fabric at once.
  Farthest farthest = farthest_from(placement.front(), latencies, placement);
  for (;;) {
    const Farthest next = farthest_from(farthest.endpoint, latencies, placement);
    if (next.latency <= farthest.latency) return farthest.latency;
    farthest = next;
  }
}

}  // namespace heddle::emu
