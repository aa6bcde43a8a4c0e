// SPDX-License-Identifier: Apache-2.0
#include "topo/families/clos/clos.hpp"

#include <fmt/format.h>

namespace heddle {

using Level = FoldedClos::Level;

std::string Clos::shape() const {
  const FoldedClosSize& size = wiring_.size();
  std::string text =
      fmt::format("clos:hosts={},leaves={},spines={}", size.hosts_per_leaf, size.leaves / size.pods, size.spines / size.pods);
  if (size.cables > 1) text += fmt::format(",cables={}", size.cables);
  if (size.cores > 0) text += fmt::format(",pods={},cores={}", size.pods, size.cores);
  if (size.core_cables > 1) text += fmt::format(",core_cables={}", size.core_cables);
  if (size.planes > 1) text += fmt::format(",planes={}", size.planes);
  return text;
}

VertexId Clos::vertex(FoldedClos::Node node) const {
  const FoldedClosSize& size = wiring_.size();
  VertexId first = 0;
  if (node.level > Level::host) first += size.hosts;
  if (node.level > Level::leaf) first += size.leaves;
  if (node.level > Level::spine) first += size.spines;
  return first + node.index;
}

FoldedClos::Node Clos::node(VertexId vertex) const {
  const FoldedClosSize& size = wiring_.size();
  if (vertex < size.hosts) return {Level::host, vertex};
  vertex -= size.hosts;
  if (vertex < size.leaves) return {Level::leaf, vertex};
  vertex -= size.leaves;
  if (vertex < size.spines) return {Level::spine, vertex};
  return {Level::core, vertex - size.spines};
}

LinkEnds Clos::ends(LinkId link) const {
  const FoldedClos::Ends ends = wiring_.ends(link);
  return {vertex(ends.from), vertex(ends.to)};
}

void Clos::route(VertexId from, VertexId to, Routing routing, Route& route) const {
  route.clear();
  if (from == to) return;
  for (LinkId link : wiring_.way(from, to, routing, {from, to})) route.add_link(link);
  route.close_path(1);
}

int Clos::group(VertexId endpoint, int tier) const {
  const int leaf = wiring_.leaf_of(endpoint);
  if (tier == 0) return leaf;
  return tier == 1 && group_tiers() == 3 ? wiring_.pod_of_leaf(leaf) : 0;
}

TopologyProperties Clos::properties() const {
  const FoldedClosSize& size = wiring_.size();
  TopologyProperties facts;
  facts.endpoints = size.hosts;
  facts.switches = switches();
  facts.cables = links() / 2;
  facts.degree = 1;
  facts.diameter = wiring_.diameter();
  facts.bisection = wiring_.bisection();
  facts.tiers = {
      {"host to leaf", size.leaves, size.hosts, 1},
      {"leaf to spine", size.spines, wiring_.leaf_cables(), static_cast<double>(size.hosts_per_leaf) / wiring_.leaf_uplinks()}};
  if (size.cores > 0)
    facts.tiers.push_back({"spine to core", size.cores, wiring_.core_cables(),
                           static_cast<double>(wiring_.leaf_cables()) / wiring_.core_cables()});
  return facts;
}

std::string Clos::vertex_name(VertexId vertex) const {
  const FoldedClos::Node node = this->node(vertex);
  switch (node.level) {
    case Level::host:
      break;
    case Level::leaf:
      return fmt::format("leaf{}", node.index);
    case Level::spine:
      return fmt::format("spine{}", node.index);
    case Level::core:
      return fmt::format("core{}", node.index);
  }
  return fmt::format("{}", node.index);
}

}  // namespace heddle
