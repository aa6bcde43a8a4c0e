// SPDX-License-Identifier: Apache-2.0
// The k-ary fat-tree of Al-Fares, Loukissas and Vahdat (SIGCOMM 2008), as Collectives Explainer 03, Appendix B.2 draws it: a
// three-tier Clos whose switches all have k ports, half of them up. Its leaves are called edge switches, its spines aggregation
// switches.
//
//   core0.0   core0.1   core1.0   core1.1       (k/2)² cores; C(i,j) is number i·k/2 + j, in plane j
//      one cable to agg*.0 (cores *.0) or agg*.1 (cores *.1) of each pod
//   agg0.0 agg0.1   agg1.0 agg1.1   agg2.0 agg2.1   agg3.0 agg3.1
//        X               X               X               X
//   edge0.0 edge0.1 edge1.0 edge1.1  …                           k = 4: 20 switches, 16 endpoints
//    0   1   2   3   4   5   6   7   …
#include <fmt/format.h>

#include "topo/fabric/size_limit.hpp"
#include "topo/families/clos/clos.hpp"
#include "topo/spec/families.hpp"

namespace heddle {
namespace {

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

}  // namespace

FatTree::FatTree(std::int64_t k) : Clos(size_of(k)) {}

std::string FatTree::shape() const { return fat_tree_spec(wiring().size().pods); }

TopologyProperties FatTree::properties() const {
  TopologyProperties facts = Clos::properties();
  facts.tiers[0].name = "host to edge";
  facts.tiers[1].name = "edge to aggregation";
  facts.tiers[2].name = "aggregation to core";
  return facts;
}

std::string FatTree::vertex_name(VertexId vertex) const {
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

namespace {

std::unique_ptr<Topology> build_fat_tree(SpecFields& fields) {
  const std::optional<std::int64_t> k = fields.number("k");
  if (!k) fields.refuse("the number of ports of a switch is missing: k");
  if (*k % 2 != 0) fields.refuse(fmt::format("k={} ports cannot be half down and half up: k is even", *k));
  return std::make_unique<FatTree>(*k);
}

}  // namespace

std::vector<FamilyRow> fat_tree_families() {
  return {{{"fattree", "fattree:k=8", "three tiers of switches of k ports, half of them up"}, build_fat_tree}};
}

}  // namespace heddle
