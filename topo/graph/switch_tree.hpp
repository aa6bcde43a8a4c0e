// SPDX-License-Identifier: Apache-2.0
// Aggregation trees: switches that join endpoints (Collectives Explainer 04, §2.2).
//
// Endpoints are the leaves, switches that offer what an operation needs are the inner nodes: one switch on a star, leaves and
// one spine over two tiers, and so on up. What the endpoints send is reduced on its way to the root, node by node, and what
// comes down is replicated, or taken apart.
//
//            spine0                 the root: nearest to the endpoint that is farthest from it
//           /      \                                                                                        .
//       leaf0      leaf1            children in the order of their ports
//       / | \      / | \                                                                                    .
//      0  1  2    3  4  5           participants
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "topo/fabric/topology.hpp"

namespace heddle {

/// A topology as its switches see it: the cables at each vertex. Made once, in time and memory in proportion to the links.
/// Immutable; safe from any thread.
class SwitchGraph {
 public:
  /// `topology` outlives the graph.
  explicit SwitchGraph(const Topology& topology);

  /// One end of a cable: links that lead one way only are none.
  struct Port {
    VertexId peer;
    LinkId out;  ///< to the peer
    LinkId in;   ///< from the peer
  };
  /// In the order of their links.
  std::span<const Port> ports(VertexId vertex) const {
    const auto v = static_cast<std::size_t>(vertex);
    return {ports_.data() + first_[v], first_[v + 1] - first_[v]};
  }

  const Topology& topology() const { return topology_; }
  int vertices() const { return static_cast<int>(first_.size()) - 1; }
  bool is_switch(VertexId vertex) const { return vertex >= topology_.endpoints(); }

 private:
  const Topology& topology_;
  std::vector<std::size_t> first_;  ///< by vertex
  std::vector<Port> ports_;
};

struct SwitchTree {
  static constexpr int kNone = -1;

  struct Node {
    VertexId vertex = 0;
    int parent = kNone;       ///< node; none at the root
    LinkId up = kNone;        ///< to the parent,
    LinkId down = kNone;      ///< and from it
    int participant = kNone;  ///< of a leaf: which of the endpoints
  };

  std::vector<Node> nodes;  ///< the root first, parents before children, children in the order of their parent's ports
  std::vector<int> leaves;  ///< by participant: its node

  /// Links from an endpoint to the root, the longest way.
  int depth() const;
};

/// The tree of least depth over `endpoints` (one or more, each once) whose inner nodes are switches that `offers` holds for;
/// every way up is a shortest one, through switches alone. Of roots that are equally good, the one nearest to the first
/// endpoint, then the first by number. No value if no such switches join them. About as many steps as there are links near the
/// endpoints for each root that is tried: those no farther from the first endpoint than the depth.
std::optional<SwitchTree> switch_tree(const SwitchGraph& graph, std::span<const VertexId> endpoints,
                                      const std::function<bool(VertexId)>& offers);

/// The first of `endpoints` that switches for which `offers` holds do not join with endpoints[0]; itself, if it is at no such
/// switch; no value if they join all.
std::optional<std::size_t> first_outside(const SwitchGraph& graph, std::span<const VertexId> endpoints,
                                         const std::function<bool(VertexId)>& offers);

}  // namespace heddle
