// SPDX-License-Identifier: Apache-2.0
// binomial_halving, binomial_doubling: in every step each rank that has the vector sends it to one that has not.
//
// So the holders double from step to step. The two trees differ in who sends to whom. Distance halving (MPICH's) begins with
// the farthest: the root reaches p/2 first, its neighbour last. Distance doubling (Open MPI's) begins with the neighbour.
// Ranks are counted from the root on, round the end.
//
// Picture, p = 8, root 0:
//
//             distance halving               distance doubling
//   step 0    0->4                           0->1
//   step 1    0->2 4->6                      0->2 1->3
//   step 2    0->1 2->3 4->5 6->7            0->4 1->5 2->6 3->7
//
// Where near ranks share a switch, halving is the better one: many messages go in the last step, and they go to neighbours. Of
// eight ranks in pairs it sends 3 vectors between the pairs, doubling sends 6.
//
// Rounds:  ⌈log2 p⌉: the root sends that often.
// Bytes:   ⌈log2 p⌉ · M, sent by the root.
// Time:    ⌈log2 p⌉ · (α + M·β) where the messages of a step share no links.
// Limits:  the whole vector in every step: for short vectors.
// Source:  Bine trees (De Sensi et al.) §1 and Fig. 1, §2.1; explainer 01 (Lu) §3.2 (its example is distance doubling).

#include <algorithm>
#include <cstdint>
#include <vector>

#include "algorithms/executors/trees.hpp"
#include "algorithms/registry/entry.hpp"
#include "algorithms/registry/formulas.hpp"
#include "heddle/registry.hpp"

namespace heddle::broadcast {

std::vector<Algorithm> binomial_entries() {
  return {
      tree_entry({.name = "binomial_halving",
                  .summary = "A binomial tree that begins with the farthest rank (MPICH's): most messages go to neighbours.",
                  .source = "[bine] §1, §2.1; [explainer-01] §3.2"},
                 plans::binomial_halving_tree),
      tree_entry({.name = "binomial_doubling",
                  .summary = "A binomial tree that begins with the neighbour (Open MPI's): most messages go far.",
                  .source = "[bine] §1; [explainer-01] §3.2"},
                 plans::binomial_doubling_tree)};
}

}  // namespace heddle::broadcast

namespace heddle::reduce {

// binomial_halving, binomial_doubling: the broadcasts of the same names backwards.
//
// In every step half of the ranks that still have a sum to give send it to the other half. Each tree is named as in its
// broadcast, so binomial_halving begins with neighbours here: a rank takes its children in, nearest first, then sends to its
// parent.
//
// Picture, p = 8, root 0:
//
//             binomial_halving               binomial_doubling
//   step 2    1->0 3->2 5->4 7->6            4->0 5->1 6->2 7->3
//   step 1    2->0 6->4                      2->0 3->1
//   step 0    4->0                           1->0
//
// Order: with root 0, halving adds up neighbouring runs of ranks and would keep rank order. With another root the run that
// passes the end of the ranks has its halves the wrong way round, and doubling adds 0 and 4 before 1.
//
// Rounds:  ⌊log2 p⌋: the longest path of either tree. (The root takes in ⌈log2 p⌉ vectors, but need not wait to send.)
// Bytes:   M, sent by everyone but the root.
// Time:    ⌈log2 p⌉ · (α + M·β) where the messages of a step share no links.
// Limits:  the op must be commutative. The root takes in ⌈log2 p⌉ vectors: for short ones.
// Source:  explainer 01 (Lu) §4.2; Bine trees (De Sensi et al.) §2.1.

std::vector<Algorithm> binomial_entries() {
  return {tree_entry({.name = "binomial_halving",
                      .summary = "Sums flow together along a binomial tree, neighbours first: the broadcast's backwards.",
                      .source = "[explainer-01] §4.2; [bine] §2.1"},
                     plans::binomial_halving_tree),
          tree_entry({.name = "binomial_doubling",
                      .summary = "Sums flow together along a binomial tree, far ranks first: the broadcast's backwards.",
                      .source = "[explainer-01] §4.2; [bine] §2.1"},
                     plans::binomial_doubling_tree)};
}

}  // namespace heddle::reduce

