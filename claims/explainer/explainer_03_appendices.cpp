// SPDX-License-Identifier: Apache-2.0
// Note 03, Appendices A and B: the SuperPOD's counts, k-ary fat-trees.
#include <fmt/format.h>

#include "claims/explainer/explainer_rows.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::claims::explainer_notes {

namespace {

Claim superpod() {
  const std::string spec = "superpod:pods=32";
  return {
      .name = "explainer/03-superpod-counts",
      .section = "[explainer-03] §1.1, App. A",
      .statement =
          "32 pods of 72 GPUs on four rails: 2,304 GPUs, 32 leaves, 16 spines, 18 cables from each leaf to each spine of its "
          "rail; four pods share a leaf.",
      .check = all_of({
          counts({{"GPUs", 2304, spec, &TopologyProperties::endpoints}}),
          [=](Lab&) {
            const TopologyProperties built = parse_topology(spec)->properties();
            const int pairs = built.tiers.at(1).switches * built.tiers.at(2).switches / 4;
            const std::string command = "heddle topo " + spec;
            const TopologyProperties four = parse_topology("superpod:pods=4")->properties();
            return std::vector{
                compare_exactly("leaves", 32, built.tiers.at(1).switches, command),
                compare_exactly("spines", 16, built.tiers.at(2).switches, command),
                compare_exactly("InfiniBand switches", 48, built.tiers.at(1).switches + built.tiers.at(2).switches, command),
                compare_exactly("NICs of a rail", 576, built.tiers.at(1).cables / 4, command),
                compare_exactly("cables from a leaf to a spine", 18, built.tiers.at(2).cables / pairs, command),
                compare_exactly("ports down of a leaf", 72, built.tiers.at(1).cables / built.tiers.at(1).switches, command),
                compare_exactly("ports of a spine", 144, built.tiers.at(2).cables / built.tiers.at(2).switches, command),
                compare_exactly("leaves of four pods: one a rail", 4, four.tiers.at(1).switches, "heddle topo superpod:pods=4"),
            };
          },
      })};
}

std::vector<Finding> fat_tree_counts(int k, std::int64_t pods, std::int64_t edges, std::int64_t cores, std::int64_t in_pod,
                                     std::int64_t endpoints, std::int64_t switches) {
  const std::string spec = fmt::format("fattree:k={}", k);
  const auto topology = parse_topology(spec);
  const TopologyProperties built = topology->properties();
  const std::string command = "heddle topo " + spec;
  const std::int64_t built_pods = topology->group(built.endpoints - 1, 1) + 1;
  const auto row = [&](const char* what, std::int64_t printed, std::int64_t counted) {
    return compare_exactly(fmt::format("k = {}: {}", k, what), printed, counted, command);
  };
  return {row("pods", pods, built_pods),
          row("edge switches per pod", edges, built.tiers.at(0).switches / built_pods),
          row("aggregation switches per pod", edges, built.tiers.at(1).switches / built_pods),
          row("core switches", cores, built.tiers.at(2).switches),
          row("endpoints per edge switch", edges, built.endpoints / built.tiers.at(0).switches),
          row("endpoints per pod", in_pod, built.endpoints / built_pods),
          row("endpoints", endpoints, built.endpoints),
          row("switches", switches, built.switches)};
}

Claim fat_trees() {
  return {.name = "explainer/03-fat-trees",
          .section = "[explainer-03] App. B.2",
          .statement = "A k-ary fat-tree has k³/4 endpoints and 5k²/4 switches.",
          .check = all_of({
              [](Lab&) { return fat_tree_counts(4, 4, 2, 4, 4, 16, 20); },
              [](Lab&) { return fat_tree_counts(48, 48, 24, 576, 576, 27648, 2880); },
              [](Lab&) { return fat_tree_counts(64, 64, 32, 1024, 1024, 65536, 5120); },
          })};
}

}  // namespace

std::vector<Claim> hierarchies_appendices() { return {superpod(), fat_trees()}; }

}  // namespace heddle::claims::explainer_notes
