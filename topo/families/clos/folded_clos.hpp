// SPDX-License-Identifier: Apache-2.0
// The wiring of a folded Clos: hosts below leaves below spines below cores. Numbers only: which vertex of a topology a host or
// a switch is, the family says that is built on it (a Clos, a fat-tree, one rail of a superpod).
//
//   cores     c0     c1           every spine has `core_cables` cables to each core of its plane
//              (all to all)
//   spines  s0 s1   s2 s3         every leaf has `cables` cables to each spine of its pod
//           | X |   | X |
//   leaves  l0 l1   l2 l3
//           /\ /\   /\ /\         `hosts_per_leaf` hosts on each leaf; the last leaf may have fewer
//   hosts  0 1 2 3 4 5 6 7
//          \_____/ \_____/
//           pod 0   pod 1
//
// A plane is a set of spines, the same in each pod, with the cores that they reach: spine j of a pod is in plane j mod planes,
// core c in plane c mod planes. With one plane every spine reaches every core; with a plane for each spine of a pod it is the
// wiring of Al-Fares, Loukissas and Vahdat (SIGCOMM 2008), where core C(i,j) has a cable to aggregation switch j of each pod.
//
// Source: Collectives Explainer 03, §1 and Appendix B.2.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "topo/fabric/topology.hpp"

namespace heddle {

/// Counts of the whole fabric. `leaves` and `spines` are multiples of `pods`; `cores` and the spines of a pod are multiples of
/// `planes`. Two tiers: one pod, no cores. No spines: only the hosts of one leaf reach each other.
struct FoldedClosSize {
  int hosts = 1;
  int hosts_per_leaf = 1;
  int leaves = 1;
  int spines = 0;
  int cables = 1;  ///< between a leaf and each spine of its pod
  int pods = 1;
  int cores = 0;
  int core_cables = 1;  ///< between a spine and each core of its plane
  int planes = 1;

  friend bool operator==(const FoldedClosSize&, const FoldedClosSize&) = default;
};

class FoldedClos {
 public:
  enum class Level : std::uint8_t { host, leaf, spine, core };
  struct Node {
    Level level;
    int index;  ///< among those of its level
  };
  struct Ends {
    Node from;
    Node to;
  };
  /// The links and trunks of one path, without allocation.
  struct Way {
    std::array<LinkId, 6> links;
    int count = 0;

    void add(LinkId link) { links[static_cast<std::size_t>(count++)] = link; }
    const LinkId* begin() const { return links.data(); }
    const LinkId* end() const { return links.data() + count; }
  };

  /// What links() and trunks() would be together, floating point because it may be beyond every integer.
  static double numbers_needed(double hosts, double leaves, double leaf_uplinks, double spines, double spine_uplinks,
                               double pods);

  explicit FoldedClos(const FoldedClosSize& size);

  const FoldedClosSize& size() const { return size_; }
  int leaf_of(int host) const { return host / size_.hosts_per_leaf; }
  int pod_of_leaf(int leaf) const { return leaf / leaves_per_pod_; }
  int leaf_uplinks() const { return leaf_uplinks_; }
  int spine_uplinks() const { return spine_uplinks_; }
  int leaf_cables() const { return size_.leaves * leaf_uplinks_; }
  int core_cables() const { return size_.spines * spine_uplinks_; }

  /// Cables are numbered tier by tier, from below by their lower ends; cable i of a tier is its links 2i (up) and 2i+1 (down)
  /// behind those of the tiers below.
  int links() const { return first_core_link_ + 2 * core_cables(); }
  Ends ends(LinkId link) const;
  /// 0 host to leaf, 1 leaf to spine, 2 spine to core.
  int tier(LinkId link) const { return link < first_leaf_link_ ? 0 : link < first_core_link_ ? 1 : 2; }

  /// From 0 for the way up from a host to 5 for the way down to one.
  int position(LinkId link) const { return link % 2 == 0 ? tier(link) : 5 - tier(link); }

  /// All links up from a leaf, then all down to it, leaf by leaf; then the same of the pods. Numbered on from links().
  int trunks() const { return leaf_trunks() + (size_.cores > 0 ? 2 * size_.pods : 0); }
  Trunk trunk(LinkId trunk) const;
  LinkId trunk_of(LinkId link) const;

  /// From one host to a different one. `flow` are the endpoints of the message, which choose the way if it is not split.
  Way way(int from, int to, Routing routing, LinkEnds flow) const;

  /// The longest of the ways.
  int diameter() const;
  /// Links, one way, over the narrowest cut into halves of the hosts; every leaf is full.
  int bisection() const;

 private:
  int leaf_trunks() const { return size_.spines > 0 ? 2 * size_.leaves : 0; }
  int cut(std::int64_t leaves_apart, std::int64_t hosts_apart) const;
  void climb_split(int from_leaf, int to_leaf, Way& way) const;
  void climb_one(int from_leaf, int to_leaf, Routing routing, LinkEnds flow, Way& way) const;

  FoldedClosSize size_;
  int leaves_per_pod_;
  int spines_per_pod_;
  int spines_per_plane_;  ///< of one pod
  int leaf_uplinks_;
  int spine_uplinks_;
  LinkId first_leaf_link_;
  LinkId first_core_link_;
};

}  // namespace heddle