namespace heddle::gather {

// binomial: blocks flow together along a binomial tree, twice as many in each step.
//
// A rank takes in the blocks of its children, which with its own are a run of blocks, and sends the run to its parent. Ranks
// are counted from the root on, so a run may pass the end of the vector and is then two pieces. Distances double from step to
// step (the broadcast's tree binomial_halving, backwards), so most messages go to neighbours.
//
// Picture, p = 8, root 0: blocks sent.
//
//   step 2    1->0 b1      3->2 b3    5->4 b5       7->6 b7
//   step 1    2->0 b2 b3              6->4 b6 b7
//   step 0    4->0 b4 … b7
//
// Rounds:  ⌊log2 p⌋: the longest path of the tree.
// Bytes:   M/2 if p is a power of two, sent by the rank at distance p/2; in general max(p - 2^(k-1), 2^(k-2)) blocks,
//          k = ⌈log2 p⌉.
// Time:    log2 p · α + (p-1)/p · M·β for a power of two.
// Limits:  each block moves log2 p / 2 times on average.
// Source:  Bine trees (De Sensi et al.) §4.1 and Fig. 7.

namespace {

/// The longest run of blocks below an edge of the root: behind the farthest child, which the end of the ranks cuts off, or
/// behind the second.
std::int64_t binomial_bytes(const Shape& shape) {
  if (shape.ranks == 1) return 0;
  const int farthest = 1 << (formulas::ceil_log2(shape.ranks) - 1);
  return formulas::times(shape.bytes, std::max(shape.ranks - farthest, farthest / 2), shape.ranks);
}

}  // namespace

std::vector<Algorithm> binomial_entries() {
  return {tree_entry({.name = "binomial",
                      .summary = "Runs of blocks flow together along a binomial tree, twice as long in each step.",
                      .source = "[bine] §4.1 and Fig. 7",
                      .bytes = {"max(p - 2^(k-1), 2^(k-2))/p · M, k = ⌈log2 p⌉; M/2 if p is a power of two", binomial_bytes}},
                     plans::binomial_halving_tree)};
}

}  // namespace heddle::gather

namespace heddle::scatter {

// binomial: the gather backwards: in each step a rank hands on half of what it has.
//
// The root sends the farther half of the blocks to the rank at distance p/2 and goes on with the nearer half, as that rank
// does with its own, until each has one block.
//
// Rounds:  ⌈log2 p⌉: the root sends that often.
// Bytes:   (p-1)/p · M, sent by the root.
// Time:    log2 p · α + (p-1)/p · M·β for a power of two.
// Limits:  each block moves log2 p / 2 times on average.
// Source:  Bine trees (De Sensi et al.) §4.2.

std::vector<Algorithm> binomial_entries() {
  return {tree_entry({.name = "binomial",
                      .summary = "Runs of blocks part along a binomial tree, half as long in each step.",
                      .source = "[bine] §4.2"},
                     plans::binomial_halving_tree)};
}

}  // namespace heddle::scatter

