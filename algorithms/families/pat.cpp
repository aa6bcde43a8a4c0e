// SPDX-License-Identifier: Apache-2.0
// PAT and Sparbit: a binomial tree for each block, all walked at once, the farthest leap first. First the trees and their
// messages, then the algorithms.
#include "algorithms/families/pat.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "algorithms/executors/blocks.hpp"
#include "algorithms/registry/entry.hpp"
#include "algorithms/registry/formulas.hpp"
#include "heddle/registry.hpp"

namespace heddle::plans {

namespace {

/// K: the trees' levels below their roots.
int levels(int ranks) { return std::bit_width(static_cast<unsigned>(ranks - 1)); }

/// What hangs below `node` by the lowest `bits` bits.
void append_subtree(int node, int bits, std::vector<int>& order) {
  for (int bit = bits - 1; bit >= 0; --bit) {
    const int child = node + (1 << bit);
    order.push_back(child);
    append_subtree(child, bit, order);
  }
}

std::vector<int> every(int step, int from, int below) {
  std::vector<int> offsets;
  for (int offset = from; offset < below; offset += step) offsets.push_back(offset);
  return offsets;
}

/// Towards the root: from r + o to r + o - distance goes the block of r, which is o back from the sender.
SkipSend towards_root(const PatMessage& message, int ranks) {
  const int distance = message.front() & -message.front();
  SkipSend send{-distance, {}};
  for (auto offset = message.rbegin(); offset != message.rend(); ++offset) append(send.offsets, {ranks - *offset, 1});
  return send;
}

SkipPaths complete(int ranks, std::vector<std::vector<SkipSend>> rounds) { return {std::move(rounds), {{0, ranks}}}; }

}  // namespace

int pat_levels(int ranks, int aggregation) {
  const int most = std::bit_width(static_cast<unsigned>(aggregation)) - 1;
  return std::clamp(levels(ranks) - 1, 0, most);
}

int pat_rounds(int ranks, int aggregation) {
  const int a = pat_levels(ranks, aggregation);
  return a + std::min(1 << (levels(ranks) - a), ranks) - 1;
}

std::vector<PatMessage> pat_messages(int ranks, int aggregation) {
  const int a = pat_levels(ranks, aggregation);
  std::vector<PatMessage> messages;
  for (int level = 0; level < a; ++level) {
    const int distance = 1 << (levels(ranks) - 1 - level);
    messages.push_back(every(2 * distance, distance, ranks));
  }
  const int bits = levels(ranks) - a;
  std::vector<int> subtree;
  append_subtree(0, bits, subtree);
  for (const int node : subtree) {
    if (node < ranks) messages.push_back(every(1 << bits, node, ranks));
  }
  return messages;
}

SkipPlan pat_plan(int ranks, int aggregation) {
  std::vector<std::vector<SkipSend>> rounds;
  for (const PatMessage& message : pat_messages(ranks, aggregation)) rounds.push_back({towards_root(message, ranks)});
  std::reverse(rounds.begin(), rounds.end());
  return SkipPlan(ranks, complete(ranks, std::move(rounds)));
}

SkipPlan pat_plan_block_by_block(int ranks) {
  std::vector<std::vector<SkipSend>> rounds;
  for (const PatMessage& message : pat_messages(ranks, kAggregateAll)) {
    std::vector<SkipSend>& round = rounds.emplace_back();
    for (const int offset : message) round.push_back(towards_root({offset}, ranks));
  }
  std::reverse(rounds.begin(), rounds.end());
  return SkipPlan(ranks, complete(ranks, std::move(rounds)));
}

}  // namespace heddle::plans

