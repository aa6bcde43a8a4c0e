// SPDX-License-Identifier: Apache-2.0
// Leaf-spine and three-tier Clos, and the k-ary fat-tree, which is one of them with names of its own.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/read_number.hpp"
#include "topo/fabric/stored_links.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/families/clos/folded_clos.hpp"
#include "topo/spec/families.hpp"
#include "topo/spec/spec_fields.hpp"

namespace heddle {
namespace {

using Level = FoldedClos::Level;

std::string fat_tree_spec(std::int64_t k) { return fmt::format("fattree:k={}", k); }

FoldedClosSize size_of(std::int64_t k) {
  const double half = static_cast<double>(k) / 2;
  const double switches_of_a_tier = 2 * half * half;
  require_numberable(
      fat_tree_spec(k), switches_of_a_tier * half,
      FoldedClos::numbers_needed(switches_of_a_tier * half, switches_of_a_tier, half, switches_of_a_tier, half, 2 * half));
  const int ports_up = static_cast<int>(k / 2);
  FoldedClosSize size;
  size.pods = static_cast<int>(k);
  size.hosts_per_leaf = ports_up;
  size.leaves = size.pods * ports_up;
  size.hosts = size.leaves * size.hosts_per_leaf;
  size.spines = size.leaves;
  size.cores = ports_up * ports_up;
  size.planes = ports_up;
  return size;
}

/// Hosts, leaves, spines and cores in that order are its vertices; links and trunks are numbered as the wiring numbers them.
class Clos : public Topology {
 public:
  /// Throws InputError if it is too large to be numbered.
  explicit Clos(const FoldedClosSize& size) : wiring_(size) {}

  std::string shape() const override {
    const FoldedClosSize& size = wiring_.size();
    std::string text =
        fmt::format("clos:hosts={},leaves={},spines={}", size.hosts_per_leaf, size.leaves / size.pods, size.spines / size.pods);
    if (size.cables > 1) text += fmt::format(",cables={}", size.cables);
    if (size.cores > 0) text += fmt::format(",pods={},cores={}", size.pods, size.cores);
    if (size.core_cables > 1) text += fmt::format(",core_cables={}", size.core_cables);
    if (size.planes > 1) text += fmt::format(",planes={}", size.planes);
    return text;
  }
  int endpoints() const override { return wiring_.size().hosts; }
  int switches() const override { return wiring_.size().leaves + wiring_.size().spines + wiring_.size().cores; }
  int links() const override { return wiring_.links(); }
  LinkEnds ends(LinkId link) const override {
    const FoldedClos::Ends ends = wiring_.ends(link);
    return {vertex(ends.from), vertex(ends.to)};
  }
  int trunks() const override { return wiring_.trunks(); }
  Trunk trunk(LinkId trunk) const override { return wiring_.trunk(trunk); }
  LinkId trunk_of(LinkId link) const override { return wiring_.trunk_of(link); }
  int tier(LinkId link) const override { return wiring_.tier(link); }
  LinkOrder order(LinkId link) const override { return {0, wiring_.position(link)}; }
  int channels(Routing) const override { return 1; }
  bool is_direct() const override { return false; }
  void route(VertexId from, VertexId to, Routing routing, Route& route) const override {
    route.clear();
    if (from == to) return;
    for (LinkId link : wiring_.way(from, to, routing, {from, to})) route.add_link(link);
    route.close_path(1);
  }
  /// Leaf, pod if there are any, all.
  int group_tiers() const override { return wiring_.size().pods > 1 ? 3 : 2; }
  int group(VertexId endpoint, int tier) const override {
    const int leaf = wiring_.leaf_of(endpoint);
    if (tier == 0) return leaf;
    return tier == 1 && group_tiers() == 3 ? wiring_.pod_of_leaf(leaf) : 0;
  }
  TopologyProperties properties() const override {
    const FoldedClosSize& size = wiring_.size();
    TopologyProperties facts;
    facts.endpoints = size.hosts;
    facts.switches = switches();
    facts.cables = links() / 2;
    facts.degree = 1;
    facts.diameter = wiring_.diameter();
    facts.bisection = wiring_.bisection();
    facts.tiers = {{"host to leaf", size.leaves, size.hosts, 1},
                   {"leaf to spine", size.spines, wiring_.leaf_cables(),
                    static_cast<double>(size.hosts_per_leaf) / wiring_.leaf_uplinks()}};
    if (size.cores > 0)
      facts.tiers.push_back({"spine to core", size.cores, wiring_.core_cables(),
                             static_cast<double>(wiring_.leaf_cables()) / wiring_.core_cables()});
    return facts;
  }
  std::string vertex_name(VertexId vertex) const override {
    const FoldedClos::Node node = this->node(vertex);
    switch (node.level) {
      case Level::host:
        break;
      case Level::leaf:
        return fmt::format("leaf{}", node.index);
      case Level::spine:
        return fmt::format("spine{}", node.index);
      case Level::core:
        return fmt::format("core{}", node.index);
    }
    return fmt::format("{}", node.index);
  }

