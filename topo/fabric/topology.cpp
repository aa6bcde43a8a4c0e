// SPDX-License-Identifier: Apache-2.0
#include "topo/fabric/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/nearest_name.hpp"
#include "core/read_number.hpp"
#include "heddle/errors.hpp"
#include "topo/fabric/fabric.hpp"

namespace heddle {

std::vector<TierProperties> tiers_by_dimension(std::span<const int> cables) {
  std::vector<TierProperties> tiers;
  for (const int of_dimension : cables)
    tiers.push_back({.name = fmt::format("dimension {}", tiers.size()), .cables = of_dimension});
  return tiers;
}

std::string Topology::vertex_name(VertexId vertex) const {
  return vertex < endpoints() ? fmt::format("{}", vertex) : fmt::format("s{}", vertex - endpoints());
}

std::string Topology::link_name(LinkId link) const {
  const LinkEnds link_ends = ends(link);
  return vertex_name(link_ends.from) + "->" + vertex_name(link_ends.to);
}

std::vector<LinkSpeed> Topology::tier_speeds() const { return {}; }

LinkOrder Topology::order(LinkId link) const {
  if (is_direct()) return {0, 1};
  const LinkEnds link_ends = ends(link);
  return {0, link_ends.from < endpoints() ? 0 : link_ends.to < endpoints() ? 2 : 1};
}

int Topology::channels(Routing) const { return std::max(1, properties().diameter - (is_direct() ? 0 : 2)); }

void Topology::route_in_runs(VertexId from, VertexId to, Routing routing, RunRoute& route) const {
  route.assign([&](Route& single) { this->route(from, to, routing, single); });
}

const SwitchOffers& Topology::offers(VertexId a_switch) const {
  static const SwitchOffers kNone;
  return offers_.empty() ? kNone : offers_[static_cast<std::size_t>(a_switch - endpoints())];
}

void Topology::set_offers(std::vector<SwitchOffers> by_switch, std::string text) {
  offers_ = std::move(by_switch);
  offers_text_ = std::move(text);
}

namespace {

bool is_all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

VertexId numbered_endpoint(std::string_view text, const Topology& topology) {
  const auto number = read_number<VertexId>(text);
  if (!number || *number >= topology.endpoints())
    throw InputError(fmt::format("'{}': not a whole number from 0 to {}", text, topology.endpoints() - 1));
  return *number;
}

}  // namespace

VertexId find_vertex(std::string_view name, const Topology& topology, std::string_view help) {
  if (is_all_digits(name)) return numbered_endpoint(name, topology);
  std::vector<std::string> names;
  for (VertexId vertex = 0; vertex < topology.endpoints() + topology.switches(); ++vertex) {
    std::string known = topology.vertex_name(vertex);
    if (known == name) return vertex;
    if (!is_all_digits(known)) names.push_back(std::move(known));
  }
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const std::string_view nearest = nearest_name(name, candidates);
  throw InputError(fmt::format("'{}': nothing on {} is called so; {}", name, topology.spec(),
                               nearest.empty() ? std::string(help) : fmt::format("did you mean '{}'?", nearest)));
}

std::vector<LinkId> links_between(VertexId from, VertexId to, const Topology& topology) {
  std::vector<LinkId> links;
  for (LinkId link = 0; link < topology.links(); ++link) {
    const LinkEnds ends = topology.ends(link);
    if (ends.from == from && ends.to == to) links.push_back(link);
  }
  if (links.empty())
    throw InputError(fmt::format("no link of {} leads from {} to {}", topology.spec(), topology.vertex_name(from),
                                 topology.vertex_name(to)));
  return links;
}

std::vector<std::string_view> split_outside_parentheses(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '(') ++depth;
    if (i < text.size() && text[i] == ')') --depth;
    if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
    parts.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  return parts;
}

}  // namespace heddle
