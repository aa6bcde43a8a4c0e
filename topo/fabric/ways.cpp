// SPDX-License-Identifier: Apache-2.0
#include "topo/fabric/ways.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

#include "core/random.hpp"

namespace heddle {

namespace {

constexpr double kAlike = 1e-9;    // shares that differ by no more than this part are equal
constexpr double kNothing = 1e-6;  // a way that gets no more of a message is not taken
constexpr double kVeryWide = 1e9;  // an unlimited link is so many times as wide as the widest limited one
constexpr double kRounding = 1e-12;

/// The ways as a graph: an edge is a link, or what a series or a bundle of edges comes to.
struct Edge {
  enum class Kind : std::uint8_t { link, series, bundle };

  Kind kind;
  int from;
  int to;
  double capacity;
  std::vector<std::size_t> parts = {};
  bool is_part = false;  ///< of another edge
  double flow = 0;       ///< of a message of 1
};

class WayGraph {
 public:
  WayGraph(const Topology& topology, const Route& route, const std::function<double(LinkId)>& capacity) : route_(route) {
    for (const Route::Path& path : route.paths())
      for (const LinkId link : links_of(path)) add(topology, link, capacity(link));
    const std::span<const LinkId> any = links_of(route.paths().front());
    source_ = edges_[edge_of_.at(any.front())].from;
    sink_ = edges_[edge_of_.at(any.back())].to;
    limit();
  }

  /// The flow of each link is known from then on.
  void fill() {
    while (bundle_parallels() || join_series()) {
    }
    std::vector<std::size_t> left;
    for (std::size_t edge = 0; edge < edges_.size(); ++edge)
      if (!edges_[edge].is_part) left.push_back(edge);
    if (left.size() == 1)
      edges_[left.front()].flow = 1;
    else
      fill_evenly(left);
    for (std::size_t edge = edges_.size(); edge-- > 0;) hand_down(edges_[edge]);
  }

  /// Of a message that divides at each vertex as the flows there do.
  std::vector<double> shares() const {
    std::vector<double> leaving(static_cast<std::size_t>(vertices_));
    for (const auto& [link, edge] : edge_of_) leaving[static_cast<std::size_t>(edges_[edge].from)] += edges_[edge].flow;
    const auto key_of = [this](const Route::Path& path) {
      const std::span<const LinkId> links = links_of(path);
      return std::vector<LinkId>(links.begin(), links.end());
    };
    std::map<std::vector<LinkId>, int> paths;  // a route that has some of very many walks may have one way several times
    for (const Route::Path& path : route_.paths()) ++paths[key_of(path)];
    std::vector<double> shares;
    for (const Route::Path& path : route_.paths()) {
      double share = 1.0 / paths.at(key_of(path));
      for (const LinkId link : links_of(path)) {
        const Edge& edge = edges_[edge_of_.at(link)];
        if (edge.flow == 0) share = 0;
        if (share > 0) share *= edge.flow / leaving[static_cast<std::size_t>(edge.from)];
      }
      shares.push_back(share);
    }
    return shares;
  }

 private:
  std::span<const LinkId> links_of(const Route::Path& path) const {
    return std::span(route_.links()).subspan(static_cast<std::size_t>(path.first), static_cast<std::size_t>(path.count));
  }

  int number_of(VertexId vertex) {
    const auto [known, is_new] = number_of_vertex_.emplace(vertex, vertices_);
    if (is_new) ++vertices_;
    return known->second;
  }

  void add(const Topology& topology, LinkId link, double capacity) {
    if (!edge_of_.emplace(link, edges_.size()).second) return;
    const LinkEnds ends = topology.ends(link < topology.links() ? link : topology.trunk(link).first);
    const int from = number_of(ends.from);
    edges_.push_back({.kind = Edge::Kind::link, .from = from, .to = number_of(ends.to), .capacity = capacity});
  }

  /// Numbers in place of infinity.
  void limit() {
    double widest = 0;
    for (const Edge& edge : edges_)
      if (std::isfinite(edge.capacity)) widest = std::max(widest, edge.capacity);
    for (Edge& edge : edges_)
      if (!std::isfinite(edge.capacity)) edge.capacity = widest > 0 ? widest * kVeryWide : 1;
  }

  void add_whole(Edge::Kind kind, std::vector<std::size_t> parts) {
    Edge whole{.kind = kind,
               .from = edges_[parts.front()].from,
               .to = edges_[parts.back()].to,
               .capacity = edges_[parts.front()].capacity};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      Edge& part = edges_[parts[i]];
      part.is_part = true;
      if (i == 0) continue;
      whole.capacity = kind == Edge::Kind::bundle ? whole.capacity + part.capacity : std::min(whole.capacity, part.capacity);
    }
    whole.parts = std::move(parts);
    edges_.push_back(std::move(whole));
  }

