// SPDX-License-Identifier: Apache-2.0
#include "topo/graph/narrowest_cut.hpp"

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

constexpr int kUnreached = -1;

/// Rounds of: distances from the source over arcs with room (of what is carried, backwards as well), then flow along shortest
/// ways until each has a full arc.
class Dinic {
 public:
  Dinic(int vertices, const std::vector<FlowArc>& arcs, int source, int sink)
      : source_(source), sink_(sink), first_arc_(static_cast<std::size_t>(vertices) + 1) {
    for (const FlowArc& arc : arcs) {
      ++first_arc_[index(arc.from) + 1];
      ++first_arc_[index(arc.to) + 1];
    }
    for (std::size_t v = 1; v < first_arc_.size(); ++v) first_arc_[v] += first_arc_[v - 1];
    std::vector<std::size_t> next = first_arc_;
    arcs_.resize(first_arc_.back());
    for (const FlowArc& arc : arcs) {
      const std::size_t forward = next[index(arc.from)]++;
      const std::size_t backward = next[index(arc.to)]++;
      arcs_[forward] = {arc.to, backward, arc.capacity};
      arcs_[backward] = {arc.from, forward, 0};
    }
  }

  double maximum() {
    double flow = 0;
    while (find_levels()) {
      next_arc_.assign(first_arc_.begin(), first_arc_.end() - 1);
      for (double pushed = push(); pushed > 0; pushed = push()) flow += pushed;
    }
    return flow;
  }

 private:
  struct Arc {
    int to = 0;
    std::size_t opposite = 0;
    double room = 0;
  };

  static std::size_t index(int vertex) { return static_cast<std::size_t>(vertex); }

  /// Whether the sink can be reached.
  bool find_levels() {
    level_.assign(first_arc_.size() - 1, kUnreached);
    level_[index(source_)] = 0;
    std::vector<int> reached = {source_};
    for (std::size_t next = 0; next < reached.size(); ++next) {
      const std::size_t vertex = index(reached[next]);
      for (std::size_t a = first_arc_[vertex]; a < first_arc_[vertex + 1]; ++a) {
        const Arc& arc = arcs_[a];
        if (arc.room <= 0 || level_[index(arc.to)] != kUnreached) continue;
        level_[index(arc.to)] = level_[vertex] + 1;
        reached.push_back(arc.to);
      }
    }
    return level_[index(sink_)] != kUnreached;
  }

  /// Fills one way along rising levels, if there still is one; arcs that lead nowhere are not tried again.
  double push() {
    way_.clear();
    for (int vertex = source_; vertex != sink_;) {
      std::size_t& a = next_arc_[index(vertex)];
      const std::size_t end = first_arc_[index(vertex) + 1];
      while (a < end && !(arcs_[a].room > 0 && level_[index(arcs_[a].to)] == level_[index(vertex)] + 1)) ++a;
      if (a < end) {
        way_.push_back(a);
        vertex = arcs_[a].to;
      } else if (way_.empty()) {
        return 0;
      } else {
        vertex = arcs_[arcs_[way_.back()].opposite].to;
        ++next_arc_[index(vertex)];
        way_.pop_back();
      }
    }
    double least = arcs_[way_.front()].room;
    for (const std::size_t a : way_) least = std::min(least, arcs_[a].room);
    for (const std::size_t a : way_) {
      arcs_[a].room -= least;
      arcs_[arcs_[a].opposite].room += least;
    }
    return least;
  }

  int source_;
  int sink_;
  std::vector<std::size_t> first_arc_;  ///< by vertex
  std::vector<Arc> arcs_;
  std::vector<int> level_;
  std::vector<std::size_t> next_arc_;
  std::vector<std::size_t> way_;
};

}  // namespace

double maximum_flow(int vertices, const std::vector<FlowArc>& arcs, int source, int sink) {
  return Dinic(vertices, arcs, source, sink).maximum();
}

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