namespace heddle::barrier {

// binomial: word that everyone has come goes up a binomial tree to rank 0, and word to go on comes back down.
//
// A reduce and a broadcast of nothing, along the tree of binomial_halving (executors/trees.hpp).
//
// Picture, p = 8: up 1->0 3->2 5->4 7->6, then 2->0 6->4, then 4->0; down the same ways back.
//
// Rounds:  ⌊log2 p⌋ up, the longest path of the tree, and ⌈log2 p⌉ down, where rank 0 sends that often.
// Bytes:   none; 2(p-1) messages in all, the fewest there can be.
// Time:    2·log2 p · (α + L) for a power of two.
// Limits:  twice the rounds of dissemination.
// Source:  explainer 01 (Lu) §3.2, §4.2 (the tree).

namespace {

void binomial(Communicator& comm) {
  const auto tree = plans::tree_plan(comm, "binomial_halving", Rank(0), plans::binomial_halving_tree);
  const VectorView nothing(nullptr, 0, Datatype::i32());
  plans::tree_reduce(comm, *tree, nothing, ReduceOp::sum());
  plans::tree_broadcast(comm, *tree, nothing);
}

}  // namespace

std::vector<Algorithm> binomial_entries() {
  return {entry({.name = "binomial",
                 .summary = "Word goes up a binomial tree to rank 0 and back down: fewest messages.",
                 .source = "[explainer-01] §3.2, §4.2",
                 .rounds = formulas::up_and_down_rounds(),
                 .bytes = formulas::no_bytes(),
                 .block_count = formulas::one_element},
                binomial)};
}

// dissemination: in round k everyone reports to the rank 2^k further that it has come, and hears from the rank 2^k before.
//
// Who hears in round k hears of all that its peer had heard of: after it a rank knows of 2^(k+1) ranks up to itself, round the
// end of the ranks; when they are all of them, it may go on.
//
// Picture, p = 8: of whom rank 0 knows.
//
//   round 0    7 0                  hears from 7
//   round 1    5 6 7 0              hears from 6
//   round 2    1 2 3 4 5 6 7 0      hears from 4
//
// Rounds:  ⌈log2 p⌉, for any p.
// Bytes:   none; p messages in every round.
// Time:    ⌈log2 p⌉ · (α + L).
// Limits:  no fewer rounds are possible with one message at a time.
// Source:  Hensgen, Finkel and Manber's; explainer 01 (Lu) App. B.5 has its pattern in Bruck's alltoall.

namespace {

void dissemination(Communicator& comm) {
  const int p = comm.size();
  const int rank = comm.rank().value();
  const ConstVectorView nothing;
  for (int distance = 1; distance < p; distance *= 2)
    comm.sendrecv(Rank((rank + distance) % p), nothing, Rank((rank + p - distance) % p), VectorView());
}

}  // namespace

std::vector<Algorithm> dissemination_entries() {
  return {entry({.name = "dissemination",
                 .summary = "Everyone tells the rank 1, 2, 4, … further that it has come: fewest rounds for any p.",
                 .source = "[hensgen-1988]; [explainer-01] App. B.5 for the pattern",
                 .rounds = formulas::log2_rounds(),
                 .bytes = formulas::no_bytes(),
                 .block_count = formulas::one_element},
                dissemination)};
}

}  // namespace heddle::barrier

namespace heddle::allreduce {

// reduce_broadcast: add everything up at rank 0 along a binomial tree, then send the result down the same tree.
//
// The naive baseline, and what an allreduce means. The tree is binomial_halving's (executors/trees.hpp): the parent of a
// rank is its number without the lowest set bit, so the subtree of a rank is a run of consecutive ranks that begins with it.
// Going up, a rank takes its children in, nearest first, and then sends to its parent; going down, it gets the result and sends
// it to its children, farthest first.
//
// Picture, p = 8: the tree; round by round 1->0 3->2 5->4 7->6, then 2->0 6->4, then 4->0, and back.
//
//   0
//   +- 1
//   +- 2 - 3
//   +- 4 - 5
//      +- 6 - 7
//
// Order: a child's subtree lies right behind what its parent has added up so far, so it is added on the right.
//
// Rounds:  2·log2 p; for any p ⌊log2 p⌋ up (the longest path of the tree) and ⌈log2 p⌉ down (rank 0 sends that often).
// Bytes:   ⌈log2 p⌉ · M, sent by rank 0 on the way down.
// Time:    2·log2 p · (α + M·β) where the routes of a round share no links.
// Limits:  twice the rounds of recursive doubling, and most ranks idle most of the time.
// Source:  explainer 01 (Lu) §2 (allreduce as reduce, then broadcast), §3.2 and §4.2 (binomial trees).

namespace {

void reduce_broadcast(Communicator& comm, VectorView inout, const ReduceOp& op) {
  const auto tree = plans::tree_plan(comm, "binomial_halving", Rank(0), plans::binomial_halving_tree);
  plans::tree_reduce(comm, *tree, inout, op);
  plans::tree_broadcast(comm, *tree, inout);
}

}  // namespace

std::vector<Algorithm> reduce_broadcast_entries() {
  return {entry({.name = "reduce_broadcast",
                 .summary = "A binomial reduce to rank 0, then a binomial broadcast: the naive baseline, keeps rank order.",
                 .source = "[explainer-01] §2, §3.2, §4.2",
                 .rounds = formulas::up_and_down_rounds(),
                 .bytes = formulas::log2_vectors(),
                 .block_count = formulas::one_element},
                reduce_broadcast)};
}

}  // namespace heddle::allreduce
