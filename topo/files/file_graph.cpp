// SPDX-License-Identifier: Apache-2.0
#include "topo/files/file_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "heddle/errors.hpp"
#include "topo/graph/narrowest_cut.hpp"
#include "topo/spec/families.hpp"

namespace heddle {

FileGraph::FileGraph(std::string shape, std::string path, FabricFile file)
    : StoredLinks(file.endpoints, file.switches), shape_(std::move(shape)), path_(std::move(path)), file_(std::move(file)) {
  add_bundles();
  index_arcs();
  fill_tables();
  require_all_reachable();
  if (std::any_of(file_.offers.begin(), file_.offers.end(), [](const SwitchOffers& o) { return o.computes(); }))
    set_offers(file_.offers, "");
}

void FileGraph::add_bundles() {
  for (const FabricFile::Bundle& bundle : file_.bundles) {
    const LinkId first = links();
    const int ways = bundle.one_way ? 1 : 2;
    for (int i = 0; i < bundle.cables; ++i) {
      add_link(bundle.from, bundle.to, bundle.tier);
      if (!bundle.one_way) add_link(bundle.to, bundle.from, bundle.tier);
    }
    cables_ += bundle.cables;
    arcs_.push_back({bundle.from, bundle.to, {first, ways, bundle.cables}});
    if (!bundle.one_way) arcs_.push_back({bundle.to, bundle.from, {first + 1, ways, bundle.cables}});
  }
}

void FileGraph::index_arcs() {
  for (const Arc& arc : arcs_)
    if (arc.links.count > 1) trunks_.push_back(arc.links);
  for (LinkId link = 0; link < links(); ++link) trunk_of_.push_back(link);
  for (std::size_t t = 0; t < trunks_.size(); ++t) {
    for (int i = 0; i < trunks_[t].count; ++i)
      trunk_of_[static_cast<std::size_t>(trunks_[t][i])] = links() + static_cast<LinkId>(t);
  }
  std::vector<Arc> forwarding;
  std::ranges::copy_if(arcs_, std::back_inserter(forwarding), [this](const Arc& arc) { return forwards(arc.from); });
  first_arrival_ = sort_by(&Arc::to, forwarding);
  for (const Arc& arc : forwarding) arrivals_.push_back({arc.from, arc.links.count});
  first_from_ = sort_by(&Arc::from, arcs_);
}

/// Returns where those of each vertex begin then.
std::vector<std::size_t> FileGraph::sort_by(VertexId Arc::*end, std::vector<Arc>& arcs) const {
  std::ranges::stable_sort(arcs, {}, end);
  std::vector<std::size_t> first(static_cast<std::size_t>(endpoints() + switches()) + 1);
  for (const Arc& arc : arcs) ++first[static_cast<std::size_t>(arc.*end) + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  return first;
}

/// What leads to an endpoint decides who is how far from it; endpoints to which the same leads share a table.
void FileGraph::fill_tables() {
  std::map<std::vector<std::pair<VertexId, int>>, std::int32_t> known;
  std::vector<VertexId> first_with;
  for (VertexId to = 0; to < endpoints(); ++to) {
    std::vector<std::pair<VertexId, int>> last_hops;
    for (const Arrival& last : arrivals(to)) last_hops.emplace_back(last.from, last.cables);
    const auto [entry, is_new] = known.emplace(std::move(last_hops), static_cast<std::int32_t>(first_with.size()));
    if (is_new) first_with.push_back(to);
    table_of_.push_back(entry->second);
  }
  const double forwarders = file_.direct ? endpoints() + switches() : switches();
  constexpr double kMostEntries = 1 << 26;
  if (forwarders * static_cast<double>(first_with.size()) > kMostEntries) {
    throw InputError(fmt::format(
        "{}: the routes of {} destinations from {} vertices would take {:.3g} GiB of tables, at most {:.3g} "
        "are possible",
        path_, first_with.size(), forwarders, forwarders * static_cast<double>(first_with.size()) * sizeof(Outlook) / (1 << 30),
        kMostEntries * sizeof(Outlook) / (1 << 30)));
  }
  constexpr std::int64_t kMostLooks = std::int64_t{1} << 32;  // some seconds
  std::int64_t looks = 0;
  for (VertexId to : first_with) {
    tables_.push_back(table_towards(to, looks));
    if (looks > kMostLooks) {
      throw InputError(fmt::format(
          "{}: after {} of {} destinations, their routes over {} links took {:.2g} steps to find, the most that are made; give "
          "fewer links, or a family of 'heddle topo --help'",
          path_, tables_.size(), first_with.size(), links(), static_cast<double>(kMostLooks)));
    }
  }
}

/// Breadth first, against the links. All of a distance come before those of the next, so what a vertex knows is complete when
/// its turn comes. Where all are reached, those of the last distance are on nobody's way. The destination itself is reached as
/// any other that hangs on the same: they share the table.
FileGraph::Table FileGraph::table_towards(VertexId to, std::int64_t& looks) const {
  const auto vertices = static_cast<std::size_t>(file_.direct ? endpoints() + switches() : switches());
  Table table{std::vector<int>(vertices, kNever), std::vector<double>(vertices), std::vector<double>(vertices)};
  std::vector<VertexId> reached;
  const auto look = [&](VertexId vertex, const Outlook& next) {
    looks += std::ssize(arrivals(vertex));
    for (const Arrival& arc : arrivals(vertex)) {
      const std::size_t here = forwarder(arc.from);
      if (table.distance[here] <= next.distance) continue;
      if (table.distance[here] == kNever) {
        table.distance[here] = next.distance + 1;
        reached.push_back(arc.from);
      }
      table.walks[here] += arc.cables * next.walks;
      table.paths[here] += next.paths;
    }
  };
  look(to, {0, 1, 1});
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const std::size_t at = forwarder(reached[i]);
    const Outlook next{table.distance[at], table.walks[at], table.paths[at]};
    if (reached.size() == vertices && next.distance == table.distance[forwarder(reached.back())]) break;
    look(reached[i], next);
  }
  return table;
}

std::span<const FileGraph::Arc> FileGraph::arcs_from(VertexId vertex) const {
  const std::size_t* first = &first_from_[static_cast<std::size_t>(vertex)];
  return std::span(arcs_).subspan(first[0], first[1] - first[0]);
}

std::span<const FileGraph::Arrival> FileGraph::arrivals(VertexId vertex) const {
  const std::size_t* first = &first_arrival_[static_cast<std::size_t>(vertex)];
  return std::span(arrivals_).subspan(first[0], first[1] - first[0]);
}

FileGraph::Outlook FileGraph::outlook(VertexId vertex, VertexId to, const Table& towards) const {
  if (vertex == to) return {0, 1, 1};
  if (!forwards(vertex)) return {};
  const std::size_t here = forwarder(vertex);
  return {towards.distance[here], towards.walks[here], towards.paths[here]};
}

/// As a table would have it; an endpoint of a switched fabric is in none.
FileGraph::Outlook FileGraph::outlook_from_source(VertexId from, VertexId to) const {
  const Table& towards = table(to);
  if (forwards(from)) return outlook(from, to, towards);
  Outlook here;
  for (const Arc& arc : arcs_from(from)) {
    const Outlook next = outlook(arc.to, to, towards);
    if (next.distance >= here.distance) continue;
    if (next.distance + 1 < here.distance) here = {next.distance + 1, 0, 0};
    here.walks += arc.links.count * next.walks;
    here.paths += next.paths;
  }
  return here;
}

/// Calls `use(from, to, distance)` for pairs that stand for all: where messages pass through switches only, endpoints that share a
/// table are as far from everyone.
template <class Use>
void FileGraph::for_each_kind_of_pair(const Use& use) const {
  if (file_.direct) {
    // Along the tables, which have each endpoint.
    for (VertexId to = 0; to < endpoints(); ++to) {
      const Table& towards = table(to);
      for (VertexId from = 0; from < endpoints(); ++from)
        if (from != to) use(from, to, towards.distance[forwarder(from)]);
    }
    return;
  }
  const bool is_switched =
      std::ranges::none_of(arcs_, [this](const Arc& arc) { return arc.from < endpoints() && arc.to < endpoints(); });
  std::vector<std::vector<VertexId>> kinds(is_switched ? tables_.size() : 0);
  for (VertexId to = 0; to < endpoints(); ++to) {
    if (!is_switched) {
      kinds.push_back({to});
      continue;
    }
    std::vector<VertexId>& kind = kinds[static_cast<std::size_t>(table_of_[static_cast<std::size_t>(to)])];
    if (kind.size() < 2) kind.push_back(to);
  }
  for (VertexId from = 0; from < endpoints(); ++from) {
    for (const std::vector<VertexId>& kind : kinds) {
      const VertexId to = kind.front() == from ? kind.back() : kind.front();
      if (to != from) use(from, to, outlook_from_source(from, to).distance);
    }
  }
}

/// Names the first pair that is apart.
void FileGraph::require_all_reachable() const {
  std::pair apart(endpoints(), endpoints());
  for_each_kind_of_pair([&](VertexId from, VertexId to, int distance) {
    if (distance == kNever) apart = std::min(apart, std::pair(from, to));
  });
  if (apart.first == endpoints()) return;
  const std::string_view why = file_.direct ? ""
                               : shape_.starts_with("file:")
                                   ? "; endpoints do not pass on what is for others unless \"direct\" is true"
                                   : "; endpoints do not pass on what is for others";
  throw InputError(
      fmt::format("{}: no way leads from '{}' to '{}'{}", path_, vertex_name(apart.first), vertex_name(apart.second), why));
}

/// Adds the links of one way. `number` counts walks over cables, or paths with the cables side by side as one; returns the
/// share of all walks that such a path stands for, times their number.
double FileGraph::add_way(VertexId from, VertexId to, int distance, Count count, double number, bool trunks,
                          Route& route) const {
  const Table& towards = table(to);
  double cables = 1;
  for (VertexId vertex = from; distance > 0; --distance) {
    const Arc* step = nullptr;
    double walks_beyond = 1;
    for (const Arc& arc : arcs_from(vertex)) {
      if (this->distance(arc.to, to, towards) != distance - 1) continue;
      const Outlook next = outlook(arc.to, to, towards);
      if (step != nullptr) number -= count == Count::walks ? step->links.count * walks_beyond : walks_beyond;
      step = &arc;
      walks_beyond = count == Count::walks ? next.walks : next.paths;
      if (number < (count == Count::walks ? arc.links.count * walks_beyond : walks_beyond)) break;
    }
    int cable = 0;
    if (count == Count::walks) {
      cable = std::clamp(static_cast<int>(number / walks_beyond), 0, step->links.count - 1);
      number -= cable * walks_beyond;
    }
    route.add_link(trunks ? trunk_of(step->links.first) : step->links[cable]);
    cables *= step->links.count;
    vertex = step->to;
  }
  return cables;
}

void FileGraph::route(VertexId from, VertexId to, Routing routing, Route& route) const {
  route.clear();
  if (from == to) return;
  const Outlook all = outlook_from_source(from, to);
  if (!routing.splits()) {
    constexpr double kMostChoices = 1 << 30;
    const double choices = std::min(all.walks, kMostChoices);
    const std::int32_t choice = routing.choice(from, to, 0, static_cast<std::int32_t>(choices));
    add_way(from, to, all.distance, Count::walks, std::floor(choice * (all.walks / choices)), false, route);
    route.close_path(1);
  } else if (all.paths <= kMostPaths) {
    for (double path = 0; path < all.paths; ++path)
      route.close_path(add_way(from, to, all.distance, Count::paths, path, true, route) / all.walks);
  } else {
    for (int i = 0; i < kMostPaths; ++i) {
      add_way(from, to, all.distance, Count::walks, std::floor((i + 0.5) / kMostPaths * all.walks), true, route);
      route.close_path(1.0 / kMostPaths);
    }
  }
}

TopologyProperties FileGraph::properties() const {
  TopologyProperties facts = counted_properties();
  facts.cables = cables_;
  for_each_kind_of_pair(
      [&](VertexId /*from*/, VertexId /*to*/, int distance) { facts.diameter = std::max(facts.diameter, distance); });
  facts.bisection = straight_cut(*this);
  facts.tiers.clear();
  for (const std::string& name : file_.tiers) facts.tiers.push_back({name, 0, 0, 1});
  for (const FabricFile::Bundle& bundle : file_.bundles)
    facts.tiers[static_cast<std::size_t>(bundle.tier)].cables += bundle.cables;
  // A switch counts at the lowest tier of its cables.
  std::vector<int> lowest(static_cast<std::size_t>(switches()), static_cast<int>(file_.tiers.size()) - 1);
  for (const FabricFile::Bundle& bundle : file_.bundles) {
    for (VertexId vertex : {bundle.from, bundle.to}) {
      if (vertex < endpoints()) continue;
      int& tier = lowest[static_cast<std::size_t>(vertex - endpoints())];
      tier = std::min(tier, bundle.tier);
    }
  }
  for (int tier : lowest) ++facts.tiers[static_cast<std::size_t>(tier)].switches;
  return facts;
}

std::shared_ptr<const Topology> fabric_from_text(std::string_view text, const std::string& name) {
  if (name.empty() || name.find_first_of(",=") != std::string::npos)
    throw InputError(fmt::format("'{}' is no name of a fabric: it has letters, and neither a comma nor '='", name));
  return std::make_shared<FileGraph>(std::string(kGivenFabric) + name, name, read_fabric_text(text, name));
}

namespace {

std::unique_ptr<Topology> build_file_graph(SpecFields& fields) {
  const std::string path = read_file_name(fields);
  return std::make_unique<FileGraph>("file:" + path, path, read_fabric_file(path));
}

}  // namespace

std::vector<FamilyEntry> file_graph_families() {
  return {{{"file", "file:fabric.json", "any graph, from a JSON file", true}, build_file_graph}};
}

}  // namespace heddle