namespace heddle {

// What `pat` has in common as a reduce-scatter and as an allgather: its option and its rounds.

namespace {

/// Powers of two below half of the ranks, as many as the largest message carries anyway.
std::vector<std::string> pat_aggregations(const Shape& shape) {
  std::vector<std::string> values;
  for (int blocks = 1; blocks < (shape.ranks + 1) / 2; blocks *= 2) values.insert(values.begin(), std::to_string(blocks));
  return values;
}

Parameter pat_aggregation_parameter() {
  return {.name = "aggregation",
          .default_value = "all",
          .meaning =
              "the most blocks that one message carries: a number, of which the largest power of two below or equal "
              "counts, or all",
          .examples = {"1", "2", "5"},
          .candidates = pat_aggregations};
}

/// Throws InputError for what is neither a positive number nor "all".
int pat_aggregation(const Options& options) {
  if (options.text("aggregation") == "all") return plans::kAggregateAll;
  return static_cast<int>(options.number("aggregation", 1, plans::kAggregateAll));
}

auto shared_pat_schedule(Communicator& comm, int aggregation) {
  return comm.shared_plan<plans::SkipPlan>("pat, aggregation " + std::to_string(aggregation),
                                           [&] { return plans::pat_plan(comm.size(), aggregation); });
}

Formula<int> pat_rounds(int aggregation) {
  return {"⌈log2 p⌉; of up to 2^a blocks min(a + 2^(⌈log2 p⌉-a) - 1, p-1)",
          [aggregation](const Shape& shape) { return plans::pat_rounds(shape.ranks, aggregation); }};
}

}  // namespace

}  // namespace heddle

namespace heddle::allgather {

// pat: parallel aggregated trees, NCCL's logarithmic algorithm. Every block is broadcast down a binomial tree of its own.
//
// The tree of block r has rank r at its root and rank r + o as its node o; the parent of a node is the node without its lowest
// bit. All trees are walked at once, the farthest leap first: in each round every rank passes on, over the same distance, the
// blocks of some trees. How many trees share a message is the algorithm's `aggregation` (families/pat.hpp). With
// all of them there are ⌈log2 p⌉ rounds; with one, p-1 rounds of one block each, in which no more than ⌈log2 p⌉ blocks wait to
// be passed on: NCCL, whose buffers between network and memory are small, aggregates as far as they reach.
//
// Picture, p = 8: the tree of block 0, and what rank 0 sends and gets with all trees at once.
//
//   round 0   0 -> 4                             sends block  0       to rank 4   gets 4       from rank 4
//   round 1   0 -> 2, 4 -> 6                     sends blocks 0 4     to rank 2   gets 6 2     from rank 6
//   round 2   0 -> 1, 2 -> 3, 4 -> 5, 6 -> 7     sends blocks 0 6 4 2 to rank 1   gets 7 5 3 1 from rank 7
//
// Rounds:  ⌈log2 p⌉ = K. With messages of up to A = 2^a blocks a + 2^(K-a) - 1, but no more than p-1.
// Bytes:   (p-1)/p · M sent by each rank: it passes each block on as often as the node that it is of that block's tree has
//          children, p-1 times in all.
// Time:    rounds · α + (p-1)/p · M·β where no two messages of a round share a link. The farthest messages are the shortest.
// Limits:  messages are gathered from blocks that do not lie side by side.
// Source:  explainer 01 (Lu) App. A. It prints M/N on each link in each of ⌈log2 N⌉ rounds, which cannot be: N-1 blocks must
//          get in. Either all trees share messages, ⌈log2 N⌉ rounds of up to N/2 blocks, or each message carries M/N, N-1
//          rounds; its time is that of the former. Aggregation and any p: Jeaugey, PAT: a new algorithm for all-gather and
//          reduce-scatter operations at scale (2025).

namespace {

void pat(Communicator& comm, VectorView vector, const BlockPartition& blocks, int aggregation) {
  const auto steps = shared_pat_schedule(comm, aggregation);
  plans::BlockExchange(comm, *steps, vector, blocks).allgather();
}

Algorithm pat_entry(const Options& options) {
  const int aggregation = pat_aggregation(options);
  return entry({.name = "pat",
                .summary = "NCCL's parallel aggregated trees: a binomial tree for each block, the farthest leap first.",
                .source = "[explainer-01] App. A; [pat]",
                .rounds = pat_rounds(aggregation),
                .bytes = formulas::other_blocks_once(),
                .block_count = formulas::block_per_rank},
               with(pat, aggregation));
}

}  // namespace

std::vector<Algorithm> pat_entries() { return {configurable({pat_aggregation_parameter()}, pat_entry)}; }

}  // namespace heddle::allgather

