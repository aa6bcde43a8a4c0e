// SPDX-License-Identifier: Apache-2.0
// hierarchical: broadcast to one rank of each group, then within each group.
//
// The root is the leader of its group; in each other group it is the rank at the root's position, so that on rails the leaders
// share one. The leaders broadcast among themselves, then each to its group. With more than two tiers: from the outermost
// inwards.
//
// Picture, two groups of three, root 1:
//
//   outer   1 ────────> 4
//   inner   1 -> 0, 2   4 -> 3, 5
//
// Rounds:  the phases' in turn; binomial in binomial: ⌈log2 L⌉ + ⌈log2 n⌉.
// Bytes:   the phases' in turn. The slow links carry the vector once for each group but the root's.
// Time:    the phases' in turn, each with the α and B of its tier.
// Limits:  a phase begins when its leader has the whole vector: segments do not flow from phase to phase.
// Source:  Collectives Explainer 03 (Lu), §2.1, the table.
#include "algorithms/broadcast/broadcast.hpp"

#include "algorithms/hierarchical/hierarchical_phases.hpp"

#include <memory>

#include "algorithms/registry/signatures.hpp"

namespace heddle::broadcast {

void hierarchical(Communicator& comm, VectorView vector, Rank root, const HierarchicalPhases& phases) {
  if (vector.empty()) return;
  const auto hierarchy = hierarchy_of(comm, phases);
  const int levels = hierarchy->levels();
  const int rank = comm.rank().value();
  const SubCommunicators groups(comm, *hierarchy, [&](int level) { return hierarchy->by_leader(level, rank, root.value()); });
  for (int level = levels - 1; level >= 0; --level) {
    Communicator* group = groups.at(level);
    if (group == nullptr) continue;
    const Rank leader(hierarchy->leader(level, rank, root.value()));
    const ConstVectorView input = group->rank() == leader ? ConstVectorView(vector) : ConstVectorView();
    phases.run(comm, *group, Collective::broadcast, level, levels, {.input = input, .output = vector, .root = leader});
  }
}

std::vector<Algorithm> hierarchical_rows() {
  return {
      hierarchical_row({.collective = Collective::broadcast,
                        .summary = "A broadcast to one rank of each group, then within each group; any algorithm in either.",
                        .source = "[explainer-03] §2.1",
                        .default_phase = "binomial_halving",
                        .rounds_text = "the phases' in turn: outer, inner",
                        .bytes_text = "the phases' together",
                        .inner_example = "chain",
                        .outer_example = "double_binary_tree",
                        .run = [](std::shared_ptr<const HierarchicalPhases> phases) {
                          return as_broadcast([phases](Communicator& comm, VectorView vector, Rank root) {
                            hierarchical(comm, vector, root, *phases);
                          });
                        }})};
}

}  // namespace heddle::broadcast
