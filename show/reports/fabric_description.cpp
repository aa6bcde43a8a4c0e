// SPDX-License-Identifier: Apache-2.0
#include "show/reports/fabric_description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/printable.hpp"
#include "emu/record/memory_estimate.hpp"
#include "lab/documents/context.hpp"
#include "lab/studies/fabric_studies.hpp"
#include "show/drawing/fabric_drawing.hpp"
#include "topo/fabric/ways.hpp"
#include "topo/files/file_graph.hpp"
#include "topo/presets/fabric_presets.hpp"
#include "topo/presets/preset_file.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

namespace {

constexpr std::int64_t kMostLinks = 20'000'000;  // to walk; a tenth of a second or so where a route is computed
constexpr int kLinksLookedAt = 64;  // in the time of one more to walk, where a file's graph is searched for the next

struct Farthest {
  Time latency;
  VertexId endpoint = 0;
};

class RouteWalker {
 public:
  explicit RouteWalker(const Fabric& fabric)
      : fabric_(fabric),
        effort_(1 +
                fabric.topology().links() / (fabric.topology().endpoints() + fabric.topology().switches()) / kLinksLookedAt) {}

  bool tired() const { return walked_ > kMostLinks; }

  /// The farthest of these endpoints from one, of those that it got to before it was tired.
  Farthest farthest_from(VertexId source, const std::vector<VertexId>& endpoints) {
    Farthest farthest{.latency = Time(), .endpoint = source};
    for (const VertexId to : endpoints) {
      if (tired()) break;
      fabric_.topology().route(source, to, fabric_.settings().routing, route_);
      walked_ += effort_ * (static_cast<std::int64_t>(route_.links().size()) + 1);
      for (const Route::Path& path : route_.paths()) {
        const Time latency = fabric_.path_latency(route_, path);
        if (latency > farthest.latency) farthest = {latency, to};
      }
      look_at_ways();
    }
    return farthest;
  }

  bool has_unequal_ways() const { return has_unequal_ways_; }
  std::size_t most_ways() const { return most_ways_; }

 private:
  /// Of so many routes: filling them takes its time.
  void look_at_ways() {
    constexpr int kMostFilled = 2'000;
    most_ways_ = std::max(most_ways_, route_.paths().size());
    if (!fabric_.has_unequal_ways() || has_unequal_ways_ || route_.paths().size() < 2 || ++filled_ > kMostFilled) return;
    const auto capacity = [this](LinkId link) { return fabric_.bandwidth(link).bytes_per_second(); };
    has_unequal_ways_ = !shares_by_width(fabric_.topology(), route_, capacity).empty();
  }

  const Fabric& fabric_;
  const std::int64_t effort_;  ///< for a link, as the degree is
  Route route_;
  bool has_unequal_ways_ = false;
  std::size_t most_ways_ = 0;
  int filled_ = 0;
  std::int64_t walked_ = 0;
};

/// Two of all endpoints that hang on the same vertices by the same links: routes treat those alike.
std::vector<VertexId> representatives(const Topology& topology) {
  using Neighbor = std::pair<VertexId, int>;  // and the tier of the link
  std::vector<std::vector<Neighbor>> neighbors(static_cast<std::size_t>(topology.endpoints()));
  for (LinkId link = 0; link < topology.links(); ++link) {
    const LinkEnds ends = topology.ends(link);
    if (ends.from < topology.endpoints())
      neighbors[static_cast<std::size_t>(ends.from)].emplace_back(ends.to, topology.tier(link));
  }
  std::map<std::vector<Neighbor>, int> alike;
  std::vector<VertexId> chosen;
  for (VertexId endpoint = 0; endpoint < topology.endpoints(); ++endpoint) {
    std::vector<Neighbor>& of_it = neighbors[static_cast<std::size_t>(endpoint)];
    std::sort(of_it.begin(), of_it.end());
    if (++alike[std::move(of_it)] <= 2) chosen.push_back(endpoint);
  }
  return chosen;
}

}  // namespace