 protected:
  const FoldedClos& wiring() const { return wiring_; }
  FoldedClos::Node node(VertexId vertex) const {
    const FoldedClosSize& size = wiring_.size();
    if (vertex < size.hosts) return {Level::host, vertex};
    vertex -= size.hosts;
    if (vertex < size.leaves) return {Level::leaf, vertex};
    vertex -= size.leaves;
    if (vertex < size.spines) return {Level::spine, vertex};
    return {Level::core, vertex - size.spines};
  }

 private:
  VertexId vertex(FoldedClos::Node node) const {
    const FoldedClosSize& size = wiring_.size();
    VertexId first = 0;
    if (node.level > Level::host) first += size.hosts;
    if (node.level > Level::leaf) first += size.leaves;
    if (node.level > Level::spine) first += size.spines;
    return first + node.index;
  }

  FoldedClos wiring_;
};

/// The k-ary fat-tree of Al-Fares, Loukissas and Vahdat (SIGCOMM 2008), as Collectives Explainer 03, Appendix B.2 draws it: a
/// three-tier Clos whose switches all have k ports, half of them up. Its leaves are called edge switches, its spines aggregation
/// switches.
///
///   core0.0   core0.1   core1.0   core1.1       (k/2)² cores; C(i,j) is number i·k/2 + j, in plane j
///      one cable to agg*.0 (cores *.0) or agg*.1 (cores *.1) of each pod
///   agg0.0 agg0.1   agg1.0 agg1.1   agg2.0 agg2.1   agg3.0 agg3.1
///        X               X               X               X
///   edge0.0 edge0.1 edge1.0 edge1.1  …                           k = 4: 20 switches, 16 endpoints
///    0   1   2   3   4   5   6   7   …
class FatTree final : public Clos {
 public:
  /// `k` is even. Throws InputError if it is too large to be numbered.
  explicit FatTree(std::int64_t k) : Clos(size_of(k)) {}

