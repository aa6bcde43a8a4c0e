// SPDX-License-Identifier: Apache-2.0
// A topology as its switches see it: the cables at each vertex. Made once, in time and memory in proportion to the links.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "topo/fabric/topology.hpp"

namespace heddle {

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

}  // namespace heddle
