// SPDX-License-Identifier: Apache-2.0
// Collectives composed of phases, one for each tier.
#include "algorithms/hierarchical/phases.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/executors/hierarchy.hpp"
#include "algorithms/registry/entry.hpp"
#include "algorithms/registry/formulas.hpp"
#include "heddle/collective.hpp"
#include "heddle/communicator.hpp"

namespace heddle {

using plans::BlocksByIndex;

namespace {

/// A part of the vector, and how the ranks of one level share it.
struct Shared {
  VectorView vector;
  BlockPartition blocks;
};

/// A vector of one block per rank, laid out so that the indices of each level own consecutive parts.
class IndexLayout {
 public:
  /// Of a hierarchy of two levels or more.
  IndexLayout(Communicator& comm, const HierarchicalPhases& phases, std::shared_ptr<const plans::Hierarchy> hierarchy,
              const BlockPartition& blocks);

  /// Where a rank's block is.
  template <class View>
  View block(View laid_out, int rank) const {
    return place(laid_out, place_of_[static_cast<std::size_t>(rank)]);
  }
  /// Who has the rank's block between the outermost level and the end.
  int holder(int rank) const { return plan_->holder[static_cast<std::size_t>(rank)]; }
  /// The ranks whose blocks this rank holds for them, itself not among them.
  std::vector<int> surplus_ranks(int rank) const;

  /// What this rank shares with the others of its sub-communicators, level by level, as far as it is in one.
  std::vector<Shared> shared(VectorView laid_out, int rank) const;

 private:
  template <class View>
  View place(View laid_out, int place) const {
    return laid_out.slice(offset_[static_cast<std::size_t>(place)],
                          offset_[static_cast<std::size_t>(place) + 1] - offset_[static_cast<std::size_t>(place)]);
  }

  std::shared_ptr<const plans::Hierarchy> hierarchy_;
  std::shared_ptr<const plans::BlocksByIndex> plan_;
  std::vector<std::int64_t> offset_;  ///< by place
  std::vector<int> place_of_;         ///< by rank
};

}  // namespace

IndexLayout::IndexLayout(Communicator& comm, const HierarchicalPhases& phases,
                         std::shared_ptr<const plans::Hierarchy> hierarchy, const BlockPartition& blocks)
    : hierarchy_(std::move(hierarchy)),
      plan_(comm.shared_plan<BlocksByIndex>(fmt::format("hierarchical/{}", phases.most_levels()),
                                            [this] { return BlocksByIndex(*hierarchy_); })),
      place_of_(plan_->order.size()) {
  std::int64_t end = 0;
  offset_.reserve(plan_->order.size() + 1);
  for (std::size_t place = 0; place < plan_->order.size(); ++place) {
    place_of_[static_cast<std::size_t>(plan_->order[place])] = static_cast<int>(place);
    offset_.push_back(end);
    end += blocks.size(plan_->order[place]);
  }
  offset_.push_back(end);
}

std::vector<int> IndexLayout::surplus_ranks(int rank) const {
  std::vector<int> surplus_ranks;
  // A holder's blocks are next to each other.
  const int own = place_of_[static_cast<std::size_t>(rank)];
  const auto is_held = [&](int place) {
    return place >= 0 && place < hierarchy_->ranks() && holder(plan_->order[static_cast<std::size_t>(place)]) == rank;
  };
  int first = own;
  while (is_held(first - 1)) --first;
  for (int place = first; is_held(place); ++place) {
    if (place != own) surplus_ranks.push_back(plan_->order[static_cast<std::size_t>(place)]);
  }
  return surplus_ranks;
}

std::vector<Shared> IndexLayout::shared(VectorView laid_out, int rank) const {
  std::vector<Shared> shared;
  BlocksByIndex::Range range{0, hierarchy_->ranks()};
  const auto elements = [this](BlocksByIndex::Range part) {
    return offset_[static_cast<std::size_t>(part.end)] - offset_[static_cast<std::size_t>(part.first)];
  };
  for (int level = 0; level < hierarchy_->levels() && hierarchy_->by_index(level, rank).color >= 0; ++level) {
    const std::vector<BlocksByIndex::Range> parts = plan_->parts(*hierarchy_, level, rank, range);
    std::vector<std::int64_t> sizes;
    for (const BlocksByIndex::Range& part : parts) sizes.push_back(elements(part));
    const auto first = static_cast<std::size_t>(range.first);
    shared.push_back({laid_out.slice(offset_[first], elements(range)), BlockPartition::of_sizes(sizes)});
    range = parts[static_cast<std::size_t>(hierarchy_->position(level, rank))];
  }
  return shared;
}

}  // namespace heddle

