// SPDX-License-Identifier: Apache-2.0
#include "topo/graph/switch_tree.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <tuple>
#include <utility>

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

namespace {

/// Breadth first over switches that offer something; endpoints are reached, but not passed.
class Search {
 public:
  struct Visit {
    VertexId vertex;
    std::int32_t from;  ///< place in visits(); -1: the start
    LinkId up;          ///< towards the start
    LinkId down;
    int distance;  ///< links from the start
  };

  Search(const SwitchGraph& graph, std::span<const VertexId> endpoints, const std::function<bool(VertexId)>& offers)
      : graph_(graph),
        offers_(offers),
        seen_(static_cast<std::size_t>(graph.vertices()), 0),
        wanted_(seen_.size(), false),
        endpoints_(endpoints.size()) {
    for (const VertexId endpoint : endpoints) wanted_[static_cast<std::size_t>(endpoint)] = true;
  }

  /// From a vertex, no farther than `most` links, until all endpoints are found. Whether they were.
  bool run(VertexId start, int most) {
    ++epoch_;
    visits_.clear();
    found_ = 0;
    visit({start, -1, SwitchTree::kNone, SwitchTree::kNone, 0});
    for (std::size_t next = 0; next < visits_.size() && (next == 0 || found_ < endpoints_); ++next) {
      const Visit at = visits_[next];
      if (at.distance == most) break;
      if (next > 0 && !graph_.is_switch(at.vertex)) continue;
      for (const SwitchGraph::Port& port : graph_.ports(at.vertex))
        visit({port.peer, static_cast<std::int32_t>(next), port.in, port.out, at.distance + 1});
    }
    return found_ == endpoints_;
  }

  bool has_seen(VertexId vertex) const { return seen_[static_cast<std::size_t>(vertex)] == epoch_; }
  /// In the order of their distances.
  const std::vector<Visit>& visits() const { return visits_; }

 private:
  void visit(const Visit& what) {
    const auto v = static_cast<std::size_t>(what.vertex);
    const bool is_switch = graph_.is_switch(what.vertex);
    if (seen_[v] == epoch_ || (is_switch ? !offers_(what.vertex) : !wanted_[v])) return;
    seen_[v] = epoch_;
    if (!is_switch) ++found_;
    visits_.push_back(what);
  }

  const SwitchGraph& graph_;
  const std::function<bool(VertexId)>& offers_;
  std::vector<std::uint32_t> seen_;
  std::vector<bool> wanted_;
  std::size_t endpoints_;
  std::size_t found_ = 0;
  std::uint32_t epoch_ = 0;
  std::vector<Visit> visits_;
};

/// Those of the visits that lead to endpoints.
SwitchTree tree_of(const SwitchGraph& graph, const std::vector<Search::Visit>& visits, std::span<const VertexId> endpoints) {
  std::vector<int> participant(static_cast<std::size_t>(graph.topology().endpoints()), SwitchTree::kNone);
  for (std::size_t i = 0; i < endpoints.size(); ++i) participant[static_cast<std::size_t>(endpoints[i])] = static_cast<int>(i);
  std::vector<bool> needed(visits.size(), false);
  for (std::size_t v = visits.size(); v-- > 0;) {
    if (!graph.is_switch(visits[v].vertex)) needed[v] = true;
    if (needed[v] && visits[v].from >= 0) needed[static_cast<std::size_t>(visits[v].from)] = true;
  }
  SwitchTree tree;
  tree.leaves.resize(endpoints.size());
  std::vector<int> node(visits.size(), SwitchTree::kNone);
  for (std::size_t v = 0; v < visits.size(); ++v) {
    if (!needed[v]) continue;
    const Search::Visit& visit = visits[v];
    node[v] = static_cast<int>(tree.nodes.size());
    const int parent = visit.from < 0 ? SwitchTree::kNone : node[static_cast<std::size_t>(visit.from)];
    const int who = graph.is_switch(visit.vertex) ? SwitchTree::kNone : participant[static_cast<std::size_t>(visit.vertex)];
    if (who != SwitchTree::kNone) tree.leaves[static_cast<std::size_t>(who)] = node[v];
    tree.nodes.push_back({visit.vertex, parent, visit.up, visit.down, who});
  }
  return tree;
}

}  // namespace

int SwitchTree::depth() const {
  std::vector<int> below(nodes.size(), 0);
  int deepest = 0;
  for (std::size_t n = 1; n < nodes.size(); ++n) {
    below[n] = below[static_cast<std::size_t>(nodes[n].parent)] + 1;
    deepest = std::max(deepest, below[n]);
  }
  return deepest;
}

std::optional<SwitchTree> switch_tree(const SwitchGraph& graph, std::span<const VertexId> endpoints,
                                      const std::function<bool(VertexId)>& offers) {
  Search search(graph, endpoints, offers);
  if (!search.run(endpoints.front(), std::numeric_limits<int>::max())) return std::nullopt;
  std::vector<Search::Visit> roots;
  std::copy_if(search.visits().begin(), search.visits().end(), std::back_inserter(roots),
               [&](const Search::Visit& visit) { return graph.is_switch(visit.vertex); });
  std::sort(roots.begin(), roots.end(), [](const Search::Visit& a, const Search::Visit& b) {
    return std::pair(a.distance, a.vertex) < std::pair(b.distance, b.vertex);
  });
  std::optional<SwitchTree> best;
  int most = std::numeric_limits<int>::max();
  for (const Search::Visit& root : roots) {
    if (root.distance > most) break;  // as far from the first endpoint itself
    if (!search.run(root.vertex, most)) continue;
    best = tree_of(graph, search.visits(), endpoints);
    most = best->depth() - 1;
  }
  return best;
}

std::optional<std::size_t> first_outside(const SwitchGraph& graph, std::span<const VertexId> endpoints,
                                         const std::function<bool(VertexId)>& offers) {
  Search search(graph, endpoints, offers);
  search.run(endpoints.front(), std::numeric_limits<int>::max());
  if (search.visits().size() < 2) return 0;
  for (std::size_t i = 0; i < endpoints.size(); ++i) {
    if (!search.has_seen(endpoints[i])) return i;
  }
  return std::nullopt;
}

}  // namespace heddle
