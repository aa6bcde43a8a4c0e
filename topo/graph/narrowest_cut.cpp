// SPDX-License-Identifier: Apache-2.0
#include "topo/graph/narrowest_cut.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "topo/graph/max_flow.hpp"

namespace heddle {

double flow_between_parts(const Topology& topology, const std::vector<bool>& part_of_endpoint,
                          const std::function<double(LinkId)>& capacity_of) {
  // All endpoints of a part are one vertex; the switches follow.
  constexpr int kSource = 0;
  constexpr int kSink = 1;
  const auto place = [&](VertexId v) {
    if (v >= topology.endpoints()) return static_cast<int>(v - topology.endpoints()) + 2;
    return part_of_endpoint[static_cast<std::size_t>(v)] ? kSink : kSource;
  };
  std::vector<FlowArc> arcs;
  for (LinkId link = 0; link < topology.links(); ++link) {
    const LinkEnds ends = topology.ends(link);
    const int from = place(ends.from);
    const int to = place(ends.to);
    if (from != to) arcs.push_back({from, to, capacity_of(link)});
  }
  return maximum_flow(topology.switches() + 2, arcs, kSource, kSink);
}

int narrowest_cut(const Topology& topology, const std::vector<bool>& part_of_endpoint) {
  return static_cast<int>(std::lround(flow_between_parts(topology, part_of_endpoint, [](LinkId) { return 1.0; })));
}

std::vector<bool> straight_halves(const Topology& topology) {
  std::vector<bool> part(static_cast<std::size_t>(topology.endpoints()));
  std::fill(part.begin() + topology.endpoints() / 2, part.end(), true);
  return part;
}

int straight_cut(const Topology& topology) { return narrowest_cut(topology, straight_halves(topology)); }

}  // namespace heddle