namespace heddle::broadcast {

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

namespace {

void hierarchical(Communicator& comm, VectorView vector, Rank root, const HierarchicalPhases& phases) {
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

}  // namespace

std::vector<Algorithm> hierarchical_entries() {
  return {hierarchical_entry(
      Collective::broadcast,
      {.summary = "A broadcast to one rank of each group, then within each group; any algorithm in either.",
       .default_phase = "binomial_halving",
       .rounds_text = "the phases' in turn: outer, inner",
       .bytes_text = "the phases' together",
       .inner_example = "chain",
       .outer_example = "double_binary_tree"},
      [](Algorithm facts, const HierarchicalPhases& phases) { return entry(std::move(facts), with(hierarchical, phases)); })};
}

}  // namespace heddle::broadcast

namespace heddle::reduce {

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

namespace {

void hierarchical(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root, const HierarchicalPhases& phases) {
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

}  // namespace

std::vector<Algorithm> hierarchical_entries() {
  return {hierarchical_entry(
      Collective::reduce,
      {.summary = "A reduce within each group, then among one rank of each group; any algorithm in either.",
       .default_phase = "binomial_halving",
       .rounds_text = "the phases' in turn: inner, outer",
       .bytes_text = "the phases' together",
       .inner_example = "chain",
       .outer_example = "double_binary_tree"},
      [](Algorithm facts, const HierarchicalPhases& phases) { return entry(std::move(facts), with(hierarchical, phases)); })};
}

}  // namespace heddle::reduce

namespace heddle::allreduce {

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

namespace {

/// A block for each index, nothing for surplus ranks.
BlockPartition block_per_index(std::int64_t count, int indices, int ranks) {
  const BlockPartition even(count, indices);
  if (ranks == indices) return even;
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(ranks), 0);
  for (int index = 0; index < indices; ++index) sizes[static_cast<std::size_t>(index)] = even.size(index);
  return BlockPartition::of_sizes(sizes);
}

void hierarchical(Communicator& comm, VectorView inout, const ReduceOp& op, const HierarchicalPhases& phases) {
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

}  // namespace

std::vector<Algorithm> hierarchical_entries() {
  return {hierarchical_entry(
      Collective::allreduce,
      {.summary = "Reduce-scatter within each group, allreduce between groups, allgather within; any algorithm in each.",
       .default_phase = "ring",
       .rounds_text = "the phases' in turn: twice inner, outer",
       .bytes_text = "the phases' together; ring on ring 2(p-1)/p · M",
       .inner_example = "circulant",
       .outer_example = "swing_bandwidth"},
      [](Algorithm facts, const HierarchicalPhases& phases) { return entry(std::move(facts), with(hierarchical, phases)); })};
}

}  // namespace heddle::allreduce

namespace heddle::reduce_scatter {

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

void hierarchical(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op,
                  const HierarchicalPhases& phases) {
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

}  // namespace

std::vector<Algorithm> hierarchical_entries() {
  return {hierarchical_entry(
      Collective::reduce_scatter,
      {.summary = "Reduce-scatter within each group, then between groups by position; any algorithm in either.",
       .default_phase = "ring",
       .rounds_text = "the phases' in turn: inner, outer",
       .bytes_text = "the phases' together; ring on ring (p-1)/p · M",
       .inner_example = "circulant",
       .outer_example = "pairwise"},
      [](Algorithm facts, const HierarchicalPhases& phases) { return entry(std::move(facts), with(hierarchical, phases)); })};
}

}  // namespace heddle::reduce_scatter

namespace heddle::allgather {

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

void hierarchical(Communicator& comm, VectorView vector, const BlockPartition& blocks, const HierarchicalPhases& phases) {
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
  const std::vector<Shared> shared = layout.shared(laid_out, rank);
  for (int level = static_cast<int>(shared.size()) - 1; level >= 0; --level) {
    const auto& [part, cut] = shared[static_cast<std::size_t>(level)];
    phases.run(comm, *groups.at(level), Collective::allgather, level, levels, {.input = part, .output = part, .blocks = cut});
  }
  for (int block = 0; block < comm.size(); ++block) {
    if (block != rank && blocks.size(block) > 0) comm.copy(blocks.block(vector, block), layout.block(laid_out, block));
  }
}

}  // namespace

std::vector<Algorithm> hierarchical_entries() {
  return {hierarchical_entry(
      Collective::allgather,
      {.summary = "Allgather between groups by position, then within each group; any algorithm in either.",
       .default_phase = "ring",
       .rounds_text = "the phases' in turn: outer, inner",
       .bytes_text = "the phases' together; ring on ring (p-1)/p · M",
       .inner_example = "circulant",
       .outer_example = "pairwise"},
      [](Algorithm facts, const HierarchicalPhases& phases) { return entry(std::move(facts), with(hierarchical, phases)); })};
}

}  // namespace heddle::allgather

namespace heddle::alltoall {

// hierarchical: pairwise, near peers first: in each round every rank talks at the same distance.
//
// No part of an alltoall can be saved on the way: every pair has a block of its own. What the tiers of a fabric leave to choose
// is the order. A round of `pairwise` takes as long as its slowest pair, and shifts of rank numbers mix near pairs with far
// ones. Here a round is a shift within groups, or of groups, so that all its pairs are as far apart.
//
// Picture, groups {A B} and {C D}:
//
//   distance 0   A-B  C-D
//   distance 1   A-C  B-D   then   A-D  B-C
//
// Uneven groups: executors/hierarchy.hpp.
//
// Rounds:  p-1 in even groups; where groups are uneven some ranks pause in some rounds.
// Bytes:   (p-1)/p · M sent by each rank with equal blocks. Empty blocks are not sent.
// Time:    Σ over the distances of n_d · (α_d + M/p/B_d), n_d the peers at that distance, where pairs share no links; s times
//          the second term on a tier that is oversubscribed by s.
// Limits:  the latency grows with p. While groups shift, all of one group's ranks send to one other group: where two groups
//          have little between them (one cable of a dragonfly), rounds that mix groups use more cables at once.
// Source:  Collectives Explainer 03 (Lu), §2.2.

namespace {

using plans::DistanceClasses;
using plans::Hierarchy;

void hierarchical(Communicator& comm, ConstVectorView outgoing, const BlockPartition& sent, VectorView incoming,
                  const BlockPartition& received, int most_levels) {
  const int rank = comm.rank().value();
  const auto classes = comm.shared_plan<DistanceClasses>(fmt::format("distances/{}", most_levels), [&] {
    return DistanceClasses(Hierarchy(comm.tiers(), comm.size(), most_levels));
  });
  if (sent.size(rank) > 0) comm.copy(received.block(incoming, rank), sent.block(outgoing, rank));
  std::vector<Request> requests;
  for (const DistanceClasses::Round& round : classes->rounds(rank)) {
    requests.clear();
    if (round.source >= 0 && received.size(round.source) > 0)
      requests.push_back(comm.irecv(Rank(round.source), received.block(incoming, round.source)));
    if (round.dest >= 0 && sent.size(round.dest) > 0)
      requests.push_back(comm.isend(Rank(round.dest), sent.block(outgoing, round.dest)));
    comm.wait_all(requests);
  }
}

/// Fewer levels than the fabric has, most first.
std::vector<std::string> fewer_levels(const Shape& shape) {
  std::vector<std::string> values;
  for (int levels = Hierarchy(shape.tiers, shape.ranks, std::numeric_limits<int>::max()).levels() - 1; levels > 0; --levels)
    values.push_back(std::to_string(levels));
  return values;
}

std::vector<Parameter> parameters() {
  return {{.name = "tiers",
           .default_value = "all",
           .meaning = "how many of the fabric's innermost tiers are told apart: 1 is flat",
           .candidates = fewer_levels}};
}

Algorithm hierarchical_entry(const Options& options) {
  const int most_levels =
      options.text("tiers") == "all" ? std::numeric_limits<int>::max() : static_cast<int>(options.number("tiers", 1, 1000));
  return entry({.name = "hierarchical",
                .summary = "Pairwise, near peers first, so that in each round every rank talks at the same distance.",
                .source = "[explainer-03] §2.2",
                .rounds = {"p-1; with pauses in uneven groups",
                           [most_levels](const Shape& shape) {
                             return DistanceClasses(Hierarchy(shape.tiers, shape.ranks, most_levels)).longest_chain();
                           }},
                .bytes = formulas::other_blocks_once(),
                .block_count = formulas::block_per_rank,
                .uniform = true},
               with(hierarchical, most_levels));
}

}  // namespace

std::vector<Algorithm> hierarchical_entries() { return {configurable(parameters(), hierarchical_entry)}; }

}  // namespace heddle::alltoall
