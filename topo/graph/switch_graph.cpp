// SPDX-License-Identifier: Apache-2.0
#include "topo/graph/switch_graph.hpp"

#include <algorithm>
#include <tuple>

namespace heddle {

SwitchGraph::SwitchGraph(const Topology& topology) : topology_(topology) {
  // Links between the same two vertices, by number: the n-th one way and the n-th back are one cable.
  struct Directed {
    VertexId from;
    VertexId to;
    LinkId link;
  };
  const auto by_ends = [](const Directed& a, const Directed& b) {
    return std::tie(a.from, a.to, a.link) < std::tie(b.from, b.to, b.link);
  };
  std::vector<Directed> links;
  links.reserve(static_cast<std::size_t>(topology.links()));
  for (LinkId link = 0; link < topology.links(); ++link) {
    const LinkEnds ends = topology.ends(link);
    links.push_back({ends.from, ends.to, link});
  }
  std::sort(links.begin(), links.end(), by_ends);
  const auto vertices = static_cast<std::size_t>(topology.endpoints() + topology.switches());
  first_.reserve(vertices + 1);
  ports_.reserve(links.size());
  std::size_t next = 0;
  for (std::size_t vertex = 0; vertex < vertices; ++vertex) {
    first_.push_back(ports_.size());
    VertexId peer = -1;
    auto back = links.begin();
    for (; next < links.size() && links[next].from == static_cast<VertexId>(vertex); ++next) {
      const Directed& out = links[next];
      if (out.to != peer) back = std::lower_bound(links.begin(), links.end(), Directed{out.to, out.from, -1}, by_ends);
      peer = out.to;
      if (back == links.end() || back->from != out.to || back->to != out.from) continue;
      ports_.push_back({out.to, out.link, back->link});
      ++back;
    }
    std::sort(ports_.begin() + static_cast<std::ptrdiff_t>(first_.back()), ports_.end(),
              [](const Port& a, const Port& b) { return a.out < b.out; });
  }
  first_.push_back(ports_.size());
}

}  // namespace heddle