LongestRoute longest_route(const Fabric& fabric) {
  const Topology& topology = fabric.topology();
  // Every link of a direct network with one speed adds the same; its routes, which may be very long, need no walk.
  if (topology.is_direct() && fabric.settings().tiers.size() == 1 && !fabric.has_unequal_ways()) {
    const int diameter = topology.properties().diameter;
    return {diameter == 0 ? Time() : fabric.host_links() + diameter * fabric.latency(0), true};
  }
  const std::vector<VertexId> endpoints = representatives(topology);
  RouteWalker walker(fabric);
  std::vector<bool> seen(static_cast<std::size_t>(topology.endpoints()));
  LongestRoute longest;
  const auto look_from = [&](VertexId source) {
    seen[static_cast<std::size_t>(source)] = true;
    const Farthest farthest = walker.farthest_from(source, endpoints);
    longest.latency = std::max(longest.latency, farthest.latency);
    return farthest.endpoint;
  };
  for (VertexId source = 0; !seen[static_cast<std::size_t>(source)] && !walker.tired();) source = look_from(source);
  for (const VertexId source : endpoints)
    if (!seen[static_cast<std::size_t>(source)] && !walker.tired()) look_from(source);
  longest.exact = !walker.tired();
  longest.has_unequal_ways = walker.has_unequal_ways();
  longest.most_ways = walker.most_ways();
  return longest;
}

namespace {

using Json = nlohmann::ordered_json;

bool links_differ_in_bandwidth(const Fabric& fabric) {
  const std::vector<NamedSpeed> tiers = speeds_by_tier(fabric);
  return std::any_of(tiers.begin(), tiers.end(), [&](const NamedSpeed& tier) {
    return tier.speed.bandwidth != tiers.front().speed.bandwidth || tier.speed.eta_beta != tiers.front().speed.eta_beta;
  });
}

std::string dims_text(const Grid* grid) {
  if (grid == nullptr) return "none";
  return fmt::format("{}, {}", fmt::join(grid->dims(), " x "), grid->wraps() ? "each wraps around" : "no wrap-around");
}

/// "leaf to spine: 4 switches, 64 cables, oversubscription 2"
std::string tier_text(const TierProperties& tier, bool speeds_differ) {
  std::string text = tier.name + ": ";
  if (tier.switches > 0) text += counted(tier.switches, "switch", "es") + ", ";
  text += counted(tier.cables, "cable", "s");
  if (tier.oversubscription != 1)
    text += fmt::format(", oversubscription {:.4g}{}", tier.oversubscription, speeds_differ ? " at equal speeds" : "");
  return text;
}

/// The sizes of a tier's groups, in the order of the groups' first endpoints.
std::vector<int> group_sizes(const Topology& topology, int tier) {
  std::vector<int> sizes;
  std::unordered_map<int, std::size_t> place;
  for (VertexId endpoint = 0; endpoint < topology.endpoints(); ++endpoint) {
    const auto [group, is_new] = place.try_emplace(topology.group(endpoint, tier), sizes.size());
    if (is_new) sizes.push_back(0);
    ++sizes[group->second];
  }
  return sizes;
}

/// "8 of 16, 2 of 64", innermost first
std::string endpoint_groups_text(const Topology& topology) {
  std::string text;
  int last = 0;
  for (int tier = 0; tier + 1 < topology.group_tiers(); ++tier) {
    const std::vector<int> sizes = group_sizes(topology, tier);
    const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
    const std::string size = *least == *most ? fmt::format("{}", *most) : fmt::format("{} to {}", *least, *most);
    text += fmt::format("{}{} of {}", text.empty() ? "" : ", ", sizes.size(), size);
    last = *most;
  }
  return text.empty() ? "none" : text + (last == 1 ? " endpoint" : " endpoints");
}

/// Where links differ in speed, the cut of the fewest links need not be that of the least bandwidth: they stand apart.
std::string bisection_text(const FabricDescription& it) {
  const std::string links = counted(it.facts.bisection, "link", "s");
  return it.bisection_is_halves ? links + " one way" : fmt::format("{}, {} one way", links, to_string(it.bisection));
}

/// What adaptive routing does that may not be expected; empty: nothing.
std::string ways_text(const FabricDescription& it) {
  if (!it.fabric.settings().routing.splits()) return "";
  std::string text;
  if (it.longest.has_unequal_ways) text = "of unequal width between some endpoints: a message fills each by what it can carry";
  if (!it.fabric.topology().checksum().empty() && it.longest.most_ways >= FileGraph::kMostPaths)
    text += fmt::format("{}where there are more than {} ways, so many of them are taken, evenly spaced",
                        text.empty() ? "" : "; ", FileGraph::kMostPaths);
  return text;
}

/// The facts as lines for people and as members for programs.
class Facts {
 public:
  explicit Facts(Document& document) : document_(document) {
    document_.columns = {for_people({"", "", Table::Align::left, 14}), for_people({"", "", Table::Align::left})};
  }

