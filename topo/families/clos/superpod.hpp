// SPDX-License-Identifier: Apache-2.0
// Pods of GPUs with two fabrics: NVLink inside a pod, InfiniBand rails between them.
//
// A pod is `trays` trays of gpus / trays GPUs each. Every GPU has two cables: NVLink to its pod's one NVSwitch, and its NIC's
// to a leaf switch (ToR) outside. GPUs with the same place in their trays, a slot, are a rail: their NICs, of all pods, share a
// leaf-spine network of their own, which no cable joins to that of another rail.
//
//   rail 0:  spine0 … ┐     rail 1:  spine0 … ┐
//            leaf0 leaf1 …           leaf0 leaf1 …        a leaf has ports/2 ports down, for the NICs of as many pods as fit,
//             |  |  |  \               |  |  |  \         and ports/2 up, evenly over the rail's spines; no spines while one
//   pod 0:    0  2  4  6               1  3  5  7         leaf is enough (gpus=8, trays=4: GPU g is in tray g/2, slot g%2)
//             +--+--+--+---- nvswitch0 +--+--+--+
//
// A message inside a pod takes NVLink. One to another pod takes the rail of its destination: if the source is on another rail,
// it first goes over NVLink to the GPU of its own tray that is on that rail, and on through that GPU's NIC.
//
// In the pod-local layout all NICs of a pod go to one leaf of its own, below spines that all leaves share: one rail.
//
// Source: Collectives Explainer 03, §1.1 and Appendix A.
#pragma once

#include <memory>
#include <string>

#include "topo/fabric/topology.hpp"
#include "topo/families/clos/folded_clos.hpp"

namespace heddle {

enum class PodLayout : std::uint8_t { rails, pod_local };

struct SuperpodSize {
  int pods = 1;
  int gpus = 72;  ///< of a pod, a multiple of the trays
  int trays = 18;
  int ports = 144;  ///< of a leaf, and at most of a spine
  PodLayout layout = PodLayout::rails;
  int oversubscription = 1;  ///< ports of a leaf down over those up; divides the ports without a rest

  int ports_up() const { return ports / (oversubscription + 1); }
  int ports_down() const { return ports - ports_up(); }
};

/// Vertices: GPUs, pod by pod and tray by tray; NVSwitches; leaves, rail by rail; spines, rail by rail. Links: NVLink cable of
/// GPU g is links 2g (up) and 2g+1 (down), then the links of each rail as its wiring numbers them.
class Superpod final : public Topology {
 public:
  /// `rail` is the wiring of one of the `rails` networks. read_superpod has made sure that they fit.
  Superpod(const SuperpodSize& size, int rails, const FoldedClosSize& rail);

  std::string shape() const override;
  int endpoints() const override { return size_.pods * size_.gpus; }
  int switches() const override { return size_.pods + rails_ * (rail_.size().leaves + rail_.size().spines); }
  int links() const override { return first_rail_link_ + rails_ * rail_.links(); }
  LinkEnds ends(LinkId link) const override;
  int trunks() const override { return rails_ * rail_.trunks(); }
  Trunk trunk(LinkId trunk) const override;
  LinkId trunk_of(LinkId link) const override;
  /// 0 NVLink, 1 NIC to leaf, 2 leaf to spine.
  int tier(LinkId link) const override;
  bool is_direct() const override { return false; }
  void route(VertexId from, VertexId to, Routing routing, Route& route) const override;
  /// Pod, the pods that share leaves if they are some but not all, all.
  int group_tiers() const override { return leaf_is_a_group() ? 3 : 2; }
  int group(VertexId endpoint, int tier) const override;
  TopologyProperties properties() const override;
  std::string vertex_name(VertexId vertex) const override;

 private:
  int pod_of(VertexId gpu) const { return gpu / size_.gpus; }
  int rail_of(VertexId gpu) const { return gpu % size_.gpus % rails_; }
  /// Among the NICs of its rail.
  int nic_of(VertexId gpu) const { return gpu / rails_; }
  VertexId gpu_of(int rail, int nic) const { return nic * rails_ + rail; }
  bool leaf_is_a_group() const;
  VertexId vertex(int rail, FoldedClos::Node node) const;
  /// The number here of a link or trunk of a rail.
  LinkId link_of(int rail, LinkId link_of_rail) const;
  int bisection() const;

  SuperpodSize size_;
  int rails_;
  FoldedClos rail_;
  LinkId first_rail_link_;
};

}  // namespace heddle
