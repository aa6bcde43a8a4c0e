// SPDX-License-Identifier: Apache-2.0
// hierarchical: reduce-scatter within each group, then between the ranks at one position in their groups.
//
// In the first step the rank at position j of a group gets the group's sums of all blocks that belong to position j of any
// group: n-th parts of the vector. In the second it gives each of those sums to the rank of that group. With more than two
// tiers: from the innermost outwards. The blocks of one position do not lie together, so the vector is laid out by position
// first.
//
// Picture, groups {A B} and {C D}, blocks a b c d: inner: A gets a and c over {A B}, C gets them over {C D};
// outer: A gets a from C, C gets c from A.
//
// Uneven groups: there are as many indices as the smallest group has ranks. A surplus rank's block travels with the index whose
// number is its position modulo the indices, and that rank of its own group hands it over in the end.
//
// Rounds:  the phases' in turn, and 1 for surplus ranks. Ring on ring: (n-1) + (L-1).
// Bytes:   ring on ring: (n-1)/n · M within groups, (L-1)/L · M/n between them: together (p-1)/p · M.
// Time:    (n-1)·α_in + (L-1)·α_out + (n-1)/n · M/B_in + (L-1)/L · M/n/B_out; two local copies of parts of the vector.
// Limits:  as of the allreduce.
// Source:  Collectives Explainer 03 (Lu), §2.1. Its table has the outer step first: the slow links would carry (L-1)/L · M, n
//          times as much.
#include "algorithms/reduce_scatter/reduce_scatter.hpp"

#include "algorithms/hierarchical/hierarchical_phases.hpp"

#include <memory>
#include <vector>

#include "algorithms/hierarchical/blocks_by_index.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/signatures.hpp"

namespace heddle::reduce_scatter {

namespace {

/// Own sums to where they belong, surplus ranks' to them.
void hand_over(Communicator& comm, const IndexLayout& layout, ConstVectorView laid_out, VectorView inout,
               const BlockPartition& blocks) {
  const int rank = comm.rank().value();
  const VectorView own = blocks.block(inout, rank);
  if (layout.holder(rank) != rank) {
    if (!own.empty()) comm.recv(Rank(layout.holder(rank)), own);
    return;
  }
  if (!own.empty()) comm.copy(own, layout.block(laid_out, rank));
  std::vector<Request> requests;
  for (const int surplus : layout.surplus_ranks(rank)) {
    const ConstVectorView block = layout.block(laid_out, surplus);
    if (!block.empty()) requests.push_back(comm.isend(Rank(surplus), block));
  }
  comm.wait_all(requests);
}

}  // namespace

void hierarchical(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op,
                  const HierarchicalPhases& phases) {
  require_commutative("hierarchical", op);
  if (inout.empty()) return;
  const auto hierarchy = hierarchy_of(comm, phases);
  const int levels = hierarchy->levels();
  if (levels == 1) {
    return phases.run(comm, comm, Collective::reduce_scatter, 0, 1,
                      {.input = inout, .output = inout, .op = &op, .blocks = blocks});
  }
  const int rank = comm.rank().value();
  const SubCommunicators groups(comm, *hierarchy, [&](int level) { return hierarchy->by_index(level, rank); });

  const IndexLayout layout(comm, phases, hierarchy, blocks);
  Buffer buffer(inout.type(), inout.count());
  const VectorView laid_out = buffer.view();
  for (int block = 0; block < comm.size(); ++block) {
    if (blocks.size(block) > 0) comm.copy(layout.block(laid_out, block), blocks.block(inout, block));
  }
  int level = 0;
  for (const auto& [vector, cut] : layout.shared(laid_out, rank)) {
    phases.run(comm, *groups.at(level), Collective::reduce_scatter, level, levels,
               {.input = vector, .output = vector, .op = &op, .blocks = cut});
    ++level;
  }
  hand_over(comm, layout, laid_out, inout, blocks);
}

std::vector<Algorithm> hierarchical_rows() {
  return {hierarchical_row(
      {.collective = Collective::reduce_scatter,
       .summary = "Reduce-scatter within each group, then between groups by position; any algorithm in either.",
       .source = "[explainer-03] §2.1",
       .default_phase = "ring",
       .rounds_text = "the phases' in turn: inner, outer",
       .bytes_text = "the phases' together; ring on ring (p-1)/p · M",
       .inner_example = "circulant",
       .outer_example = "pairwise",
       .run = [](std::shared_ptr<const HierarchicalPhases> phases) {
         return as_reduce_scatter([phases](Communicator& comm, VectorView inout, const BlockPartition& blocks,
                                           const ReduceOp& op) { hierarchical(comm, inout, blocks, op, *phases); });
       }})};
}

}  // namespace heddle::reduce_scatter