  void show(std::string name, std::string text) { document_.rows.push_back({std::move(name), std::move(text)}); }
  void add(const char* key, Json value) { document_.facts[key] = std::move(value); }
  /// Both; what it means stands behind the number.
  void add_number(const char* key, int number, std::string_view meaning = "") {
    show(key, fmt::format("{}{}{}", number, meaning.empty() ? "" : " ", meaning));
    add(key, number);
  }

 private:
  Document& document_;
};

void add_tiers(Facts& facts, const FabricDescription& it) {
  Json tiers = Json::array();
  for (const TierProperties& tier : it.facts.tiers) {
    facts.show(fmt::format("tier {}", tiers.size()), tier_text(tier, it.bisection_is_halves));
    tiers.push_back({{"name", tier.name},
                     {"switches", tier.switches},
                     {"cables", tier.cables},
                     {"oversubscription", tier.oversubscription}});
  }
  facts.add("tier_count", tiers.size());
  facts.add("link_tiers", std::move(tiers));
}

void add_groups(Facts& facts, const Topology& topology) {
  Json tiers = Json::array();
  for (int tier = 0; tier + 1 < topology.group_tiers(); ++tier) tiers.push_back(group_sizes(topology, tier));
  facts.add("group_sizes", std::move(tiers));
  facts.show("groups", endpoint_groups_text(topology));
}

void add_offers(Facts& facts, const Topology& topology) {
  Json all = Json::array();
  std::string text;
  for (const OfferingSwitches& same : offering_switches(topology)) {
    text += fmt::format("{}{} ({})", text.empty() ? "" : "; ", same.offers, ranges_text(same.switches, topology));
    std::vector<std::string> names;
    for (const VertexId v : same.switches) names.push_back(topology.vertex_name(v));
    all.push_back({{"offers", same.offers}, {"switches", names}});
  }
  facts.add("switches_offer", std::move(all));
  if (topology.switches() > 0) facts.show("switches offer", text.empty() ? "nothing but forwarding" : text);
}

}  // namespace

FabricDescription describe(const Fabric& fabric) {
  const Topology& topology = fabric.topology();
  const TopologyProperties facts = topology.properties();
  const bool halves = facts.bisection > 0 && links_differ_in_bandwidth(fabric);
  // A topology without links carries nothing anywhere; 0 times inf would be no number.
  Bandwidth bisection;
  if (facts.bisection > 0) bisection = halves ? bandwidth_between_halves(fabric) : fabric.bandwidth(0) * facts.bisection;
  return {.fabric = fabric,
          .facts = facts,
          .bisection = bisection,
          .bisection_is_halves = halves,
          .longest = longest_route(fabric),
          .memory = estimate_memory(topology.endpoints(), topology.links(), Bytes(0))};
}

