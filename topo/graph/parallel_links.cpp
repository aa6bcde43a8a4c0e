// SPDX-License-Identifier: Apache-2.0
#include "topo/graph/parallel_links.hpp"

#include <cstddef>
#include <numeric>

namespace heddle {

namespace {

/// Which vertices have been joined so far.
class Parts {
 public:
  explicit Parts(int vertices) : above_(static_cast<std::size_t>(vertices)) { std::iota(above_.begin(), above_.end(), 0); }

  VertexId of(VertexId vertex) {
    while (above(vertex) != vertex) vertex = above(vertex) = above(above(vertex));
    return vertex;
  }
  void join(VertexId a, VertexId b) { above(of(a)) = of(b); }

 private:
  VertexId& above(VertexId vertex) { return above_[static_cast<std::size_t>(vertex)]; }

  std::vector<VertexId> above_;
};

}  // namespace

std::vector<ParallelLinks> parallel_links(const Topology& topology, int tier) {
  const int vertices = topology.endpoints() + topology.switches();
  Parts parts(vertices);
  for (LinkId link = 0; link < topology.links(); ++link) {
    const LinkEnds ends = topology.ends(link);
    if (topology.tier(link) < tier) parts.join(ends.from, ends.to);
  }
  constexpr int kNone = -1;
  std::vector<int> number(static_cast<std::size_t>(vertices), kNone);  // by what stands for a part
  std::vector<ParallelLinks> all;
  for (VertexId endpoint = 0; endpoint < topology.endpoints(); ++endpoint) {
    int& of_part = number[static_cast<std::size_t>(parts.of(endpoint))];
    if (of_part == kNone) {
      of_part = static_cast<int>(all.size());
      all.emplace_back();
    }
    all[static_cast<std::size_t>(of_part)].endpoints.push_back(endpoint);
  }
  for (LinkId link = 0; link < topology.links(); ++link) {
    if (topology.tier(link) != tier) continue;
    const LinkEnds ends = topology.ends(link);
    const VertexId from = parts.of(ends.from);
    const int of_part = number[static_cast<std::size_t>(from)];
    if (of_part != kNone && parts.of(ends.to) != from) all[static_cast<std::size_t>(of_part)].links.push_back(link);
  }
  std::erase_if(all, [](const ParallelLinks& part) { return part.links.empty(); });
  return all;
}

}  // namespace heddle
