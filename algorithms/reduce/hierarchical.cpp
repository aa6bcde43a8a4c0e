// SPDX-License-Identifier: Apache-2.0
// hierarchical: reduce within each group, then among one rank of each group.
//
// The broadcast backwards: each group reduces to its leader, the rank at the position that the root has in its own, and the
// leaders reduce to the root. With more than two tiers: from the innermost outwards.
//
// Picture, two groups of three, root 1:
//
//   inner   0, 2 -> 1   3, 5 -> 4
//   outer   1 <──────── 4
//
// Rounds:  the phases' in turn; binomial in binomial: ⌈log2 n⌉ + ⌈log2 L⌉.
// Bytes:   the phases' in turn. The slow links carry one vector from each group but the root's.
// Time:    the phases' in turn, each with the α and B of its tier.
// Limits:  a phase begins when the one before has ended: segments do not flow from phase to phase. The order of contributions
//          is that of groups and positions, not of ranks.
// Source:  Collectives Explainer 03 (Lu), §2.1, the table.
#include "algorithms/reduce/reduce.hpp"

#include "algorithms/hierarchical/hierarchical_phases.hpp"

#include <memory>

#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/signatures.hpp"

namespace heddle::reduce {

void hierarchical(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root, const HierarchicalPhases& phases) {
  require_commutative("hierarchical", op);
  if (inout.empty()) return;
  const auto hierarchy = hierarchy_of(comm, phases);
  const int levels = hierarchy->levels();
  const int rank = comm.rank().value();
  const SubCommunicators groups(comm, *hierarchy, [&](int level) { return hierarchy->by_leader(level, rank, root.value()); });
  for (int level = 0; level < levels && groups.at(level) != nullptr; ++level) {
    const Rank leader(hierarchy->leader(level, rank, root.value()));
    // Everyone's vector may be overwritten: no scratch is needed where a rank has no result.
    phases.run(comm, *groups.at(level), Collective::reduce, level, levels,
               {.input = inout, .output = inout, .op = &op, .root = leader});
  }
}

std::vector<Algorithm> hierarchical_rows() {
  return {
      hierarchical_row({.collective = Collective::reduce,
                        .summary = "A reduce within each group, then among one rank of each group; any algorithm in either.",
                        .source = "[explainer-03] §2.1",
                        .default_phase = "binomial_halving",
                        .rounds_text = "the phases' in turn: inner, outer",
                        .bytes_text = "the phases' together",
                        .inner_example = "chain",
                        .outer_example = "double_binary_tree",
                        .run = [](std::shared_ptr<const HierarchicalPhases> phases) {
                          return as_reduce([phases](Communicator& comm, VectorView inout, const ReduceOp& op, Rank root) {
                            hierarchical(comm, inout, op, root, *phases);
                          });
                        }})};
}

}  // namespace heddle::reduce
