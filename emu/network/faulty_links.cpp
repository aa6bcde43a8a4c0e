// SPDX-License-Identifier: Apache-2.0
#include "emu/network/faulty_links.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/pair_key.hpp"
#include "emu/record/failure.hpp"
#include "heddle/errors.hpp"
#include "topo/graph/narrowest_cut.hpp"

namespace heddle::emu {

namespace {

constexpr std::size_t kMostNamedLinks = 8;
constexpr LinkId kNoLink = -1;

std::string text_of_ranks(const std::vector<Rank>& ranks) { return ranks.empty() ? "no rank" : ranks_text(ranks); }

}  // namespace

FaultyLinks::FaultyLinks(const Fabric& fabric, const Placement& placement, std::span<const LinkFault> faults)
    : fabric_(fabric),
      placement_(placement),
      faults_(faults),
      share_(static_cast<std::size_t>(fabric.topology().links() + fabric.topology().trunks()), 1.0),
      down_(share_.size(), false),
      met_(share_.size(), false),
      gone_round_(share_.size(), false) {
  for (const LinkFault& fault : faults) times_.push_back(fault.at);
  std::ranges::sort(times_);
  times_.erase(std::unique(times_.begin(), times_.end()), times_.end());
}

std::vector<LinkId> FaultyLinks::advance(Time now) {
  now_ = now;
  ways_.clear();
  shares_.forget();
  std::vector<LinkId> changed;
  for (const LinkFault& fault : faults_) {
    if (fault.at > now) continue;
    const auto link = static_cast<std::size_t>(fault.link);
    const double share = std::min(share_[link], 1 / fault.slower);
    if (share == share_[link] && down_[link] >= fault.down) continue;
    if (fault.down && !down_[link]) ++dead_links_;
    has_any_struck_ = true;
    share_[link] = share;
    down_[link] = down_[link] || fault.down;
    const LinkId trunk = fabric_.topology().trunk_of(fault.link);
    if (trunk != fault.link) add_up(trunk);
    for (const LinkId one : {fault.link, trunk})
      if (std::ranges::find(changed, one) == changed.end()) changed.push_back(one);
  }
  for (Bottleneck& bottleneck : bottlenecks_) bottleneck.capacity = let_through(bottleneck.trunks);
  return changed;
}

/// A trunk is the sum of its links: what is up of each.
void FaultyLinks::add_up(LinkId id) {
  const Trunk trunk = fabric_.topology().trunk(id);
  double sum = 0;
  for (int i = 0; i < trunk.count; ++i) sum += is_down(trunk[i]) ? 0 : share(trunk[i]);
  down_[static_cast<std::size_t>(id)] = sum == 0;
  if (sum > 0) share_[static_cast<std::size_t>(id)] = sum / trunk.count;
}

std::vector<double> FaultyLinks::parts(LinkId id) const {
  const Trunk trunk = fabric_.topology().trunk(id);
  std::vector<double> parts;
  for (int i = 0; i < trunk.count; ++i)
    parts.push_back(is_down(trunk[i]) || is_down(id) ? 0 : share(trunk[i]) / (share(id) * trunk.count));
  return parts;
}

bool FaultyLinks::is_dead(const Route& route, const Route::Path& path) {
  const auto first = route.links().begin() + path.first;
  if (std::any_of(first, first + path.count, [this](LinkId link) { return is_down(link); })) return true;
  const int narrow = bottleneck_of(route, path);
  return narrow >= 0 && bottleneck(narrow) == 0;
}

int FaultyLinks::bottleneck_of(const Route& route, const Route::Path& path) {
  trunks_of_path_.clear();
  int with_faults = 0;
  for (std::int32_t i = path.first; i < path.first + path.count; ++i) {
    const LinkId link = route.links()[static_cast<std::size_t>(i)];
    if (link < fabric_.topology().links()) continue;
    trunks_of_path_.push_back(link);
    with_faults += has_fault(link) ? 1 : 0;
  }
  if (with_faults < 2) return -1;
  const auto [known, is_new] = number_of_bottleneck_.try_emplace(trunks_of_path_, bottlenecks());
  if (is_new) bottlenecks_.push_back({trunks_of_path_, let_through(trunks_of_path_)});
  return known->second;
}

/// Over their links that are up, from where the first one begins to where the last one ends.
double FaultyLinks::let_through(const std::vector<LinkId>& trunks) const {
  const Topology& topology = fabric_.topology();
  std::map<VertexId, int> number_of;
  const auto number = [&](VertexId vertex) {
    return number_of.try_emplace(vertex, static_cast<int>(number_of.size())).first->second;
  };
  std::vector<FlowArc> arcs;
  for (const LinkId id : trunks) {
    const Trunk trunk = topology.trunk(id);
    for (int i = 0; i < trunk.count; ++i) {
      const LinkEnds ends = topology.ends(trunk[i]);
      const double capacity = is_down(trunk[i]) ? 0 : fabric_.bandwidth(trunk[i]).bytes_per_second() * share(trunk[i]);
      if (std::isinf(capacity)) return capacity;
      arcs.push_back({number(ends.from), number(ends.to), capacity});
    }
  }
  const int source = number(topology.ends(topology.trunk(trunks.front()).first).from);
  const int sink = number(topology.ends(topology.trunk(trunks.back()).first).to);
  return maximum_flow(static_cast<int>(number_of.size()), arcs, source, sink);
}

void FaultyLinks::route(VertexId from, VertexId to, Route& route) {
  fabric_.topology().route(from, to, fabric_.settings().routing, route);
  if (has_any_struck_) note_met(route);
  avoid_dead_links(from, to, route);
  if (!has_any_struck_ && !fabric_.has_unequal_ways()) return;
  shares_.fill(fabric_.topology(), route,
               [this](LinkId link) { return fabric_.bandwidth(link).bytes_per_second() * share(link); });
}

void FaultyLinks::note_met(const Route& route) {
  for (const Route::Path& path : route.paths()) {
    for (std::int32_t i = path.first; i < path.first + path.count; ++i) {
      const LinkId link = route.links()[static_cast<std::size_t>(i)];
      if (!has_fault(link)) continue;
      met_[static_cast<std::size_t>(link)] = true;
      const bool is_trunk = link >= fabric_.topology().links() && fabric_.topology().trunk(link).count > 1;
      if (is_trunk || std::ranges::count(route.links(), link) < std::ssize(route.paths()))
        gone_round_[static_cast<std::size_t>(link)] = true;
    }
  }
}

bool FaultyLinks::of_link_or_trunk(const std::vector<bool>& all, LinkId link) const {
  return all[static_cast<std::size_t>(link)] || all[static_cast<std::size_t>(fabric_.topology().trunk_of(link))];
}

void FaultyLinks::avoid_dead_links(VertexId from, VertexId to, Route& route) {
  if (dead_links_ == 0) return;
  double live = 0;
  for (const Route::Path& path : route.paths()) live += is_dead(route, path) ? 0 : path.share;
  if (std::ranges::none_of(route.paths(), [&](const Route::Path& path) { return is_dead(route, path); })) return;
  kept_.clear();
  for (const Route::Path& path : route.paths()) {
    if (live == 0 || is_dead(route, path)) continue;
    for (std::int32_t i = path.first; i < path.first + path.count; ++i)
      kept_.add_link(route.links()[static_cast<std::size_t>(i)]);
    kept_.close_path(path.share / live);
  }
  if (live == 0) {
    for (const LinkId link : way(from, to)) kept_.add_link(link);
    kept_.close_path(1);
  }
  std::swap(route, kept_);
}

const std::vector<LinkId>& FaultyLinks::way(VertexId from, VertexId to) {
  const std::uint64_t key = pair_key(from, to);
  const auto found = ways_.find(key);
  if (found != ways_.end()) return found->second;
  if (first_out_.empty()) make_graph();
  const std::vector<LinkId>& way = ways_.emplace(key, search(from, to)).first->second;
  for (const LinkId link : way)
    if (has_fault(link)) note_met(link);
  return way;
}

bool FaultyLinks::passes_on(VertexId vertex) const { return endpoints_pass_on_ || vertex >= fabric_.topology().endpoints(); }

/// In a direct network they do, and where they change rails for others. All endpoints are alike in this.
bool FaultyLinks::routes_lead_through_endpoints() const {
  const Topology& topology = fabric_.topology();
  if (topology.is_direct()) return true;
  Route route;
  for (VertexId to = 1; to < topology.endpoints(); ++to) {
    topology.route(0, to, Routing::deterministic(), route);
    const auto leads_on = [&](LinkId link) {
      return topology.ends(link).to != to && topology.ends(link).to < topology.endpoints();
    };
    if (std::ranges::any_of(route.links(), leads_on)) return true;
  }
  return false;
}

void FaultyLinks::make_graph() {
  const Topology& topology = fabric_.topology();
  endpoints_pass_on_ = routes_lead_through_endpoints();
  first_out_.assign(static_cast<std::size_t>(topology.endpoints() + topology.switches()) + 1, 0);
  for (LinkId link = 0; link < topology.links(); ++link) ++first_out_[static_cast<std::size_t>(topology.ends(link).from) + 1];
  for (std::size_t vertex = 1; vertex < first_out_.size(); ++vertex) first_out_[vertex] += first_out_[vertex - 1];
  out_.resize(static_cast<std::size_t>(topology.links()));
  std::vector<std::size_t> next = first_out_;
  for (LinkId link = 0; link < topology.links(); ++link)
    out_[next[static_cast<std::size_t>(topology.ends(link).from)]++] = link;
}

/// Breadth first.
std::vector<LinkId> FaultyLinks::search(VertexId from, VertexId to) const {
  const Topology& topology = fabric_.topology();
  const std::size_t vertices = first_out_.size() - 1;
  std::vector<LinkId> by(vertices, kNoLink);
  std::vector<bool> reached(vertices, false);
  std::vector<VertexId> queue = {from};
  reached[static_cast<std::size_t>(from)] = true;
  for (std::size_t next = 0; next < queue.size() && !reached[static_cast<std::size_t>(to)]; ++next) {
    const auto at = static_cast<std::size_t>(queue[next]);
    if (next > 0 && !passes_on(queue[next])) continue;
    for (std::size_t i = first_out_[at]; i < first_out_[at + 1]; ++i) {
      const VertexId peer = topology.ends(out_[i]).to;
      if (is_down(out_[i]) || reached[static_cast<std::size_t>(peer)]) continue;
      reached[static_cast<std::size_t>(peer)] = true;
      by[static_cast<std::size_t>(peer)] = out_[i];
      queue.push_back(peer);
    }
  }
  if (!reached[static_cast<std::size_t>(to)]) fail_cut(from, to, reached);
  const bool splits = fabric_.settings().routing.splits();
  std::vector<LinkId> way;
  for (VertexId at = to; at != from; at = topology.ends(by[static_cast<std::size_t>(at)]).from) {
    const LinkId link = by[static_cast<std::size_t>(at)];
    way.push_back(splits ? topology.trunk_of(link) : link);
  }
  std::ranges::reverse(way);
  return way;
}

std::string FaultyLinks::fault_text(LinkId link) const {
  const auto fault =
      std::ranges::find_if(faults_, [&](const LinkFault& one) { return one.link == link && one.down && one.at <= now_; });
  return to_string(*fault, fabric_.topology());
}

void FaultyLinks::fail_cut(VertexId from, VertexId to, const std::vector<bool>& reached) const {
  const Topology& topology = fabric_.topology();
  std::vector<std::string> cut;
  for (LinkId link = 0; link < topology.links(); ++link) {
    const LinkEnds ends = topology.ends(link);
    const bool leads_out = reached[static_cast<std::size_t>(ends.from)] && !reached[static_cast<std::size_t>(ends.to)];
    if (leads_out && is_down(link)) cut.push_back(fault_text(link));
  }
  const std::size_t named = std::min(cut.size(), kMostNamedLinks);
  const std::string more = cut.size() > named ? fmt::format(" and {} more", cut.size() - named) : "";
  cut.resize(named);
  std::vector<Rank> here;
  std::vector<Rank> there;
  int source = 0;
  int dest = 0;
  for (std::size_t rank = 0; rank < placement_.size(); ++rank) {
    const VertexId at = placement_[rank];
    (reached[static_cast<std::size_t>(at)] ? here : there).emplace_back(static_cast<int>(rank));
    if (at == from) source = static_cast<int>(rank);
    if (at == to) dest = static_cast<int>(rank);
  }
  throw CheckError(
      CheckError::Kind::cut,
      fmt::format("no way is left since {} from rank {} to rank {}: faults {}{} cut {} off from {}", to_string(now_), source,
                  dest, fmt::join(cut, " "), more, text_of_ranks(there), text_of_ranks(here)),
      {.rank = source, .time = now_});
}

void FaultyLinks::require_up(std::span<const StreamLink> links_of_tree) {
  for (const StreamLink& one : links_of_tree)
    if (has_fault(one.link)) note_met(one.link);
  const auto dead = std::ranges::find_if(links_of_tree, [this](const StreamLink& one) { return is_down(one.link); });
  if (dead == links_of_tree.end()) return;
  // Of a trunk all links are down.
  const Topology& topology = fabric_.topology();
  const LinkId link = dead->link < topology.links() ? dead->link : topology.trunk(dead->link).first;
  throw CheckError(CheckError::Kind::cut,
                   fmt::format("an operation of the switches at {} needs {}, a link of their tree that is down (fault {})",
                               to_string(now_), topology.link_name(link), fault_text(link)),
                   {.time = now_});
}

}  // namespace heddle::emu
