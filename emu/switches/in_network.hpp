// SPDX-License-Identifier: Apache-2.0
// What the switches of a fabric compute for a group of ranks: whether they do, over which tree, and what it loads on the links.
// The model is in docs/model.md, "In-network operations".
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/once.hpp"
#include "emu/settings/faults.hpp"
#include "heddle/collective.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/graph/switch_tree.hpp"
#include "topo/placement/placement.hpp"

namespace heddle {

/// The graph of a topology's switches, made when it is first asked for. Safe from any thread.
class LazySwitchGraph {
 public:
  explicit LazySwitchGraph(const Topology& topology) : topology_(topology) {}
  const SwitchGraph& get();

 private:
  const Topology& topology_;
  Once once_;
  std::unique_ptr<SwitchGraph> graph_;
};

/// The switches under a group of ranks. Trees are built when they are first asked for, once for all ranks. Safe from any
/// thread.
class InNetworkDomain {
 public:
  /// `endpoints` by rank. `fabric` and the topology of `graph` are the same and outlive the domain.
  /// `faults`: switches that have lost their ALU.
  InNetworkDomain(const Fabric& fabric, Placement endpoints, std::shared_ptr<LazySwitchGraph> graph,
                  std::vector<SwitchFault> faults = {});

  /// Empty if the switches serve it; else why not, in half a sentence. `count` elements of the whole vector, each of which
  /// costs `scale` times its bytes on the wire; `op` is of a collective that reduces.
  std::string why_not(Collective collective, Datatype type, std::int64_t count, const ReduceOp* op, double scale = 1) const;

  /// Of a collective that they serve.
  const SwitchTree& tree(Collective collective) const;

  /// What the ALUs take in place of `type` in this collective; no value: the type itself.
  std::optional<Datatype> precision(Collective collective, Datatype type) const;

  /// A link or trunk that an operation loads.
  struct Load {
    LinkId link;
    double bytes;
    bool counts;  ///< it carries them; else it is the trunk of a link that does
  };
  /// What goes up from a tree's node and down to it.
  struct Flow {
    double up = 0;
    double down = 0;
  };
  /// By node of the tree (the root's is not looked at) to loads, each link once, in their order.
  std::vector<Load> loads(Collective collective, const std::vector<Flow>& by_node) const;

  const Fabric& fabric() const { return fabric_; }

 private:
  /// What a collective asks of each switch of its tree.
  struct Use {
    Once once;
    std::optional<SwitchTree> tree;
    std::string refusal;
  };
  static constexpr int kUses = 4;

  Use& use(Collective collective) const;
  void build(Use& use, int number) const;
  std::string refusal_of_radix(const SwitchTree& tree, int number) const;
  int ports(VertexId a_switch, LinkId link, int number) const;
  bool is_striped(LinkId link, int number) const;
  bool serves(VertexId a_switch, int number) const;
  std::string lost_offers(int number) const;

  const Fabric& fabric_;
  Placement endpoints_;
  std::shared_ptr<LazySwitchGraph> graph_;
  std::vector<SwitchFault> faults_;
  mutable std::array<Use, kUses> uses_;
};

/// What the registry asks of a fabric on behalf of its rows (Shape::in_network): why its switches do not serve a call of
/// `count` elements of `type` by some of the ranks 0 … endpoints.size()-1, all of them if none is named. Empty: they do.
class InNetworkQuestion {
 public:
  /// `endpoints` by rank.
  InNetworkQuestion(const Fabric& fabric, Placement endpoints, Datatype type, std::vector<SwitchFault> faults = {});

  std::string operator()(Collective collective, std::int64_t count, const ReduceOp& op, std::span<const int> ranks) const;

 private:
  struct Known;
  std::shared_ptr<Known> known_;
  Datatype type_;
};

/// What the fabric's ALUs take in place of a type in a collective that reduces; no value: the type itself.
std::optional<Datatype> alu_precision(const Topology& topology, Datatype type);

/// Whether any switch of the fabric computes anything.
bool has_computing_switches(const Topology& topology);

}  // namespace heddle
