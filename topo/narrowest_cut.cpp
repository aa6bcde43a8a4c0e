// SPDX-License-Identifier: Apache-2.0
#include "topo/narrowest_cut.hpp"

#include <algorithm>
#include <cstddef>

namespace heddle {
namespace {

constexpr int kUnreached = -1;

/// Rounds of: distances from the source part over arcs with room (a link that carries nothing, or one that carries something
/// taken backwards), then as many disjoint shortest ways as there are.
class UnitFlow {
 public:
  UnitFlow(const Topology& topology, const std::vector<bool>& part)
      : part_(part), first_arc_(static_cast<std::size_t>(topology.endpoints() + topology.switches()) + 1) {
    for (LinkId link = 0; link < topology.links(); ++link) {
      const LinkEnds ends = topology.ends(link);
      ++first_arc_[index(ends.from) + 1];
      ++first_arc_[index(ends.to) + 1];
    }
    for (std::size_t v = 1; v < first_arc_.size(); ++v) first_arc_[v] += first_arc_[v - 1];
    std::vector<std::size_t> next = first_arc_;
    arcs_.resize(first_arc_.back());
    for (LinkId link = 0; link < topology.links(); ++link) {
      const LinkEnds ends = topology.ends(link);
      const std::size_t forward = next[index(ends.from)]++;
      const std::size_t backward = next[index(ends.to)]++;
      arcs_[forward] = {ends.to, backward, true};
      arcs_[backward] = {ends.from, forward, false};
    }
  }

  int maximum() {
    int flow = 0;
    while (find_levels()) {
      next_arc_.assign(first_arc_.begin(), first_arc_.end() - 1);
      for (VertexId source = 0; source < endpoints(); ++source) {
        if (part_[index(source)]) continue;
        while (push_one(source)) ++flow;
      }
    }
    return flow;
  }

 private:
  struct Arc {
    VertexId to = 0;
    std::size_t opposite = 0;
    bool room = false;
  };

  static std::size_t index(VertexId vertex) { return static_cast<std::size_t>(vertex); }
  VertexId endpoints() const { return static_cast<VertexId>(part_.size()); }
  bool is_sink(VertexId vertex) const { return vertex < endpoints() && part_[index(vertex)]; }

  /// Whether a sink can be reached.
  bool find_levels() {
    level_.assign(first_arc_.size() - 1, kUnreached);
    std::vector<VertexId> reached;
    for (VertexId endpoint = 0; endpoint < endpoints(); ++endpoint) {
      if (part_[index(endpoint)]) continue;
      level_[index(endpoint)] = 0;
      reached.push_back(endpoint);
    }
    bool found = false;
    for (std::size_t next = 0; next < reached.size(); ++next) {
      const std::size_t vertex = index(reached[next]);
      for (std::size_t a = first_arc_[vertex]; a < first_arc_[vertex + 1]; ++a) {
        const Arc& arc = arcs_[a];
        if (!arc.room || level_[index(arc.to)] != kUnreached) continue;
        level_[index(arc.to)] = level_[vertex] + 1;
        if (is_sink(arc.to)) {
          found = true;
        } else {
          reached.push_back(arc.to);
        }
      }
    }
    return found;
  }

  /// One way from a source along rising levels, if there still is one; arcs that lead nowhere are not tried again.
  bool push_one(VertexId source) {
    std::vector<std::size_t>& way = way_;
    way.clear();
    for (VertexId vertex = source; !is_sink(vertex);) {
      std::size_t& a = next_arc_[index(vertex)];
      const std::size_t end = first_arc_[index(vertex) + 1];
      while (a < end && !(arcs_[a].room && level_[index(arcs_[a].to)] == level_[index(vertex)] + 1)) ++a;
      if (a < end) {
        way.push_back(a);
        vertex = arcs_[a].to;
      } else if (way.empty()) {
        return false;
      } else {
        vertex = arcs_[arcs_[way.back()].opposite].to;
        ++next_arc_[index(vertex)];
        way.pop_back();
      }
    }
    for (std::size_t a : way) {
      arcs_[a].room = false;
      arcs_[arcs_[a].opposite].room = true;
    }
    return true;
  }

  const std::vector<bool>& part_;
  std::vector<std::size_t> first_arc_;  ///< by vertex
  std::vector<Arc> arcs_;
  std::vector<int> level_;
  std::vector<std::size_t> next_arc_;
  std::vector<std::size_t> way_;
};

}  // namespace

int narrowest_cut(const Topology& topology, const std::vector<bool>& part_of_endpoint) {
  return UnitFlow(topology, part_of_endpoint).maximum();
}

int straight_cut(const Topology& topology) {
  std::vector<bool> upper(static_cast<std::size_t>(topology.endpoints()));
  std::fill(upper.begin() + topology.endpoints() / 2, upper.end(), true);
  return narrowest_cut(topology, upper);
}

}  // namespace heddle
