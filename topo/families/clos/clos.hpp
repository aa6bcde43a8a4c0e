// SPDX-License-Identifier: Apache-2.0
// Leaf-spine and three-tier Clos, and the k-ary fat-tree, which is one of them with names of its own.
#pragma once

#include <memory>
#include <string>

#include "topo/fabric/topology.hpp"
#include "topo/families/clos/folded_clos.hpp"
#include "topo/spec/spec_fields.hpp"

namespace heddle {

/// Hosts, leaves, spines and cores in that order are its vertices; links and trunks are numbered as the wiring numbers them.
class Clos : public Topology {
 public:
  /// Throws InputError if it is too large to be numbered.
  explicit Clos(const FoldedClosSize& size) : wiring_(size) {}

  std::string shape() const override;
  int endpoints() const override { return wiring_.size().hosts; }
  int switches() const override { return wiring_.size().leaves + wiring_.size().spines + wiring_.size().cores; }
  int links() const override { return wiring_.links(); }
  LinkEnds ends(LinkId link) const override;
  int trunks() const override { return wiring_.trunks(); }
  Trunk trunk(LinkId trunk) const override { return wiring_.trunk(trunk); }
  LinkId trunk_of(LinkId link) const override { return wiring_.trunk_of(link); }
  int tier(LinkId link) const override { return wiring_.tier(link); }
  bool is_direct() const override { return false; }
  void route(VertexId from, VertexId to, Routing routing, Route& route) const override;
  /// Leaf, pod if there are any, all.
  int group_tiers() const override { return wiring_.size().pods > 1 ? 3 : 2; }
  int group(VertexId endpoint, int tier) const override;
  TopologyProperties properties() const override;
  std::string vertex_name(VertexId vertex) const override;

 protected:
  const FoldedClos& wiring() const { return wiring_; }
  FoldedClos::Node node(VertexId vertex) const;

 private:
  VertexId vertex(FoldedClos::Node node) const;

  FoldedClos wiring_;
};

/// "fattree:k=8": k pods of k/2 edge and k/2 aggregation switches, (k/2)² cores, all of k ports (Al-Fares et al. 2008).
class FatTree final : public Clos {
 public:
  /// `k` is even. Throws InputError if it is too large to be numbered.
  explicit FatTree(std::int64_t k);

  std::string shape() const override;
  TopologyProperties properties() const override;
  /// "edge0.1" is edge switch 1 of pod 0, "agg0.1" aggregation switch 1, "core0.1" is C(0,1).
  std::string vertex_name(VertexId vertex) const override;
};

/// The sizes that "clos:hosts=16,leaves=8,spines=4" gives, those it leaves out derived. Throws InputError with the arithmetic
/// that fails.
FoldedClosSize read_clos(SpecFields& fields);

}  // namespace heddle
