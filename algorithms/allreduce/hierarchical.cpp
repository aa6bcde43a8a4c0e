// SPDX-License-Identifier: Apache-2.0
// hierarchical: reduce-scatter within each group, allreduce between groups, allgather within each group.
//
// Ranks are in groups (a pod, a leaf). Each group first reduces among itself and leaves every rank with one slice of the sum.
// Then the ranks with the same slice, one of each group, reduce it between them: the slow links between groups carry a slice
// and not the vector. Then each group gathers its slices. With more than two tiers, the middle step is done likewise, one tier
// further out.
//
// Picture, groups {A B} and {C D}; a vector of two slices, ab is the sum of a and b:
//
//        inner reduce_scatter      outer allreduce         inner allgather
//   A    ab0  .                    abcd0 .     A with C    abcd0 abcd1
//   B     .  ab1                   .  abcd1    B with D    abcd0 abcd1
//   C    cd0  .                    abcd0 .                 abcd0 abcd1
//   D     .  cd1                   .  abcd1                abcd0 abcd1
//
// Uneven groups: there are as many slices as the smallest group has ranks. Surplus ranks of larger groups have no slice: they
// give their contributions in the first step, take no part in the second and get the result in the third.
//
// Rounds:  the phases' in turn. Ring on ring, n ranks in each of L groups: 2(n-1) + 2(L-1).
// Bytes:   ring on ring: 2(n-1)/n · M within groups, 2(L-1)/L · M/n between them: together 2(p-1)/p · M, the least there is.
// Time:    2(n-1)·α_in + 2(L-1)·α_out + 2(n-1)/n · M/B_in + 2(L-1)/L · M/n/B_out.
// Limits:  the phases wait for each other. The order of contributions is that of groups and positions, not of ranks.
// Source:  Collectives Explainer 03 (Lu), §2.1.
#include "algorithms/allreduce/allreduce.hpp"

#include "algorithms/hierarchical/hierarchical_phases.hpp"

#include <memory>
#include <vector>

#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/signatures.hpp"

namespace heddle::allreduce {

namespace {

/// A part of the vector, and how the ranks of one level share it.
struct Shared {
  VectorView vector;
  BlockPartition blocks;
};

/// A block for each index, nothing for surplus ranks.
BlockPartition block_per_index(std::int64_t count, int indices, int ranks) {
  const BlockPartition even(count, indices);
  if (ranks == indices) return even;
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(ranks), 0);
  for (int index = 0; index < indices; ++index) sizes[static_cast<std::size_t>(index)] = even.size(index);
  return BlockPartition::of_sizes(sizes);
}

}  // namespace

void hierarchical(Communicator& comm, VectorView inout, const ReduceOp& op, const HierarchicalPhases& phases) {
  require_commutative("hierarchical", op);
  if (inout.empty()) return;
  const auto hierarchy = hierarchy_of(comm, phases);
  const int levels = hierarchy->levels();
  const SubCommunicators groups(comm, *hierarchy, [&](int level) { return hierarchy->by_index(level, comm.rank().value()); });

  VectorView slice = inout;
  std::vector<Shared> shared;
  for (int level = 0; level + 1 < levels && groups.at(level) != nullptr; ++level) {
    Communicator& group = *groups.at(level);
    shared.push_back({slice, block_per_index(slice.count(), hierarchy->indices(level), group.size())});
    phases.run(comm, group, Collective::reduce_scatter, level, levels,
               {.input = slice, .output = slice, .op = &op, .blocks = shared.back().blocks});
    slice = shared.back().blocks.block(slice, group.rank().value());
  }
  if (Communicator* group = groups.at(levels - 1))
    phases.run(comm, *group, Collective::allreduce, levels - 1, levels, {.input = slice, .output = slice, .op = &op});
  for (int level = static_cast<int>(shared.size()) - 1; level >= 0; --level) {
    const auto& [vector, blocks] = shared[static_cast<std::size_t>(level)];
    phases.run(comm, *groups.at(level), Collective::allgather, level, levels,
               {.input = vector, .output = vector, .blocks = blocks});
  }
}

std::vector<Algorithm> hierarchical_rows() {
  return {hierarchical_row(
      {.collective = Collective::allreduce,
       .summary = "Reduce-scatter within each group, allreduce between groups, allgather within; any algorithm in each.",
       .source = "[explainer-03] §2.1",
       .default_phase = "ring",
       .rounds_text = "the phases' in turn: twice inner, outer",
       .bytes_text = "the phases' together; ring on ring 2(p-1)/p · M",
       .inner_example = "circulant",
       .outer_example = "swing_bandwidth",
       .run = [](std::shared_ptr<const HierarchicalPhases> phases) {
         return as_allreduce(
             [phases](Communicator& comm, VectorView inout, const ReduceOp& op) { hierarchical(comm, inout, op, *phases); });
       }})};
}

}  // namespace heddle::allreduce
