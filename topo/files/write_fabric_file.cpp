// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "heddle/units.hpp"
#include "topo/files/file_graph.hpp"

namespace heddle {

namespace {

using Json = nlohmann::ordered_json;

/// A text that gives the same rate again.
std::string exact_text(Bandwidth bandwidth) {
  const std::string text = to_string(bandwidth);
  if (bandwidth.is_unlimited() || parse_bandwidth(text).bytes_per_second() == bandwidth.bytes_per_second()) return text;
  return fmt::format("{}B/s", bandwidth.bytes_per_second());
}

std::string exact_text(Time time) {
  return parse_time(to_string(time)) == time ? to_string(time) : fmt::format("{}ps", time.ps());
}

/// All but the last tier of groups, which is of all endpoints.
Json endpoints_of(const Topology& topology) {
  Json endpoints = Json::array();
  const int tiers = topology.group_tiers() - 1;
  for (VertexId endpoint = 0; endpoint < topology.endpoints(); ++endpoint) {
    const std::string name = topology.vertex_name(endpoint);
    if (tiers < 1) {
      endpoints.push_back(name);
      continue;
    }
    Json groups = Json::array();
    for (int tier = 0; tier < tiers; ++tier) groups.push_back(fmt::format("{}.{}", tier, topology.group(endpoint, tier)));
    endpoints.push_back({{"name", name}, {"groups", groups}});
  }
  return endpoints;
}

Json switches_of(const Topology& topology) {
  Json switches = Json::array();
  const SwitchOffers none;
  for (VertexId vertex = topology.endpoints(); vertex < topology.endpoints() + topology.switches(); ++vertex) {
    const std::string name = topology.vertex_name(vertex);
    const SwitchOffers& offers = topology.offers(vertex);
    Json one = {{"name", name}};
    if (offers.alu) one["alu"] = true;
    if (offers.multicast) one["multicast"] = true;
    if (offers.scatter_gather) one["a2a"] = true;
    if (offers.radix != none.radix) one["radix"] = offers.radix;
    if (offers.alignment != none.alignment) one["align"] = offers.alignment;
    if (offers.precision) one["precision"] = to_string(*offers.precision);
    switches.push_back(one.size() == 1 ? Json(name) : one);
  }
  return switches;
}

Json tiers_of(const Fabric& fabric, int tiers) {
  const std::vector<TierProperties> facts = fabric.topology().properties().tiers;
  const std::vector<LinkSpeed>& speeds = fabric.settings().tiers;
  Json all = Json::array();
  std::set<std::string> names;
  for (std::size_t tier = 0; tier < static_cast<std::size_t>(tiers); ++tier) {
    const LinkSpeed& speed = speeds[std::min(tier, speeds.size() - 1)];
    std::string name = tier < facts.size() ? facts[tier].name : fmt::format("tier {}", tier);
    if (!names.insert(name).second) names.insert(name += fmt::format(", {}", tier));
    all.push_back({{"name", name},
                   {"bandwidth", exact_text(speed.bandwidth)},
                   {"latency", exact_text(speed.latency)},
                   {"eta_alpha", speed.eta_alpha},
                   {"eta_beta", speed.eta_beta}});
  }
  return all;
}

/// Cables side by side are one entry, in the order of their first links; both ways of a cable are one where there are as many.
Json links_of(const Topology& topology) {
  using Ends = std::array<int, 3>;  // from, to, tier
  std::map<Ends, int> counts;
  std::vector<Ends> order;
  for (LinkId link = 0; link < topology.links(); ++link) {
    const LinkEnds ends = topology.ends(link);
    const Ends key = {ends.from, ends.to, topology.tier(link)};
    if (++counts[key] == 1) order.push_back(key);
  }
  Json links = Json::array();
  for (const Ends& key : order) {
    const auto there = counts.find(key);
    if (there == counts.end()) continue;
    const int cables = there->second;
    counts.erase(there);
    Json link = {{"from", topology.vertex_name(key[0])}, {"to", topology.vertex_name(key[1])}, {"tier", key[2]}};
    if (cables != 1) link["cables"] = cables;
    const auto back = counts.find({key[1], key[0], key[2]});
    if (back != counts.end() && back->second == cables)
      counts.erase(back);
    else
      link["one_way"] = true;
    links.push_back(link);
  }
  return links;
}

/// Whether endpoints have to pass on messages: in a direct network, and where switches alone do not join all of them, as in a superpod,
/// whose rails meet in GPUs.
bool endpoints_pass_on(const Topology& topology) {
  if (topology.is_direct()) return true;
  const auto vertices = static_cast<std::size_t>(topology.endpoints() + topology.switches());
  std::vector<std::vector<VertexId>> next(vertices);
  for (LinkId link = 0; link < topology.links(); ++link)
    next[static_cast<std::size_t>(topology.ends(link).from)].push_back(topology.ends(link).to);
  std::vector<bool> is_reached(vertices, false);
  std::vector<VertexId> open = {0};
  is_reached[0] = true;
  while (!open.empty()) {
    const VertexId at = open.back();
    open.pop_back();
    for (const VertexId to : next[static_cast<std::size_t>(at)]) {
      if (is_reached[static_cast<std::size_t>(to)]) continue;
      is_reached[static_cast<std::size_t>(to)] = true;
      if (to >= topology.endpoints()) open.push_back(to);
    }
  }
  return std::find(is_reached.begin(), is_reached.begin() + topology.endpoints(), false) !=
         is_reached.begin() + topology.endpoints();
}

/// An array with a line for each value.
std::string lines_of(const Json& values) {
  std::string text = "[";
  for (const Json& value : values)
    text += fmt::format("{}\n    {}", text.size() == 1 ? "" : ",", value.dump(-1, ' ', false, Json::error_handler_t::replace));
  return text + "]";
}

}  // namespace

std::string fabric_file_text(const Fabric& fabric) {
  const Topology& topology = fabric.topology();
  int tiers = 1;
  for (LinkId link = 0; link < topology.links(); ++link) tiers = std::max(tiers, topology.tier(link) + 1);
  std::string text = fmt::format("{{\n  \"endpoints\": {},\n", lines_of(endpoints_of(topology)));
  if (topology.switches() > 0) text += fmt::format("  \"switches\": {},\n", lines_of(switches_of(topology)));
  text += fmt::format("  \"tiers\": {},\n", lines_of(tiers_of(fabric, tiers)));
  const bool pass_on = endpoints_pass_on(topology);
  if (pass_on != (topology.switches() == 0)) text += fmt::format("  \"direct\": {},\n", pass_on);
  return text + fmt::format("  \"links\": {}\n}}\n", lines_of(links_of(topology)));
}

}  // namespace heddle
