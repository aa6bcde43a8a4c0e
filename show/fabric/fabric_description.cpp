// SPDX-License-Identifier: Apache-2.0
#include "show/fabric/fabric_description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/version.hpp"
#include "emu/record/memory_estimate.hpp"
#include "lab/documents/fabric_report.hpp"
#include "lab/studies/fabric_studies.hpp"
#include "show/fabric/fabric_drawing.hpp"
#include "show/text/switch_offers_text.hpp"
#include "topo/files/file_graph.hpp"
#include "topo/presets/fabric_presets.hpp"
#include "topo/presets/preset_file.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

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

std::string count_text(int count, std::string_view noun, std::string_view ending) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : ending);
}

/// "leaf to spine: 4 switches, 64 cables, oversubscription 2"
std::string tier_text(const TierProperties& tier, bool speeds_differ) {
  std::string text = tier.name + ": ";
  if (tier.switches > 0) text += count_text(tier.switches, "switch", "es") + ", ";
  text += count_text(tier.cables, "cable", "s");
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
  for (int tier = 0; tier + 1 < topology.group_tiers(); ++tier) {
    const std::vector<int> sizes = group_sizes(topology, tier);
    const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
    const std::string size = *least == *most ? fmt::format("{}", *most) : fmt::format("{} to {}", *least, *most);
    text += fmt::format("{}{} of {}", text.empty() ? "" : ", ", sizes.size(), size);
  }
  return text.empty() ? "none" : text + " endpoints";
}

std::string offers_line(const Topology& topology) {
  std::string text;
  for (const OfferingSwitches& same : offering_switches(topology))
    text += fmt::format("{}{} ({})", text.empty() ? "" : "; ", same.offers, ranges_text(same.switches, topology));
  return text.empty() ? "nothing but forwarding" : text;
}

/// Where links differ in speed, the cut of the fewest links need not be that of the least bandwidth: they stand apart.
std::string bisection_text(const FabricDescription& it) {
  const std::string links = count_text(it.facts.bisection, "link", "s");
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

Json json_of_tiers(const FabricDescription& it) {
  nlohmann::ordered_json tiers = nlohmann::ordered_json::array();
  for (const TierProperties& tier : it.facts.tiers)
    tiers.push_back({{"name", tier.name},
                     {"switches", tier.switches},
                     {"cables", tier.cables},
                     {"oversubscription", tier.oversubscription}});
  return tiers;
}

Json json_of_groups(const Topology& topology) {
  nlohmann::ordered_json tiers = nlohmann::ordered_json::array();
  for (int tier = 0; tier + 1 < topology.group_tiers(); ++tier) tiers.push_back(group_sizes(topology, tier));
  return tiers;
}

Json json_of_offers(const Topology& topology) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const OfferingSwitches& same : offering_switches(topology)) {
    std::vector<std::string> names;
    for (const VertexId v : same.switches) names.push_back(topology.vertex_name(v));
    all.push_back({{"offers", same.offers}, {"switches", names}});
  }
  return all;
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

std::string text_of(const FabricDescription& it) {
  const Topology& topology = it.fabric.topology();
  std::string text = topology.spec() + "\n";
  const auto line = [&](std::string_view name, const auto& value, std::string_view meaning = "") {
    text += fmt::format("  {:<16}{}{}{}\n", name, value, meaning.empty() ? "" : " ", meaning);
  };
  line("endpoints", it.facts.endpoints);
  line("switches", it.facts.switches);
  line("cables", it.facts.cables, "(each is two directed links)");
  line("degree", it.facts.degree, "cables at an endpoint, at most");
  line("diameter", it.facts.diameter, "links");
  line("bisection", bisection_text(it));
  if (it.bisection_is_halves)
    line("between halves", to_string(it.bisection), "one way, from the first half of the endpoints to the second");
  for (std::size_t tier = 0; tier < it.facts.tiers.size(); ++tier)
    line(fmt::format("tier {}", tier), tier_text(it.facts.tiers[tier], it.bisection_is_halves));
  line("groups", endpoint_groups_text(topology));
  if (topology.switches() > 0) line("switches offer", offers_line(topology));
  line("dims", dims_text(topology.grid()));
  line("speeds", describe_speeds(it.fabric));
  line("longest route", (it.longest.exact ? "" : "at least ") + to_string(it.longest.latency), "from drained to arrived");
  if (const std::string ways = ways_text(it); !ways.empty()) line("ways", ways);
  if (!topology.checksum().empty()) line("check", topology.checksum(), "of what the file says");
  line("memory", to_string(it.memory), "at least, to emulate a rank on each endpoint, its vectors not counted");
  const std::optional<std::string> drawing = draw_fabric(topology);
  if (!drawing) line("drawing", "--svg or --dot");
  return drawing ? text + "\n" + *drawing : text;
}

std::string json_of(const FabricDescription& it) {
  const Topology& topology = it.fabric.topology();
  const Grid* grid = topology.grid();
  Json json = {{"context", {{"version", version()}, {"topology", topology.spec()}}},
               {"endpoints", it.facts.endpoints},
               {"switches", it.facts.switches},
               {"cables", it.facts.cables},
               {"degree", it.facts.degree},
               {"diameter", it.facts.diameter},
               {"bisection_links", it.facts.bisection},
               {"bisection_Bps", bandwidth_for_json(it.bisection)},
               {"bisection_between", it.bisection_is_halves ? "first half and second" : "narrowest even cut"},
               {"tier_count", it.facts.tiers.size()},
               {"link_tiers", json_of_tiers(it)},
               {"group_sizes", json_of_groups(topology)},
               {"switches_offer", json_of_offers(topology)},
               {"dims", grid != nullptr ? Json(grid->dims()) : Json(nullptr)},
               {"wraps", grid != nullptr ? Json(grid->wraps()) : Json(nullptr)}};
  append_speeds(json, it.fabric);
  json["longest_latency_s"] = seconds_for_json(it.longest.latency);
  json["longest_latency_is_exact"] = it.longest.exact;
  if (it.longest.has_unequal_ways) json["has_unequal_ways"] = true;
  json["memory_bytes"] = it.memory.count();
  if (!topology.checksum().empty()) json["check"] = topology.checksum();
  return json.dump(2) + '\n';
}

std::string presets_text() {
  std::string text;
  for (const FabricPreset& preset : fabric_presets())
    text += fmt::format("{}\n  {}\n  {}\n", preset.name, preset.summary, describe_speeds(preset.settings));
  return text;
}

std::string presets_json() {
  Json presets = Json::array();
  for (const FabricPreset& preset : fabric_presets()) {
    Json one = {{"name", preset.name}};
    one.update(Json::parse(preset_file_text(preset.settings, preset.summary)));
    presets.push_back(std::move(one));
  }
  return Json{{"context", {{"version", version()}}}, {"presets", std::move(presets)}}.dump(2) + '\n';
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