Document fabric_report(const FabricDescription& it) {
  const Topology& topology = it.fabric.topology();
  Document document{.head = topology.spec() + "\n",
                    .margins = {.titles = "", .rows = "  "},
                    .context = {{"topology", topology.spec()}},
                    .rows_name = ""};
  Facts facts(document);
  facts.add_number("endpoints", it.facts.endpoints);
  facts.add_number("switches", it.facts.switches);
  facts.add_number("cables", it.facts.cables, "(each is two directed links)");
  facts.show("degree", counted(it.facts.degree, "cable") + " at an endpoint, at most");
  facts.add("degree", it.facts.degree);
  facts.show("diameter", counted(it.facts.diameter, "link"));
  facts.add("diameter", it.facts.diameter);
  facts.show("bisection", bisection_text(it));
  facts.add("bisection_links", it.facts.bisection);
  facts.add("bisection_Bps", bandwidth_for_json(it.bisection));
  facts.add("bisection_between", it.bisection_is_halves ? "first half and second" : "narrowest even cut");
  if (it.bisection_is_halves)
    facts.show("between halves", to_string(it.bisection) + " one way, from the first half of the endpoints to the second");
  add_tiers(facts, it);
  add_groups(facts, topology);
  add_offers(facts, topology);
  const Grid* grid = topology.grid();
  facts.show("dims", dims_text(grid));
  facts.add("dims", grid != nullptr ? Json(grid->dims()) : Json(nullptr));
  facts.add("wraps", grid != nullptr ? Json(grid->wraps()) : Json(nullptr));
  facts.show("speeds", describe_speeds(it.fabric));
  append_speeds(document.facts, it.fabric);
  const std::string at_least = it.longest.exact ? "" : "at least ";
  facts.show("longest route", at_least + to_string(it.longest.latency) + " from drained to arrived");
  facts.add("longest_latency_s", seconds_for_json(it.longest.latency));
  facts.add("longest_latency_is_exact", it.longest.exact);
  if (it.longest.has_unequal_ways) facts.add("has_unequal_ways", true);
  if (const std::string ways = ways_text(it); !ways.empty()) facts.show("ways", ways);
  facts.add("memory_bytes", it.memory.count());
  if (!topology.checksum().empty()) {
    facts.show("check", topology.checksum() + " of what the file says");
    facts.add("check", topology.checksum());
  }
  facts.show("memory", to_string(it.memory) + " at least, to emulate a rank on each endpoint, its vectors not counted");
  if (const std::optional<std::string> drawing = draw_fabric(topology))
    document.foot = "\n" + *drawing;
  else
    facts.show("drawing", "--svg or --dot");
  return document;
}

Document presets_report() {
  Document document{.rows_name = ""};
  document.facts["presets"] = Json::array();
  for (const FabricPreset& preset : fabric_presets()) {
    document.head += fmt::format("{}\n  {}\n  {}\n", preset.name, preset.summary, describe_speeds(preset.settings));
    Json one = {{"name", preset.name}};
    one.update(Json::parse(preset_file_text(preset.settings, preset.summary)));
    document.facts["presets"].push_back(std::move(one));
  }
  return document;
}

std::string topology_families_text() {
  constexpr std::size_t kMostExample = 40;
  std::size_t width = 0;
  for (const TopologyFamily& family : topology_families())
    if (family.example.size() <= kMostExample) width = std::max(width, family.example.size());
  std::string text = "Families:\n";
  for (const TopologyFamily& family : topology_families()) {
    const std::string_view line_end = family.example.size() > width ? "\n" : "";
    text += fmt::format("  {:<{}}{}", family.example, width, line_end);
    text += fmt::format("{:{}}{}\n", "", line_end.empty() ? 2 : width + 4, family.summary);
  }
  return text;
}

}  // namespace heddle