  std::string shape() const override { return fat_tree_spec(wiring().size().pods); }
  TopologyProperties properties() const override {
    TopologyProperties facts = Clos::properties();
    facts.tiers[0].name = "host to edge";
    facts.tiers[1].name = "edge to aggregation";
    facts.tiers[2].name = "aggregation to core";
    return facts;
  }
  /// "edge0.1" is edge switch 1 of pod 0, "agg0.1" aggregation switch 1, "core0.1" is C(0,1).
  std::string vertex_name(VertexId vertex) const override {
    const FoldedClos::Node node = this->node(vertex);
    const int half = wiring().size().planes;
    const auto pair = [&](std::string_view name) { return fmt::format("{}{}.{}", name, node.index / half, node.index % half); };
    switch (node.level) {
      case FoldedClos::Level::host:
        break;
      case FoldedClos::Level::leaf:
        return pair("edge");
      case FoldedClos::Level::spine:
        return pair("agg");
      case FoldedClos::Level::core:
        return pair("core");
    }
    return fmt::format("{}", node.index);
  }
};

// Reads "clos:hosts=16,leaves=8,spines=4,…": hosts on each leaf, leaves and spines in each pod (of which there is one, unless
// pods says more), cores in all. Two equations hold between the fields:
//
//   at a leaf:   hosts           = oversubscription      · spines           · cables
//   at a spine:  leaves · cables = core_oversubscription · (cores / planes) · core_cables
//
// (Collectives Explainer 03, §1: s = p_down / p_up at equal speeds.) What is left out is derived: a field that an equation
// lacks from that equation, with cables, core_cables, planes and, where they are needed, the oversubscriptions 1.

/// Counts as floating point: exact as far as a fabric can go, and beyond every integer without overflow.
using Count = std::optional<double>;

/// "5.33", "0.25", "16".
std::string number_text(double value) {
  return std::abs(value - std::round(value)) < 1e-9 ? fmt::format("{:.10g}", std::round(value)) : fmt::format("{:.3g}", value);
}

class ClosReader {
 public:
  explicit ClosReader(SpecFields& fields)
      : fields_(fields),
        hosts_(count("hosts")),
        leaves_(count("leaves")),
        spines_(count("spines")),
        cables_(count("cables")),
        oversubscription_(ratio("oversubscription")),
        pods_(count("pods")),
        cores_(count("cores")),
        core_cables_(count("core_cables")),
        core_oversubscription_(ratio("core_oversubscription")),
        planes_(count("planes")) {}

  FoldedClosSize read() {
    if (!pods_ && (cores_ || core_cables_ || core_oversubscription_ || planes_))
      fields_.refuse("cores join pods: pods is missing, as in pods=4");
    solve_leaf();
    if (pods_) solve_spine();
    return checked_size();
  }

 private:
  Count count(std::string_view name) {
    const std::optional<std::int64_t> value = fields_.number(name);
    return value ? Count(static_cast<double>(*value)) : Count();
  }

  Count ratio(std::string_view name) {
    const std::optional<std::string_view> text = fields_.text(name);
    if (!text) return {};
    const auto value = read_number<double>(*text);
    if (!value || !std::isfinite(*value) || *value <= 0)
      fields_.refuse(fmt::format("{} '{}' is not a number above 0", name, *text));
    return *value;
  }

  /// Refuses what does not come out whole, as `arithmetic` says it: "hosts=16 over leaves=3 is 5.33 per leaf".
  double whole(double value, std::string_view arithmetic, std::string_view unit) const {
    const double nearest = std::round(value);
    if (nearest < 1 || std::abs(value - nearest) > 1e-9 * nearest)
      fields_.refuse(fmt::format("{} is {} {}, not a whole number", arithmetic, number_text(value), unit));
    return nearest;
  }
  double over(std::string_view what, double value, std::string_view by, double divisor, std::string_view unit) const {
    return whole(value / divisor, fmt::format("{}={} over {}={}", what, number_text(value), by, number_text(divisor)), unit);
  }

  void solve_leaf() {
    if (!leaves_) fields_.refuse("leaves is missing, how many a pod has, as in leaves=8");
    if (!hosts_ && !spines_) fields_.refuse("hosts on each leaf, or spines, or both are needed, as in hosts=16");
    const double s = oversubscription_.value_or(1);
    if (!spines_) {
      cables_ = cables_.value_or(1);
      spines_ = whole(*hosts_ / s / *cables_,
                      fmt::format("{} hosts per leaf at oversubscription {} over {} cables to each spine", number_text(*hosts_),
                                  number_text(s), number_text(*cables_)),
                      "spines");
    } else if (!hosts_) {
      cables_ = cables_.value_or(1);
      const double uplinks = *spines_ * *cables_;
      hosts_ =
          whole(s * uplinks, fmt::format("oversubscription {} at {} uplinks of a leaf", number_text(s), number_text(uplinks)),
                "hosts per leaf");
    } else if (!cables_) {
      cables_ = !oversubscription_ ? 1
                                   : whole(*hosts_ / s / *spines_,
                                           fmt::format("{} hosts per leaf at oversubscription {} over {} spines",
                                                       number_text(*hosts_), number_text(s), number_text(*spines_)),
                                           "cables each");
    }
    require_ratio("oversubscription", oversubscription_, *hosts_, "hosts per leaf", *spines_, "spines", *cables_);
  }

