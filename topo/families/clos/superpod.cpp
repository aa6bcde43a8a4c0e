// SPDX-License-Identifier: Apache-2.0
#include "topo/families/clos/superpod.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "topo/graph/narrowest_cut.hpp"

namespace heddle {

using Level = FoldedClos::Level;

Superpod::Superpod(const SuperpodSize& size, int rails, const FoldedClosSize& rail)
    : size_(size), rails_(rails), rail_(rail), first_rail_link_(2 * size.pods * size.gpus) {}

std::string Superpod::shape() const {
  std::string text = fmt::format("superpod:pods={},gpus={},trays={}", size_.pods, size_.gpus, size_.trays);
  if (size_.ports != SuperpodSize().ports) text += fmt::format(",ports={}", size_.ports);
  if (size_.oversubscription != 1) text += fmt::format(",oversubscription={}", size_.oversubscription);
  if (size_.layout == PodLayout::pod_local) text += ",layout=pod-local";
  return text;
}

VertexId Superpod::vertex(int rail, FoldedClos::Node node) const {
  if (node.level == Level::host) return gpu_of(rail, node.index);
  const VertexId first_leaf = endpoints() + size_.pods;
  if (node.level == Level::leaf) return first_leaf + rail * rail_.size().leaves + node.index;
  return first_leaf + rails_ * rail_.size().leaves + rail * rail_.size().spines + node.index;
}

LinkEnds Superpod::ends(LinkId link) const {
  if (link < first_rail_link_) {
    const VertexId gpu = link / 2;
    const VertexId nvswitch = endpoints() + pod_of(gpu);
    return link % 2 == 0 ? LinkEnds{gpu, nvswitch} : LinkEnds{nvswitch, gpu};
  }
  const int rail = (link - first_rail_link_) / rail_.links();
  const FoldedClos::Ends ends = rail_.ends((link - first_rail_link_) % rail_.links());
  return {vertex(rail, ends.from), vertex(rail, ends.to)};
}

LinkId Superpod::link_of(int rail, LinkId link_of_rail) const {
  if (link_of_rail < rail_.links()) return first_rail_link_ + rail * rail_.links() + link_of_rail;
  return links() + rail * rail_.trunks() + (link_of_rail - rail_.links());
}

Trunk Superpod::trunk(LinkId trunk) const {
  const int rail = (trunk - links()) / rail_.trunks();
  const Trunk in_rail = rail_.trunk(rail_.links() + (trunk - links()) % rail_.trunks());
  return {link_of(rail, in_rail.first), in_rail.stride, in_rail.count};
}

LinkId Superpod::trunk_of(LinkId link) const {
  if (link < first_rail_link_ || link >= links()) return link;
  return link_of((link - first_rail_link_) / rail_.links(), rail_.trunk_of((link - first_rail_link_) % rail_.links()));
}

int Superpod::tier(LinkId link) const {
  return link < first_rail_link_ ? 0 : 1 + rail_.tier((link - first_rail_link_) % rail_.links());
}

void Superpod::route(VertexId from, VertexId to, Routing routing, Route& route) const {
  route.clear();
  if (from == to) return;
  const auto over_nvlink = [&route](VertexId source, VertexId destination) {
    route.add_link(2 * source);
    route.add_link(2 * destination + 1);
  };
  if (pod_of(from) == pod_of(to)) {
    over_nvlink(from, to);
  } else {
    const int rail = rail_of(to);
    const VertexId bridge = from - rail_of(from) + rail;
    if (bridge != from) over_nvlink(from, bridge);
    for (LinkId link : rail_.way(nic_of(bridge), nic_of(to), routing, {from, to})) route.add_link(link_of(rail, link));
  }
  route.close_path(1);
}

bool Superpod::leaf_is_a_group() const { return rail_.size().leaves > 1 && rail_.size().hosts_per_leaf > size_.gpus / rails_; }

int Superpod::group(VertexId endpoint, int tier) const {
  if (tier == 0) return pod_of(endpoint);
  return tier == 1 && leaf_is_a_group() ? rail_.leaf_of(nic_of(endpoint)) : 0;
}

// The narrowest of the cuts that put `pods_apart` NVSwitches and the networks of `rails_apart` rails on side A. (To divide the
// leaves of a rail is no narrower: the smaller part could change sides for its NICs, and it has at least as many links up.) A
// GPU whose NVSwitch and rail are both on one side is there too, one with each on another costs a link wherever it is, and the
// halves are made even for two links a GPU.
//
// Where leaves have fewer links up than NICs, a cut through the spines may be narrower: that between the first half of the GPUs
// and the second is tried as well.
int Superpod::bisection() const {
  const std::int64_t nics = size_.gpus / rails_;  // of a pod on one rail
  std::int64_t narrowest = 2 * std::int64_t{endpoints()};
  for (const std::int64_t half : {endpoints() / 2, endpoints() - endpoints() / 2}) {
    for (std::int64_t pods_apart = 0; pods_apart <= size_.pods; ++pods_apart) {
      for (std::int64_t rails_apart = 0; rails_apart <= rails_; ++rails_apart) {
        const std::int64_t both_here = nics * pods_apart * rails_apart;
        const std::int64_t both_there = nics * (size_.pods - pods_apart) * (rails_ - rails_apart);
        const std::int64_t either = endpoints() - both_here - both_there;
        const std::int64_t moved = std::max<std::int64_t>({0, both_here - half, both_there - (endpoints() - half)});
        narrowest = std::min(narrowest, either + 2 * moved);
      }
    }
  }
  if (size_.oversubscription > 1 && endpoints() > 1) narrowest = std::min<std::int64_t>(narrowest, straight_cut(*this));
  return static_cast<int>(narrowest);
}

TopologyProperties Superpod::properties() const {
  const FoldedClosSize& rail = rail_.size();
  TopologyProperties facts;
  facts.endpoints = endpoints();
  facts.switches = switches();
  facts.cables = links() / 2;
  facts.degree = 2;
  if (endpoints() > 1) facts.diameter = 2;
  if (size_.pods > 1) facts.diameter = (rails_ > 1 ? 2 : 0) + (rail.leaves > 1 ? 4 : 2);
  facts.bisection = bisection();
  facts.tiers = {{"NVLink", size_.pods, endpoints(), 1}, {"NIC to leaf", rails_ * rail.leaves, endpoints(), 1}};
  if (rail.spines > 0)
    facts.tiers.push_back({"leaf to spine", rails_ * rail.spines, rails_ * rail_.leaf_cables(),
                           static_cast<double>(rail.hosts_per_leaf) / rail_.leaf_uplinks()});
  return facts;
}

std::string Superpod::vertex_name(VertexId vertex) const {
  int index = vertex - endpoints();
  if (index < 0) return fmt::format("{}", vertex);
  if (index < size_.pods) return fmt::format("nvswitch{}", index);
  index -= size_.pods;
  const auto name = [this](std::string_view kind, int number, int per_rail) {
    return size_.layout == PodLayout::pod_local ? fmt::format("{}{}", kind, number)
                                                : fmt::format("rail{}.{}{}", number / per_rail, kind, number % per_rail);
  };
  const int leaves = rails_ * rail_.size().leaves;
  if (index < leaves) return name("leaf", index, rail_.size().leaves);
  return name("spine", index - leaves, rail_.size().spines);
}

}  // namespace heddle
