// SPDX-License-Identifier: Apache-2.0
// hierarchical: allgather between the ranks at one position in their groups, then within each group.
//
// The reduce-scatter backwards. First the ranks at one position of all groups gather each other's blocks: what crosses the slow
// links crosses them once. Then each group gathers what its positions have. With more than two tiers: from the outermost
// inwards. The blocks of one position do not lie together, so they are gathered by position and put in their places in the end.
//
// Picture, groups {A B} and {C D}, blocks a b c d: outer: A and C both have a and c, B and D both have b and d;
// inner: A and B swap theirs, so do C and D.
//
// Uneven groups: there are as many indices as the smallest group has ranks. A surplus rank first gives its block to the index
// whose number is its position modulo the indices.
//
// Rounds:  the phases' in turn, and 1 for surplus ranks. Ring on ring: (L-1) + (n-1).
// Bytes:   ring on ring: (L-1)/L · M/n between groups, (n-1)/n · M within them: together (p-1)/p · M.
// Time:    (L-1)·α_out + (n-1)·α_in + (L-1)/L · M/n/B_out + (n-1)/n · M/B_in; a local copy of the vector.
// Limits:  as of the allreduce.
// Source:  Collectives Explainer 03 (Lu), §2.1. Its table has the inner step first: the slow links would carry (L-1)/L · M to
//          each rank, n times as much.
#include "algorithms/allgather/allgather.hpp"

#include "algorithms/hierarchical/hierarchical_phases.hpp"

#include <memory>
#include <vector>

#include "algorithms/hierarchical/blocks_by_index.hpp"
#include "algorithms/registry/signatures.hpp"

namespace heddle::allgather {

namespace {

/// Own blocks to where they are gathered; surplus ranks' to those who gather for them.
void hand_in(Communicator& comm, const IndexLayout& layout, ConstVectorView own, VectorView laid_out) {
  const int rank = comm.rank().value();
  if (layout.holder(rank) != rank) {
    if (!own.empty()) comm.send(Rank(layout.holder(rank)), own);
    return;
  }
  std::vector<Request> requests;
  for (const int surplus : layout.surplus_ranks(rank)) {
    const VectorView block = layout.block(laid_out, surplus);
    if (!block.empty()) requests.push_back(comm.irecv(Rank(surplus), block));
  }
  if (!own.empty()) comm.copy(layout.block(laid_out, rank), own);
  comm.wait_all(requests);
}

}  // namespace

void hierarchical(Communicator& comm, VectorView vector, const BlockPartition& blocks, const HierarchicalPhases& phases) {
  if (vector.empty()) return;
  const auto hierarchy = hierarchy_of(comm, phases);
  const int levels = hierarchy->levels();
  const int rank = comm.rank().value();
  if (levels == 1) {
    return phases.run(comm, comm, Collective::allgather, 0, 1, {.input = vector, .output = vector, .blocks = blocks});
  }
  const SubCommunicators groups(comm, *hierarchy, [&](int level) { return hierarchy->by_index(level, rank); });

  const IndexLayout layout(comm, phases, hierarchy, blocks);
  Buffer buffer(vector.type(), vector.count());
  const VectorView laid_out = buffer.view();
  hand_in(comm, layout, blocks.block(vector, rank), laid_out);
  const std::vector<IndexLayout::Shared> shared = layout.shared(laid_out, rank);
  for (int level = static_cast<int>(shared.size()) - 1; level >= 0; --level) {
    const auto& [part, cut] = shared[static_cast<std::size_t>(level)];
    phases.run(comm, *groups.at(level), Collective::allgather, level, levels, {.input = part, .output = part, .blocks = cut});
  }
  for (int block = 0; block < comm.size(); ++block) {
    if (block != rank && blocks.size(block) > 0) comm.copy(blocks.block(vector, block), layout.block(laid_out, block));
  }
}

std::vector<Algorithm> hierarchical_rows() {
  return {hierarchical_row({.collective = Collective::allgather,
                            .summary = "Allgather between groups by position, then within each group; any algorithm in either.",
                            .source = "[explainer-03] §2.1",
                            .default_phase = "ring",
                            .rounds_text = "the phases' in turn: outer, inner",
                            .bytes_text = "the phases' together; ring on ring (p-1)/p · M",
                            .inner_example = "circulant",
                            .outer_example = "pairwise",
                            .run = [](std::shared_ptr<const HierarchicalPhases> phases) {
                              return as_allgather(
                                  [phases](Communicator& comm, VectorView vector, const BlockPartition& blocks) {
                                    hierarchical(comm, vector, blocks, *phases);
                                  });
                            }})};
}

}  // namespace heddle::allgather