  void solve_spine() {
    const double planes = planes_.value_or(1);
    if (planes_) over("spines", *spines_, "planes", planes, "per plane");
    const double below = *leaves_ * *cables_;
    const double s = core_oversubscription_.value_or(1);
    if (!cores_) {
      core_cables_ = core_cables_.value_or(1);
      cores_ = planes * whole(below / s / *core_cables_,
                              fmt::format("{} cables down at core_oversubscription {} over {} cables to each core",
                                          number_text(below), number_text(s), number_text(*core_cables_)),
                              "cores of a plane");
    }
    const double cores_of_plane = planes_ ? over("cores", *cores_, "planes", planes, "per plane") : *cores_;
    if (!core_cables_)
      core_cables_ = !core_oversubscription_
                         ? 1
                         : whole(below / s / cores_of_plane,
                                 fmt::format("{} cables down at core_oversubscription {} over {} cores", number_text(below),
                                             number_text(s), number_text(cores_of_plane)),
                                 "cables each");
    require_ratio("core_oversubscription", core_oversubscription_, below, "cables down", cores_of_plane, "cores",
                  *core_cables_);
  }

  void require_ratio(std::string_view name, Count asked, double down, std::string_view downs, double above,
                     std::string_view aboves, double cables) const {
    if (!asked) return;
    const double ratio = down / (above * cables);
    if (std::abs(ratio - *asked) > 1e-9 * *asked)
      fields_.refuse(fmt::format("{} {} over {} {} x {} cable{} is {} {}, not {}", number_text(down), downs, number_text(above),
                                 aboves, number_text(cables), cables == 1 ? "" : "s", name, number_text(ratio),
                                 number_text(*asked)));
  }

  FoldedClosSize checked_size() const {
    const double pods = pods_.value_or(1);
    const double planes = planes_.value_or(1);
    const double leaves = *leaves_ * pods;
    const double spines = *spines_ * pods;
    const double hosts = *hosts_ * leaves;
    const double spine_uplinks = pods_ ? *cores_ / planes * *core_cables_ : 0;
    require_numberable(std::string(fields_.whole()), hosts,
                       FoldedClos::numbers_needed(hosts, leaves, *spines_ * *cables_, spines, spine_uplinks, pods));
    FoldedClosSize size;
    size.hosts = static_cast<int>(hosts);
    size.hosts_per_leaf = static_cast<int>(*hosts_);
    size.leaves = static_cast<int>(leaves);
    size.spines = static_cast<int>(spines);
    size.cables = static_cast<int>(*cables_);
    size.pods = static_cast<int>(pods);
    size.cores = static_cast<int>(cores_.value_or(0));
    size.core_cables = static_cast<int>(core_cables_.value_or(1));
    size.planes = static_cast<int>(planes);
    return size;
  }

  SpecFields& fields_;
  Count hosts_;
  Count leaves_;
  Count spines_;
  Count cables_;
  Count oversubscription_;
  Count pods_;
  Count cores_;
  Count core_cables_;
  Count core_oversubscription_;
  Count planes_;
};

std::unique_ptr<Topology> build_clos(SpecFields& fields) { return std::make_unique<Clos>(ClosReader(fields).read()); }

std::unique_ptr<Topology> build_fat_tree(SpecFields& fields) {
  const std::optional<std::int64_t> k = fields.number("k");
  if (!k) fields.refuse("the number of ports of a switch is missing: k");
  if (*k % 2 != 0) fields.refuse(fmt::format("k={} ports cannot be half down and half up: k is even", *k));
  return std::make_unique<FatTree>(*k);
}

}  // namespace

std::vector<FamilyEntry> clos_families() {
  return {{{"clos", "clos:hosts=16,leaves=8,spines=4", "hosts below leaves below spines, and pods of them below cores"},
           build_clos}};
}

std::vector<FamilyEntry> fat_tree_families() {
  return {{{"fattree", "fattree:k=8", "three tiers of switches of k ports, half of them up"}, build_fat_tree}};
}

}  // namespace heddle