  bool bundle_parallels() {
    std::map<std::pair<int, int>, std::vector<std::size_t>> between;
    for (std::size_t edge = 0; edge < edges_.size(); ++edge)
      if (!edges_[edge].is_part) between[{edges_[edge].from, edges_[edge].to}].push_back(edge);
    bool has_any = false;
    for (auto& [ends, edges] : between) {
      if (edges.size() < 2) continue;
      add_whole(Edge::Kind::bundle, std::move(edges));
      has_any = true;
    }
    return has_any;
  }

  bool join_series() {
    bool has_any = false;
    for (int vertex = 0; vertex < vertices_; ++vertex) {
      if (vertex == source_ || vertex == sink_) continue;
      std::vector<std::size_t> in;
      std::vector<std::size_t> out;
      for (std::size_t edge = 0; edge < edges_.size(); ++edge) {
        if (edges_[edge].is_part) continue;
        if (edges_[edge].to == vertex) in.push_back(edge);
        if (edges_[edge].from == vertex) out.push_back(edge);
      }
      if (in.size() != 1 || out.size() != 1) continue;
      add_whole(Edge::Kind::series, {in.front(), out.front()});
      has_any = true;
    }
    return has_any;
  }

  void hand_down(const Edge& whole) {
    for (const std::size_t part : whole.parts)
      edges_[part].flow = whole.kind == Edge::Kind::series
                              ? whole.flow
                              : (whole.capacity > 0 ? whole.flow * edges_[part].capacity / whole.capacity : 0);
  }

  void fill_evenly(const std::vector<std::size_t>& edges);

  const Route& route_;
  std::map<LinkId, std::size_t> edge_of_;
  std::map<VertexId, int> number_of_vertex_;
  int vertices_ = 0;
  int source_ = 0;
  int sink_ = 0;
  std::vector<Edge> edges_;
};

/// Edges that are no series and no bundles, as those of two tiers of switches that are all joined. How full the fullest edge must
/// be: a flow with room for that much of each edge is looked for; a cut that stops it says how full its edges must be at
/// least (Newton's method on the ratio of what must cross a cut and what can). The cut that asked for most is full in every such
/// flow. Its edges have their flows then, and the others are filled likewise.
class EvenFill {
 public:
  EvenFill(int vertices, std::vector<Edge*> edges, int source, int sink)
      : edges_(std::move(edges)), is_set_(edges_.size(), false), surplus_(static_cast<std::size_t>(vertices), 0) {
    at(source) += 1;
    at(sink) -= 1;
  }

  void run() {
    while (std::ranges::find(is_set_, false) != is_set_.end()) {
      double fullness = 0;
      std::vector<bool> cut;  // behind which the last one that was too full lies; empty: none was
      for (;;) {
        std::vector<bool> reached = reached_by_flow(fullness);
        const double needed = surplus_behind(reached);
        const double room = room_out_of(reached);
        if (needed <= fullness * room + kRounding || room == 0) break;
        if (needed / room <= fullness * (1 + kRounding)) break;
        fullness = needed / room;
        cut = std::move(reached);
      }
      if (cut.empty()) {
        for (std::size_t e = 0; e < edges_.size(); ++e)
          if (!is_set_[e]) set(e, 0);
        return;
      }
      for (std::size_t e = 0; e < edges_.size(); ++e) {
        if (is_set_[e]) continue;
        const bool is_behind = cut[static_cast<std::size_t>(edges_[e]->from)];
        const bool ends_behind = cut[static_cast<std::size_t>(edges_[e]->to)];
        if (is_behind != ends_behind) set(e, is_behind ? fullness * edges_[e]->capacity : 0);
      }
    }
  }

 private:
  double& at(int vertex) { return surplus_[static_cast<std::size_t>(vertex)]; }

  void set(std::size_t e, double flow) {
    is_set_[e] = true;
    edges_[e]->flow = flow;
    at(edges_[e]->from) -= flow;
    at(edges_[e]->to) += flow;
  }

  double surplus_behind(const std::vector<bool>& reached) const {
    double sum = 0;
    for (std::size_t vertex = 0; vertex < reached.size(); ++vertex)
      if (reached[vertex]) sum += surplus_[vertex];
    return sum;
  }

  double room_out_of(const std::vector<bool>& reached) const {
    double sum = 0;
    for (std::size_t e = 0; e < edges_.size(); ++e)
      if (!is_set_[e] && reached[static_cast<std::size_t>(edges_[e]->from)] &&
          !reached[static_cast<std::size_t>(edges_[e]->to)])
        sum += edges_[e]->capacity;
    return sum;
  }