namespace heddle::reduce_scatter {

// pat: the allgather backwards: every block is reduced up a binomial tree of its own.
//
// All trees are walked at once, the leaves first and the farthest leap last. In each round every rank sends, at the same
// distance, what it has summed for some trees, and adds what it gets. With one tree to a message a rank keeps no more than
// ⌈log2 p⌉ unfinished sums besides its own.
//
// Picture, p = 8, all trees at once: what rank 0 sends and gets; 0 is the block of rank 0 itself.
//
//   round 0   sends blocks 7 5 3 1 to rank 7   gets 0 6 4 2 from rank 1
//   round 1   sends blocks 6 2     to rank 6   gets 0 4     from rank 2
//   round 2   sends block  4       to rank 4   gets 0       from rank 4
//
// Rounds:  those of the allgather.
// Bytes:   (p-1)/p · M sent by each rank: each block but its own once.
// Time:    that of the allgather.
// Limits:  a tree's sums go round the ranks, so the op must be commutative. Messages are gathered from blocks that do not lie
//          side by side.
// Source:  that of the allgather.

namespace {

void pat(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op, int aggregation) {
  const auto steps = shared_pat_schedule(comm, aggregation);
  plans::BlockExchange(comm, *steps, inout, blocks).reduce_scatter(op);
}

Algorithm pat_entry(const Options& options) {
  const int aggregation = pat_aggregation(options);
  return entry({.name = "pat",
                .summary = "NCCL's parallel aggregated trees: a binomial tree for each block, the farthest leap last.",
                .source = "[explainer-01] App. A; [pat]",
                .needs = {.commutative = true},
                .rounds = pat_rounds(aggregation),
                .bytes = formulas::other_blocks_once(),
                .block_count = formulas::block_per_rank},
               with(pat, aggregation));
}

}  // namespace

std::vector<Algorithm> pat_entries() { return {configurable({pat_aggregation_parameter()}, pat_entry)}; }

}  // namespace heddle::reduce_scatter

namespace heddle::allgather {

// sparbit: binomial trees, one per block, the farthest leap first; each block a message of its own.
//
// The distances halve, from the largest power of two below p down to 1. At distance d every rank sends the blocks that it has,
// those of the ranks 2d, 4d, 6d, … before it and its own, to the rank d after it. So most data goes over the shortest distance,
// the other way round than with bruck and recursive doubling. Nothing is turned round or packed: all blocks of a step are sent
// at once, each from and to its place. A block that would arrive a second time, where p is no power of two, is not sent.
//
// Picture, p = 6: the blocks that rank 0 has.
//
//   start                 0
//   step 0, distance 4    0   2              gets block 2 from rank 2
//   step 1, distance 2    0   2   4          gets block 4 from rank 4, which keeps its other one: rank 0 has block 0
//   step 2, distance 1    0 1 2 3 4 5        gets blocks 5, 3 and 1 from rank 5
//
// The plan is that of pat with full aggregation (families/pat.hpp); there, the blocks of a step share one
// message.
//
// Rounds:  ⌈log2 p⌉, for any p.
// Bytes:   (p-1)/p · M sent by each rank.
// Time:    ⌈log2 p⌉·α + (p-1)/p · M·β where messages posted together overlap their start-up, and no two of a step share a link.
// Limits:  p-1 messages per rank: where each occupies the sender for a while, that time grows with p.
// Source:  Loch and Koslovski, Sparbit: a new logarithmic-cost and data locality-aware MPI Allgather algorithm (2021), which
//          Bine trees (De Sensi et al.) §5 compares with; the exclusion for other p as in Open MPI's implementation.

namespace {

void sparbit(Communicator& comm, VectorView vector, const BlockPartition& blocks) {
  const auto steps = comm.shared_plan<plans::SkipPlan>("sparbit", [&] { return plans::pat_plan_block_by_block(comm.size()); });
  plans::BlockExchange(comm, *steps, vector, blocks).allgather();
}

}  // namespace

std::vector<Algorithm> sparbit_entries() {
  return {entry({.name = "sparbit",
                 .summary = "Binomial trees for all blocks, the farthest leap first, each block a message of its own.",
                 .source = "[sparbit]",
                 .rounds = formulas::log2_rounds(),
                 .bytes = formulas::other_blocks_once(),
                 .messages_a_round = formulas::message_per_block,
                 .block_count = formulas::block_per_rank},
                sparbit)};
}

}  // namespace heddle::allgather
