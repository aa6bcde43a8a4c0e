// SPDX-License-Identifier: Apache-2.0
#include "topo/families/clos/folded_clos.hpp"

#include <algorithm>
#include <cstdlib>

namespace heddle {

double FoldedClos::numbers_needed(double hosts, double leaves, double leaf_uplinks, double spines, double spine_uplinks,
                                  double pods) {
  return 2 * (hosts + leaves * leaf_uplinks + spines * spine_uplinks + leaves + pods);
}

FoldedClos::FoldedClos(const FoldedClosSize& size)
    : size_(size),
      leaves_per_pod_(size.leaves / size.pods),
      spines_per_pod_(size.spines / size.pods),
      spines_per_plane_(spines_per_pod_ / size.planes),
      leaf_uplinks_(spines_per_pod_ * size.cables),
      spine_uplinks_(size.cores / size.planes * size.core_cables),
      first_leaf_link_(2 * size.hosts),
      first_core_link_(first_leaf_link_ + 2 * size.leaves * leaf_uplinks_) {}

FoldedClos::Ends FoldedClos::ends(LinkId link) const {
  const auto directed = [link](Node below, Node above) { return link % 2 == 0 ? Ends{below, above} : Ends{above, below}; };
  if (link < first_leaf_link_) {
    const int host = link / 2;
    return directed({Level::host, host}, {Level::leaf, leaf_of(host)});
  }
  if (link < first_core_link_) {
    const int cable = (link - first_leaf_link_) / 2;
    const int leaf = cable / leaf_uplinks_;
    const int spine = pod_of_leaf(leaf) * spines_per_pod_ + cable % leaf_uplinks_ / size_.cables;
    return directed({Level::leaf, leaf}, {Level::spine, spine});
  }
  const int cable = (link - first_core_link_) / 2;
  const int spine = cable / spine_uplinks_;
  const int plane = spine % spines_per_pod_ % size_.planes;
  const int core = cable % spine_uplinks_ / size_.core_cables * size_.planes + plane;
  return directed({Level::spine, spine}, {Level::core, core});
}

Trunk FoldedClos::trunk(LinkId trunk) const {
  const int index = trunk - links();
  if (index < leaf_trunks()) return {first_leaf_link_ + index / 2 * 2 * leaf_uplinks_ + index % 2, 2, leaf_uplinks_};
  const int of_pods = index - leaf_trunks();
  const int uplinks = spines_per_pod_ * spine_uplinks_;
  return {first_core_link_ + of_pods / 2 * 2 * uplinks + of_pods % 2, 2, uplinks};
}

LinkId FoldedClos::trunk_of(LinkId link) const {
  if (link < first_leaf_link_ || link >= links()) return link;
  const int up_or_down = link % 2;
  if (link < first_core_link_) return links() + (link - first_leaf_link_) / 2 / leaf_uplinks_ * 2 + up_or_down;
  const int pod = (link - first_core_link_) / 2 / (spines_per_pod_ * spine_uplinks_);
  return links() + leaf_trunks() + 2 * pod + up_or_down;
}

FoldedClos::Way FoldedClos::way(int from, int to, Routing routing, LinkEnds flow) const {
  Way way;
  way.add(2 * from);
  const int from_leaf = leaf_of(from);
  const int to_leaf = leaf_of(to);
  if (from_leaf != to_leaf) {
    if (routing.splits()) {
      climb_split(from_leaf, to_leaf, way);
    } else {
      climb_one(from_leaf, to_leaf, routing, flow, way);
    }
  }
  way.add(2 * to + 1);
  return way;
}

// All shortest ways between two leaves take each link up from the one and each link down to the other equally often, and
// between two pods each link up from the one and each down to the other.
void FoldedClos::climb_split(int from_leaf, int to_leaf, Way& way) const {
  const int from_pod = pod_of_leaf(from_leaf);
  const int to_pod = pod_of_leaf(to_leaf);
  way.add(links() + 2 * from_leaf);
  if (from_pod != to_pod) {
    way.add(links() + leaf_trunks() + 2 * from_pod);
    way.add(links() + leaf_trunks() + 2 * to_pod + 1);
  }
  way.add(links() + 2 * to_leaf + 1);
}

void FoldedClos::climb_one(int from_leaf, int to_leaf, Routing routing, LinkEnds flow, Way& way) const {
  const auto choice = [&](int stage, int ways) { return routing.choice(flow.from, flow.to, stage, ways); };
  const auto leaf_link = [&](int leaf, int uplink) { return first_leaf_link_ + 2 * (leaf * leaf_uplinks_ + uplink); };
  const auto spine_link = [&](int spine, int uplink) { return first_core_link_ + 2 * (spine * spine_uplinks_ + uplink); };
  const int from_pod = pod_of_leaf(from_leaf);
  const int to_pod = pod_of_leaf(to_leaf);

  const int uplink = choice(0, leaf_uplinks_);
  way.add(leaf_link(from_leaf, uplink));
  int spine = uplink / size_.cables;  // in its pod
  if (from_pod != to_pod) {
    const int core_uplink = choice(1, spine_uplinks_);
    way.add(spine_link(from_pod * spines_per_pod_ + spine, core_uplink));
    const int core_in_plane = core_uplink / size_.core_cables;
    const int down = choice(2, spines_per_plane_ * size_.core_cables);
    const int plane = spine % size_.planes;
    spine = down / size_.core_cables * size_.planes + plane;
    const int cable = down % size_.core_cables;
    way.add(spine_link(to_pod * spines_per_pod_ + spine, core_in_plane * size_.core_cables + cable) + 1);
  }
  way.add(leaf_link(to_leaf, spine * size_.cables + choice(3, size_.cables)) + 1);
}

int FoldedClos::diameter() const {
  if (size_.pods > 1) return 6;
  if (size_.leaves > 1) return 4;
  return size_.hosts > 1 ? 2 : 0;
}

// The cut that puts the first `leaves_apart` leaves on side A and all cores on side B; each spine goes where it costs less, and
// hosts change sides, a link each, until A has `hosts_apart`.
int FoldedClos::cut(std::int64_t leaves_apart, std::int64_t hosts_apart) const {
  const auto pod_cut = [&](std::int64_t leaves) {
    return spines_per_pod_ * std::min(size_.cables * leaves, size_.cables * (leaves_per_pod_ - leaves) + spine_uplinks_);
  };
  const std::int64_t pods_apart = leaves_apart / leaves_per_pod_;
  return static_cast<int>(pods_apart * pod_cut(leaves_per_pod_) + pod_cut(leaves_apart % leaves_per_pod_) +
                          std::abs(hosts_apart - leaves_apart * size_.hosts_per_leaf));
}

// What a pod adds to a cut is a concave function of how many of its leaves are on side A, so that in a narrowest cut at most
// one pod is divided; along the leaves of one pod, and from pod to pod, the least lies at an end or where the hosts come out
// even. The cores are all on one side because a cut is linear in how many of them are.
int FoldedClos::bisection() const {
  int narrowest = size_.hosts;
  for (const std::int64_t half : {size_.hosts / 2, size_.hosts - size_.hosts / 2}) {
    const std::int64_t even = half / size_.hosts_per_leaf;
    const std::int64_t even_pods = even / leaves_per_pod_ * leaves_per_pod_;
    for (const std::int64_t leaves : {std::int64_t{0}, even_pods, even, even + 1, even_pods + leaves_per_pod_})
      narrowest = std::min(narrowest, cut(std::min<std::int64_t>(leaves, size_.leaves), half));
  }
  return narrowest;
}

}  // namespace heddle
