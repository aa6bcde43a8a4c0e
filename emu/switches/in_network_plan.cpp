// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "emu/switches/in_network_call.hpp"

namespace heddle::emu {

namespace {

using Flow = InNetworkDomain::Flow;
using Nodes = std::vector<SwitchTree::Node>;

std::size_t parent_of(const Nodes& nodes, std::size_t node) { return static_cast<std::size_t>(nodes[node].parent); }

/// Elements that cross each edge of the tree.
class Flows {
 public:
  Flows(const SwitchTree& tree, Collective collective, const InNetworkSizes& sizes)
      : tree_(tree), nodes_(tree.nodes), sizes_(sizes), flows_(nodes_.size()) {
    fill(collective);
  }

  std::vector<Flow> take() { return std::move(flows_); }

 private:
  void fill(Collective collective) {
    const auto count = static_cast<double>(sizes_.count);
    switch (collective) {
      case Collective::allreduce:
        return set([&](std::size_t) { return Flow{count, count}; });
      case Collective::reduce: {
        const std::vector<bool> above = above_root();
        return set([&](std::size_t n) { return Flow{count, above[n] ? count : 0}; });
      }
      case Collective::broadcast: {
        const std::vector<bool> above = above_root();
        return set([&](std::size_t n) { return above[n] ? Flow{count, 0} : Flow{0, count}; });
      }
      case Collective::reduce_scatter: {
        const std::vector<double> own = own_below();
        return set([&](std::size_t n) { return Flow{count, own[n]}; });
      }
      case Collective::allgather: {
        const std::vector<double> own = own_below();
        return set([&](std::size_t n) { return Flow{own[n], count - own[n]}; });
      }
      default:
        return exchange();
    }
  }

  template <class Of>
  void set(Of of) {
    for (std::size_t n = 1; n < nodes_.size(); ++n) flows_[n] = of(n);
  }

  /// Whether the root rank is below a node.
  std::vector<bool> above_root() const {
    std::vector<bool> above(nodes_.size(), false);
    for (int n = tree_.leaves[static_cast<std::size_t>(sizes_.root.value())]; n != SwitchTree::kNone;
         n = nodes_[static_cast<std::size_t>(n)].parent)
      above[static_cast<std::size_t>(n)] = true;
    return above;
  }

  /// The blocks of the ranks below a node.
  std::vector<double> own_below() const {
    std::vector<double> own(nodes_.size(), 0);
    for (std::size_t r = 0; r < sizes_.own.size(); ++r)
      own[static_cast<std::size_t>(tree_.leaves[r])] = static_cast<double>(sizes_.own[r]);
    for (std::size_t n = nodes_.size(); n-- > 1;) own[parent_of(nodes_, n)] += own[n];
    return own;
  }

  /// Each block goes up to the first node above both of its ends, and down from there.
  void exchange() {
    const auto ranks = static_cast<int>(tree_.leaves.size());
    for (int from = 0; from < ranks; ++from) {
      for (int to = 0; to < ranks; ++to) {
        if (from == to) continue;
        auto up = static_cast<std::size_t>(tree_.leaves[static_cast<std::size_t>(from)]);
        auto down = static_cast<std::size_t>(tree_.leaves[static_cast<std::size_t>(to)]);
        const auto elements = static_cast<double>(sizes_.between(from, to));
        while (up != down) {  // parents have smaller numbers than their children
          if (up > down)
            flows_[up].up += elements, up = parent_of(nodes_, up);
          else
            flows_[down].down += elements, down = parent_of(nodes_, down);
        }
      }
    }
  }

  const SwitchTree& tree_;
  const Nodes& nodes_;
  const InNetworkSizes& sizes_;
  std::vector<Flow> flows_;
};

/// From the first byte's leaving its rank to its being at each node: up to the root from the rank that is farthest from it, and
/// down again. A broadcast's comes from the root rank alone and is replicated on the way.
class Latencies {
 public:
  Latencies(const InNetworkDomain& domain, const SwitchTree& tree)
      : fabric_(domain.fabric()), tree_(tree), nodes_(tree.nodes) {}

  /// Through the ALU or to the descriptors of the root and back down: the root is crossed twice.
  std::vector<Time> twice() const {
    std::vector<Time> at = from_top(farthest_up());
    for (std::size_t n = 1; n < nodes_.size(); ++n) {
      if (nodes_[n].participant == SwitchTree::kNone) continue;
      std::size_t top = n;
      while (nodes_[top].parent != 0) top = parent_of(nodes_, top);
      at[n] += fabric_.crossing(nodes_[top].down);
    }
    return at;
  }
  std::vector<Time> once() const { return from_top(farthest_up()); }

  std::vector<Time> from(Rank root) const {
    std::vector<Time> at(nodes_.size());
    std::vector<bool> is_on_way(nodes_.size(), false);
    auto n = static_cast<std::size_t>(tree_.leaves[static_cast<std::size_t>(root.value())]);
    for (is_on_way[n] = true; n != 0; n = parent_of(nodes_, n)) {
      at[parent_of(nodes_, n)] = at[n] + fabric_.latency(nodes_[n].up);
      is_on_way[parent_of(nodes_, n)] = true;
    }
    for (n = 1; n < nodes_.size(); ++n) {
      if (!is_on_way[n]) at[n] = at[parent_of(nodes_, n)] + fabric_.latency(nodes_[n].down);
    }
    return at;
  }

 private:
  Time farthest_up() const {
    std::vector<Time> to_top(nodes_.size());
    Time farthest;
    for (std::size_t n = 1; n < nodes_.size(); ++n) {
      to_top[n] = to_top[parent_of(nodes_, n)] + fabric_.latency(nodes_[n].up);
      if (nodes_[n].participant != SwitchTree::kNone) farthest = std::max(farthest, to_top[n]);
    }
    return farthest;
  }

  std::vector<Time> from_top(Time at_top) const {
    std::vector<Time> at(nodes_.size());
    at[0] = at_top;
    for (std::size_t n = 1; n < nodes_.size(); ++n) at[n] = at[parent_of(nodes_, n)] + fabric_.latency(nodes_[n].down);
    return at;
  }

  const Fabric& fabric_;
  const SwitchTree& tree_;
  const Nodes& nodes_;
};

std::vector<Time> latencies(const InNetworkDomain& domain, Collective collective, Rank root) {
  const Latencies of(domain, domain.tree(collective));
  if (collective == Collective::broadcast) return of.from(root);
  return collective == Collective::reduce ? of.once() : of.twice();
}

}  // namespace

InNetworkPlan plan_in_network(const InNetworkDomain& domain, Collective collective, const InNetworkSizes& sizes,
                              std::size_t element_bytes) {
  const SwitchTree& tree = domain.tree(collective);
  const auto bytes = static_cast<double>(element_bytes);
  std::vector<Flow> flows = Flows(tree, collective, sizes).take();
  for (Flow& flow : flows) flow = {flow.up * bytes, flow.down * bytes};
  const std::vector<Time> at = latencies(domain, collective, sizes.root);
  InNetworkPlan plan;
  plan.bytes = static_cast<double>(sizes.count) * bytes;
  plan.loads = domain.loads(collective, flows);
  for (const int leaf : tree.leaves) {
    const auto n = static_cast<std::size_t>(leaf);
    plan.ranks.push_back(flows[n]);
    plan.latency.push_back(flows[n].down > 0 ? at[n] : Time());
  }
  return plan;
}

}  // namespace heddle::emu
