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
// it first goes over NVLink to the GPU of its own tray that is on that rail, and on through that GPU's NIC. Where that GPU has no
// rank, nobody there would pass the message on: the way leads over another GPU on that rail, or over one at the destination.
//
// In the pod-local layout all NICs of a pod go to one leaf of its own, below spines that all leaves share: one rail.
//
// Source: Collectives Explainer 03, §1.1 and Appendix A.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "topo/fabric/stored_links.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/families/clos/folded_clos.hpp"
#include "topo/graph/narrowest_cut.hpp"
#include "topo/spec/families.hpp"

namespace heddle {

namespace {

using Level = FoldedClos::Level;

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
  Superpod(const SuperpodSize& size, int rails, const FoldedClosSize& rail)
      : size_(size), rails_(rails), rail_(rail), first_rail_link_(2 * size.pods * size.gpus) {}

  std::string shape() const override {
    std::string text = fmt::format("superpod:pods={},gpus={},trays={}", size_.pods, size_.gpus, size_.trays);
    if (size_.ports != SuperpodSize().ports) text += fmt::format(",ports={}", size_.ports);
    if (size_.oversubscription != 1) text += fmt::format(",oversubscription={}", size_.oversubscription);
    if (size_.layout == PodLayout::pod_local) text += ",layout=pod-local";
    return text;
  }
  int endpoints() const override { return size_.pods * size_.gpus; }
  int switches() const override { return size_.pods + rails_ * (rail_.size().leaves + rail_.size().spines); }
  int links() const override { return first_rail_link_ + rails_ * rail_.links(); }
  LinkEnds ends(LinkId link) const override {
    if (link < first_rail_link_) {
      const VertexId gpu = link / 2;
      const VertexId nvswitch = endpoints() + pod_of(gpu);
      return link % 2 == 0 ? LinkEnds{gpu, nvswitch} : LinkEnds{nvswitch, gpu};
    }
    const int rail = (link - first_rail_link_) / rail_.links();
    const FoldedClos::Ends ends = rail_.ends((link - first_rail_link_) % rail_.links());
    return {vertex(rail, ends.from), vertex(rail, ends.to)};
  }
  int trunks() const override { return rails_ * rail_.trunks(); }
  Trunk trunk(LinkId trunk) const override {
    const int rail = (trunk - links()) / rail_.trunks();
    const Trunk in_rail = rail_.trunk(rail_.links() + (trunk - links()) % rail_.trunks());
    return {link_of(rail, in_rail.first), in_rail.stride, in_rail.count};
  }
  LinkId trunk_of(LinkId link) const override {
    if (link < first_rail_link_ || link >= links()) return link;
    return link_of((link - first_rail_link_) / rail_.links(), rail_.trunk_of((link - first_rail_link_) % rail_.links()));
  }
  /// 0 NVLink, 1 NIC to leaf, 2 leaf to spine.
  int tier(LinkId link) const override {
    return link < first_rail_link_ ? 0 : 1 + rail_.tier((link - first_rail_link_) % rail_.links());
  }
  /// NVLink up and down, then up and down the rail.
  LinkOrder order(LinkId link) const override {
    return {0, link < first_rail_link_ ? link % 2 : 2 + rail_.position((link - first_rail_link_) % rail_.links())};
  }
  /// A way over a GPU at the destination goes over NVLink last.
  int channels(Routing) const override { return has_rank_.empty() ? 1 : 2; }
  bool is_direct() const override { return false; }
  std::shared_ptr<const Topology> with_ranks_on(std::span<const VertexId> gpus) const override {
    if (rails_ == 1 || size_.pods == 1 || static_cast<int>(gpus.size()) == endpoints()) return nullptr;
    auto same = std::make_shared<Superpod>(*this);
    same->has_rank_.assign(static_cast<std::size_t>(endpoints()), false);
    for (const VertexId gpu : gpus) same->has_rank_[static_cast<std::size_t>(gpu)] = true;
    return same;
  }
  void route(VertexId from, VertexId to, Routing routing, Route& route) const override {
    route.clear();
    if (from == to) return;
    const auto over_nvlink = [&route](VertexId source, VertexId destination) {
      route.add_link(2 * source);
      route.add_link(2 * destination + 1);
    };
    if (pod_of(from) == pod_of(to)) {
      over_nvlink(from, to);
    } else {
      const VertexId relay = rail_of(from) == rail_of(to) ? from : relay_between(from, to);
      const bool is_behind = pod_of(relay) == pod_of(to);
      const VertexId enters = is_behind ? from : relay;
      const VertexId leaves = is_behind ? relay : to;
      if (enters != from) over_nvlink(from, enters);
      for (LinkId link : rail_.way(nic_of(enters), nic_of(leaves), routing, {from, to}))
        route.add_link(link_of(rail_of(enters), link));
      if (leaves != to) over_nvlink(leaves, to);
    }
    route.close_path(1);
  }
  /// Pod, the pods that share leaves if they are some but not all, all.
  int group_tiers() const override { return leaf_is_a_group() ? 3 : 2; }
  int group(VertexId endpoint, int tier) const override {
    if (tier == 0) return pod_of(endpoint);
    return tier == 1 && leaf_is_a_group() ? rail_.leaf_of(nic_of(endpoint)) : 0;
  }
  TopologyProperties properties() const override {
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
  std::string vertex_name(VertexId vertex) const override {
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

 private:
  int pod_of(VertexId gpu) const { return gpu / size_.gpus; }
  int rail_of(VertexId gpu) const { return gpu % size_.gpus % rails_; }
  /// Among the NICs of its rail.
  int nic_of(VertexId gpu) const { return gpu / rails_; }
  /// The GPU that passes a message on to another rail of another pod: of its tray, of a tray behind it, of the destination's tray or
  /// one behind that, whichever has a rank first. Nobody has one: as if all had.
  VertexId relay_between(VertexId from, VertexId to) const {
    const VertexId usual = from - rail_of(from) + rail_of(to);
    if (has_rank_.empty() || has_rank_[static_cast<std::size_t>(usual)]) return usual;
    for (const auto& [near, rail] : {std::pair(from, rail_of(to)), std::pair(to, rail_of(from))}) {
      for (int i = 0; i < size_.trays; ++i) {
        const int tray = (near % size_.gpus / rails_ + i) % size_.trays;
        const VertexId gpu = pod_of(near) * size_.gpus + tray * rails_ + rail;
        if (has_rank_[static_cast<std::size_t>(gpu)]) return gpu;
      }
    }
    return usual;
  }
  VertexId gpu_of(int rail, int nic) const { return nic * rails_ + rail; }
  bool leaf_is_a_group() const { return rail_.size().leaves > 1 && rail_.size().hosts_per_leaf > size_.gpus / rails_; }
  VertexId vertex(int rail, FoldedClos::Node node) const {
    if (node.level == Level::host) return gpu_of(rail, node.index);
    const VertexId first_leaf = endpoints() + size_.pods;
    if (node.level == Level::leaf) return first_leaf + rail * rail_.size().leaves + node.index;
    return first_leaf + rails_ * rail_.size().leaves + rail * rail_.size().spines + node.index;
  }
  /// The number here of a link or trunk of a rail.
  LinkId link_of(int rail, LinkId link_of_rail) const {
    if (link_of_rail < rail_.links()) return first_rail_link_ + rail * rail_.links() + link_of_rail;
    return links() + rail * rail_.trunks() + (link_of_rail - rail_.links());
  }
  // The narrowest of the cuts that put `pods_apart` NVSwitches and the networks of `rails_apart` rails on side A. (To divide the
  // leaves of a rail is no narrower: the smaller part could change sides for its NICs, and it has at least as many links up.) A
  // GPU whose NVSwitch and rail are both on one side is there too, one with each on another costs a link wherever it is, and the
  // halves are made even for two links a GPU.
  //
  // Where leaves have fewer links up than NICs, a cut through the spines may be narrower: that between the first half of the GPUs
  // and the second is tried as well.
  int bisection() const {
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

  SuperpodSize size_;
  int rails_;
  FoldedClos rail_;
  LinkId first_rail_link_;
  std::vector<bool> has_rank_;  ///< by GPU; empty: all have
};

// Reads "superpod:pods=2,gpus=72,trays=18[,ports=144][,oversubscription=1][,layout=pod-local]" and works out how many leaves
// and spines that takes:
//
//   leaf:    ports/2 NICs down, those of whole pods; ports/2 links up        (72 NICs = 4 pods of 18 on a rail)
//            s times as many down as up where the oversubscription is s
//   leaves:  as many as the pods need                                       (32 pods: 8 a rail)
//   spines:  none for one leaf; else the fewest that have a port for every link up and divide the links of a leaf evenly
//                                                                            (8 · 72 links over 144 ports: 4 a rail, 18 cables)

constexpr std::int64_t kGpusOfTray = 4;  // of a GB200 NVL72

int rounded_up(std::int64_t dividend, std::int64_t divisor) { return static_cast<int>((dividend + divisor - 1) / divisor); }

PodLayout read_layout(SpecFields& fields) {
  const std::string_view layout = fields.text("layout").value_or("rails");
  if (layout == "rails") return PodLayout::rails;
  if (layout == "pod-local") return PodLayout::pod_local;
  fields.refuse(fmt::format("layout '{}' is neither rails nor pod-local", layout));
}

SuperpodSize read_size(SpecFields& fields) {
  const std::int64_t pods = fields.number("pods").value_or(1);
  const std::optional<std::int64_t> asked_gpus = fields.number("gpus");
  const std::optional<std::int64_t> asked_trays = fields.number("trays");
  const std::int64_t ports = fields.number("ports").value_or(SuperpodSize().ports);
  const std::int64_t oversubscription = fields.number("oversubscription").value_or(1);
  SuperpodSize size;
  size.layout = read_layout(fields);

  // Before anything is multiplied or narrowed.
  for (const auto& [name, value] :
       {std::pair("pods", pods), std::pair("gpus", asked_gpus.value_or(1)), std::pair("trays", asked_trays.value_or(1)),
        std::pair("ports", ports), std::pair("oversubscription", oversubscription)}) {
    if (value > kMaxEndpoints)
      fields.refuse(fmt::format("{}={} is too large, at most {} is possible", name, value, kMaxEndpoints));
  }
  const std::int64_t gpus = asked_gpus.value_or(asked_trays ? *asked_trays * kGpusOfTray : size.gpus);
  if (!asked_trays && gpus % kGpusOfTray != 0)
    fields.refuse(fmt::format("gpus={} over trays of {} is {:.3g} trays; give the number of trays", gpus, kGpusOfTray,
                              static_cast<double>(gpus) / kGpusOfTray));
  const std::int64_t trays = asked_trays.value_or(gpus / kGpusOfTray);
  if (gpus % trays != 0)
    fields.refuse(fmt::format("gpus={} over trays={} is {:.3g} per tray, not a whole number", gpus, trays,
                              static_cast<double>(gpus) / static_cast<double>(trays)));
  if (ports % (oversubscription + 1) != 0)
    fields.refuse(oversubscription == 1 ? fmt::format("ports={} cannot be half down and half up: the number is even", ports)
                                        : fmt::format("ports={} cannot be {} parts down and one up: the number divides by {}",
                                                      ports, oversubscription, oversubscription + 1));
  require_numberable(std::string(fields.whole()), static_cast<double>(pods) * static_cast<double>(gpus), 0);
  size.pods = static_cast<int>(pods);
  size.gpus = static_cast<int>(gpus);
  size.trays = static_cast<int>(trays);
  size.ports = static_cast<int>(ports);
  size.oversubscription = static_cast<int>(oversubscription);
  return size;
}

/// The fewest spines for `leaves` leaves.
int spines_for(int leaves, const SuperpodSize& size, SpecFields& fields) {
  if (leaves == 1) return 0;
  const int uplinks = size.ports_up();
  const int ports = size.ports;
  if (leaves > ports) fields.refuse(fmt::format("{} leaves are more than a spine of ports={} can join", leaves, ports));
  int spines = rounded_up(std::int64_t{leaves} * uplinks, ports);
  while (uplinks % spines != 0) ++spines;
  return spines;
}

/// The network of one rail, in the pod-local layout the one of all NICs.
FoldedClosSize rail_of(const SuperpodSize& size, int rails, SpecFields& fields) {
  const int nics_of_pod = size.gpus / rails;
  const int down_ports = size.ports_down();
  if (nics_of_pod > down_ports)
    fields.refuse(
        fmt::format("{} NICs of a pod do not fit a leaf with ports={}, {} of them down", nics_of_pod, size.ports, down_ports));
  const int pods_of_leaf = size.layout == PodLayout::pod_local ? 1 : down_ports / nics_of_pod;
  FoldedClosSize rail;
  rail.hosts = size.pods * nics_of_pod;
  rail.hosts_per_leaf = pods_of_leaf * nics_of_pod;
  rail.leaves = rounded_up(size.pods, pods_of_leaf);
  rail.spines = spines_for(rail.leaves, size, fields);
  if (rail.spines > 0) rail.cables = size.ports_up() / rail.spines;
  return rail;
}

std::unique_ptr<Topology> build_superpod(SpecFields& fields) {
  const SuperpodSize size = read_size(fields);
  const int rails = size.layout == PodLayout::pod_local ? 1 : size.gpus / size.trays;
  const FoldedClosSize rail = rail_of(size, rails, fields);
  const double gpus = static_cast<double>(size.pods) * size.gpus;
  require_numberable(
      std::string(fields.whole()), gpus,
      2 * gpus + rails * FoldedClos::numbers_needed(rail.hosts, rail.leaves, static_cast<double>(rail.spines) * rail.cables,
                                                    rail.spines, 0, rail.pods));
  return std::make_unique<Superpod>(size, rails, rail);
}

}  // namespace

std::vector<FamilyEntry> superpod_families() {
  return {
      {{"superpod", "superpod:pods=2,gpus=72,trays=18", "pods of GPUs on NVLink, joined by a leaf-spine network for each rail"},
       build_superpod}};
}

}  // namespace heddle