  /// Sends what vertices have too much to those that have too little, over edges that may be so full, and says which vertices
  /// still get something.
  std::vector<bool> reached_by_flow(double fullness) const {
    std::vector<double> left = surplus_;
    std::vector<double> flow(edges_.size(), 0);
    constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    for (;;) {
      // Breadth first from all that have too much.
      std::vector<std::size_t> by(left.size(), kNone);  // the edge that led there
      std::vector<bool> reached(left.size(), false);
      std::vector<std::size_t> queue;
      for (std::size_t vertex = 0; vertex < left.size(); ++vertex) {
        if (left[vertex] <= kRounding) continue;
        reached[vertex] = true;
        queue.push_back(vertex);
      }
      std::size_t end = kNone;
      for (std::size_t next = 0; next < queue.size() && end == kNone; ++next) {
        for (std::size_t e = 0; e < edges_.size() && end == kNone; ++e) {
          if (is_set_[e]) continue;
          const auto from = static_cast<std::size_t>(edges_[e]->from);
          const auto to = static_cast<std::size_t>(edges_[e]->to);
          const bool onwards = from == queue[next] && flow[e] < fullness * edges_[e]->capacity - kRounding;
          const bool back = to == queue[next] && flow[e] > kRounding;
          const std::size_t peer = onwards ? to : from;
          if ((!onwards && !back) || reached[peer]) continue;
          reached[peer] = true;
          by[peer] = e;
          queue.push_back(peer);
          if (left[peer] < -kRounding) end = peer;
        }
      }
      if (end == kNone) return reached;
      double most = -left[end];
      std::vector<std::pair<std::size_t, double>> steps;  // edge, and which way
      std::size_t begin = end;
      while (by[begin] != kNone) {
        const std::size_t e = by[begin];
        const bool onwards = static_cast<std::size_t>(edges_[e]->to) == begin;
        most = std::min(most, onwards ? fullness * edges_[e]->capacity - flow[e] : flow[e]);
        steps.emplace_back(e, onwards ? 1 : -1);
        begin = static_cast<std::size_t>(onwards ? edges_[e]->from : edges_[e]->to);
      }
      most = std::min(most, left[begin]);
      for (const auto& [e, way] : steps) flow[e] += way * most;
      left[begin] -= most;
      left[end] += most;
    }
  }

  std::vector<Edge*> edges_;
  std::vector<bool> is_set_;
  std::vector<double> surplus_;  ///< by vertex: what edges that are not set yet must take from there
};

void WayGraph::fill_evenly(const std::vector<std::size_t>& edges) {
  std::vector<Edge*> all;
  double widest = 0;
  for (const std::size_t edge : edges) {
    all.push_back(&edges_[edge]);
    widest = std::max(widest, edges_[edge].capacity);
  }
  for (Edge* edge : all) edge->capacity /= widest;
  EvenFill(vertices_, all, source_, sink_).run();
  for (Edge* edge : all) edge->capacity *= widest;
}

bool are_alike(const std::vector<double>& shares, const std::vector<Route::Path>& paths) {
  for (std::size_t i = 0; i < shares.size(); ++i)
    if (std::abs(shares[i] - paths[i].share) > kAlike * paths[i].share) return false;
  return true;
}

}  // namespace

std::vector<double> shares_by_width(const Topology& topology, const Route& route,
                                    const std::function<double(LinkId)>& capacity) {
  if (route.paths().size() < 2) return {};
  WayGraph graph(topology, route, capacity);
  graph.fill();
  std::vector<double> shares = graph.shares();
  double sum = 0;
  for (double& share : shares) {
    if (share < kNothing) share = 0;
    sum += share;
  }
  if (!(sum > 0)) return {};
  for (double& share : shares) share /= sum;  // a route may have some of all walks over its links alone
  if (are_alike(shares, route.paths())) shares.clear();
  return shares;
}

std::size_t KnownShares::Hash::operator()(const std::vector<LinkId>& links) const {
  std::uint64_t hash = 0;
  for (const LinkId link : links) hash = SplitMix64(hash ^ static_cast<std::uint64_t>(link)).next();
  return static_cast<std::size_t>(hash);
}

/// Without the links with which all paths begin or end, which have no say.
void KnownShares::take_key_of(const Route& route) {
  const auto link_at = [&](const Route::Path& path, std::int32_t i) {
    return route.links()[static_cast<std::size_t>(path.first + i)];
  };
  const Route::Path& one = route.paths().front();
  std::int32_t begin = one.count;
  std::int32_t end = one.count;
  for (const Route::Path& path : route.paths()) {
    std::int32_t same = 0;
    while (same < std::min(begin, path.count) && link_at(path, same) == link_at(one, same)) ++same;
    begin = same;
    same = 0;
    while (same < std::min(end, path.count) && link_at(path, path.count - 1 - same) == link_at(one, one.count - 1 - same))
      ++same;
    end = same;
  }
  constexpr LinkId kNextPath = -1;
  key_.clear();
  for (const Route::Path& path : route.paths()) {
    for (std::int32_t i = begin; i < path.count - end; ++i) key_.push_back(link_at(path, i));
    key_.push_back(kNextPath);
  }
}

void KnownShares::fill(const Topology& topology, Route& route, const std::function<double(LinkId)>& capacity) {
  if (route.paths().size() < 2) return;
  take_key_of(route);
  auto known = shares_.find(key_);
  if (known == shares_.end()) known = shares_.emplace(key_, shares_by_width(topology, route, capacity)).first;
  if (!known->second.empty()) route.share_out(known->second);
}

void FilledRoutes::fill(Route& route) {
  shares_.fill(fabric_.topology(), route, [this](LinkId link) { return fabric_.bandwidth(link).bytes_per_second(); });
}

}  // namespace heddle
