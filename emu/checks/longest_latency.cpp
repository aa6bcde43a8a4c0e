// SPDX-License-Identifier: Apache-2.0
#include "emu/checks/longest_latency.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace heddle::emu {

namespace {

/// The links that leave each vertex, side by side.
class Outgoing {
 public:
  struct Link {
    VertexId to;
    Time latency;
  };

  explicit Outgoing(const Fabric& fabric) {
    const Topology& topology = fabric.topology();
    first_.assign(static_cast<std::size_t>(topology.endpoints() + topology.switches()) + 1, 0);
    for (LinkId link = 0; link < topology.links(); ++link) ++first_[index(topology.ends(link).from) + 1];
    for (std::size_t v = 1; v < first_.size(); ++v) first_[v] += first_[v - 1];
    links_.resize(static_cast<std::size_t>(topology.links()));
    std::vector<std::int32_t> next(first_.begin(), first_.end() - 1);
    for (LinkId link = 0; link < topology.links(); ++link) {
      const LinkEnds ends = topology.ends(link);
      links_[index(next[index(ends.from)]++)] = {ends.to, fabric.latency(link)};
    }
  }

  std::size_t vertices() const { return first_.size() - 1; }
  const Link* begin(VertexId from) const { return links_.data() + first_[index(from)]; }
  const Link* end(VertexId from) const { return links_.data() + first_[index(from) + 1]; }

 private:
  static std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }
  std::vector<std::int32_t> first_;
  std::vector<Link> links_;
};

/// Dijkstra's algorithm: the least latency from `source` to every vertex; Time::max() where no way leads.
std::vector<Time> latencies_from(VertexId source, const Outgoing& outgoing) {
  using Reached = std::pair<Time, VertexId>;
  std::vector<Time> latency(outgoing.vertices(), Time::max());
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> queue;
  latency[static_cast<std::size_t>(source)] = Time();
  queue.push({Time(), source});
  while (!queue.empty()) {
    const auto [reached, vertex] = queue.top();
    queue.pop();
    if (reached > latency[static_cast<std::size_t>(vertex)]) continue;
    for (const Outgoing::Link* link = outgoing.begin(vertex); link != outgoing.end(vertex); ++link) {
      Time& known = latency[static_cast<std::size_t>(link->to)];
      if (reached + link->latency >= known) continue;
      known = reached + link->latency;
      queue.push({known, link->to});
    }
  }
  return latency;
}

struct Farthest {
  Time latency;
  VertexId endpoint;
};

Farthest farthest_from(VertexId source, const Outgoing& outgoing, const Placement& placement) {
  const std::vector<Time> latency = latencies_from(source, outgoing);
  const auto nearer = [&](VertexId a, VertexId b) {
    return latency[static_cast<std::size_t>(a)] < latency[static_cast<std::size_t>(b)];
  };
  const VertexId endpoint = *std::max_element(placement.begin(), placement.end(), nearer);
  return {latency[static_cast<std::size_t>(endpoint)], endpoint};
}

}  // namespace

Time longest_latency(const Fabric& fabric, const Placement& placement) {
  if (placement.size() < 2) return Time();
  // Milliseconds of work; beyond it, look from a few ranks only.
  constexpr std::int64_t kMostSteps = 1 << 22;
  const Outgoing outgoing(fabric);
  if (static_cast<std::int64_t>(placement.size()) * fabric.topology().links() <= kMostSteps) {
    Time longest;
    for (const VertexId source : placement) longest = std::max(longest, farthest_from(source, outgoing, placement).latency);
    return longest;
  }
  // From the farthest of the farthest: a corner of a mesh after one step, anywhere on a symmetric fabric at once.
  Farthest farthest = farthest_from(placement.front(), outgoing, placement);
  for (;;) {
    const Farthest next = farthest_from(farthest.endpoint, outgoing, placement);
    if (next.latency <= farthest.latency) return farthest.latency;
    farthest = next;
  }
}

}  // namespace heddle::emu
