// SPDX-License-Identifier: Apache-2.0
#include "lab/studies/half_bandwidth.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace heddle {

namespace {

constexpr int kUnreached = -1;

/// Rounds of: distances from the source over arcs with room, then flow along shortest ways until each has a full arc. All
/// endpoints of the first half are one vertex, the source, and all others the sink; parallel links are one arc.
class Flow {
 public:
  explicit Flow(int vertices) : arcs_of_(static_cast<std::size_t>(vertices)) {}

  static constexpr int kSource = 0;
  static constexpr int kSink = 1;

  void add_arc(int from, int to, double room) {
    arcs_of_[index(from)].push_back(arcs_.size());
    arcs_.push_back({to, room});
    arcs_of_[index(to)].push_back(arcs_.size());
    arcs_.push_back({from, 0});
  }

  double maximum() {
    double flow = 0;
    while (find_levels()) {
      next_.assign(arcs_of_.size(), 0);
      for (double pushed = push(); pushed > 0; pushed = push()) flow += pushed;
    }
    return flow;
  }

 private:
  struct Arc {
    int to;
    double room;
  };

  static std::size_t index(int vertex) { return static_cast<std::size_t>(vertex); }

  bool find_levels() {
    level_.assign(arcs_of_.size(), kUnreached);
    level_[kSource] = 0;
    std::vector<int> reached = {kSource};
    for (std::size_t next = 0; next < reached.size(); ++next) {
      for (const std::size_t a : arcs_of_[index(reached[next])]) {
        if (arcs_[a].room <= 0 || level_[index(arcs_[a].to)] != kUnreached) continue;
        level_[index(arcs_[a].to)] = level_[index(reached[next])] + 1;
        reached.push_back(arcs_[a].to);
      }
    }
    return level_[kSink] != kUnreached;
  }

  /// Fills one way along rising levels, if there still is one; arcs that lead nowhere are not tried again. An arc's opposite is
  /// its neighbour in number.
  double push() {
    way_.clear();
    for (int vertex = kSource; vertex != kSink;) {
      std::size_t& tried = next_[index(vertex)];
      const std::vector<std::size_t>& arcs = arcs_of_[index(vertex)];
      const auto leads = [&](std::size_t a) {
        return arcs_[a].room > 0 && level_[index(arcs_[a].to)] == level_[index(vertex)] + 1;
      };
      while (tried < arcs.size() && !leads(arcs[tried])) ++tried;
      if (tried < arcs.size()) {
        way_.push_back(arcs[tried]);
        vertex = arcs_[arcs[tried]].to;
      } else if (way_.empty()) {
        return 0;
      } else {
        vertex = arcs_[way_.back() ^ 1].to;
        ++next_[index(vertex)];
        way_.pop_back();
      }
    }
    double least = arcs_[way_.front()].room;
    for (const std::size_t a : way_) least = std::min(least, arcs_[a].room);
    for (const std::size_t a : way_) {
      arcs_[a].room -= least;
      arcs_[a ^ 1].room += least;
    }
    return least;
  }

  std::vector<std::vector<std::size_t>> arcs_of_;
  std::vector<Arc> arcs_;
  std::vector<int> level_;
  std::vector<std::size_t> next_;
  std::vector<std::size_t> way_;
};

}  // namespace

Bandwidth bandwidth_between_halves(const Fabric& fabric) {
  const Topology& topology = fabric.topology();
  const int endpoints = topology.endpoints();
  const auto place = [&](VertexId v) {
    return v >= endpoints ? v - endpoints + 2 : v < endpoints / 2 ? Flow::kSource : Flow::kSink;
  };
  std::map<std::pair<int, int>, double> room;
  double finite = 0;
  for (LinkId link = 0; link < topology.links(); ++link)
    if (!fabric.bandwidth(link).is_unlimited()) finite += fabric.bandwidth(link).bytes_per_second();
  const double unlimited = 2 * finite + 1;  // more than all others together
  for (LinkId link = 0; link < topology.links(); ++link) {
    const LinkEnds ends = topology.ends(link);
    const Bandwidth bandwidth = fabric.bandwidth(link);
    room[{place(ends.from), place(ends.to)}] += bandwidth.is_unlimited() ? unlimited : bandwidth.bytes_per_second();
  }
  Flow flow(topology.switches() + 2);
  for (const auto& [ends, bandwidth] : room)
    if (ends.first != ends.second) flow.add_arc(ends.first, ends.second, bandwidth);
  const double bytes_per_second = flow.maximum();
  return bytes_per_second >= unlimited ? Bandwidth::unlimited() : Bandwidth(bytes_per_second);
}

}  // namespace heddle
