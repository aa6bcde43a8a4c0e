// SPDX-License-Identifier: Apache-2.0
// Pipelines along a chain of ranks and along a binomial tree: segments of the vector follow each other.

#include <span>
#include <vector>

#include "algorithms/executors/pipeline.hpp"
#include "algorithms/families/channels.hpp"
#include "algorithms/registry/entry.hpp"
#include "algorithms/registry/formulas.hpp"
#include "heddle/registry.hpp"

namespace heddle {

namespace {

/// A chain of all ranks for each channel.
Pipeline chain_pipeline(plans::Segments segments, int channels) {
  return {segments, "p + P - 2, P segments", [](const Shape& shape) { return shape.ranks - 1; }, channels};
}
Pipeline binomial_pipeline(plans::Segments segments) {
  return {segments, "⌊log2 p⌋ + P - 1, P segments", [](const Shape& shape) { return formulas::floor_log2(shape.ranks); }};
}

}  // namespace

}  // namespace heddle

namespace heddle::broadcast {

// chain: the vector goes from rank to rank in segments, like parts on a conveyor.
//
// The ranks stand in a chain from the root on, round the end. Once a rank has a segment it passes it to the next rank and gets
// the following segment meanwhile. When the first segment has reached the end of the chain, all links carry one.
//
// Picture, p = 4, P = 4 segments, root 0: which segment passes each link in each round.
//
//   round    0   1   2   3   4   5
//   0->1     0   1   2   3
//   1->2         0   1   2   3
//   2->3             0   1   2   3
//
// Option:  segments. By default P* = √((p-2)·M·β/α), which balances more start-ups against a longer fill.
//          channels: as many chains at once, each on an N-th of the vector. Each is a ring of its channel, begun at the root, and
//          enters nodes at another rank of each (families/channels.hpp).
// Rounds:  p + P - 2.
// Bytes:   M, sent by everyone but the last of a chain.
// Time:    (p + P - 2)·(α + M·β/P); with P* (p-2)·α + M·β + 2√((p-2)·α·M·β). Latency beside α counts once per
//          hop.
// Limits:  p - 1 start-ups before the last rank gets anything: for long vectors, and where neighbours are near.
// Source:  explainer 01 (Lu) §3.1, App. C.

namespace {

void chain(Communicator& comm, VectorView vector, Rank root, plans::Segments segments, int channels) {
  plans::pipelined_broadcast(comm, *plans::shared_channel_chains(comm, channels, root), vector, segments);
}

Algorithm chain_entry(const Options& options) {
  const plans::Segments segments(options);
  const int channels = channels_of(options);
  const Pipeline pipeline = chain_pipeline(segments, channels);
  return entry({.name = "chain",
                .summary = "Segments of the vector follow each other from rank to rank: for long vectors.",
                .source = "[explainer-01] §3.1, App. C; [nccl] channels",
                .rounds = pipeline.rounds(),
                .bytes = formulas::vector_once(),
                .messages_a_round = pipeline.messages_a_round(),
                .block_count = pipeline.block_count(),
                .tasks_share_credits = channels > 1},
               with(chain, segments, channels));
}

}  // namespace

std::vector<Algorithm> chain_entries() {
  return {configurable({chain_pipeline({}, 1).parameter(), channels_parameter()}, chain_entry)};
}

}  // namespace heddle::broadcast

namespace heddle::reduce {

// chain: sums grow from rank to rank in segments on their way to the root: the broadcast backwards.
//
// The last rank of the chain sends its first segment; the rank before it adds its own and passes the sum on, while the next
// segment comes in.
//
// Option:  those of the broadcast.
// Order:   a chain that passes the end of the ranks adds rank 0 before rank p-1; only with root 0 it would keep order.
// Rounds:  p + P - 2.
// Bytes:   M, sent by everyone but the root.
// Time:    that of the broadcast.
// Limits:  the op must be commutative. p - 1 start-ups before the root gets anything: for long vectors, and where neighbours
//          are near.
// Source:  explainer 01 (Lu) §4.1, App. C.

namespace {

void chain(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root, plans::Segments segments, int channels) {
  plans::pipelined_reduce(comm, *plans::shared_channel_chains(comm, channels, root), inout, op, segments);
}

Algorithm chain_entry(const Options& options) {
  const plans::Segments segments(options);
  const int channels = channels_of(options);
  const Pipeline pipeline = chain_pipeline(segments, channels);
  return entry({.name = "chain",
                .summary = "Sums grow from rank to rank in segments that follow each other: for long vectors.",
                .source = "[explainer-01] §4.1, App. C; [nccl] channels",
                .needs = {.commutative = true},
                .rounds = pipeline.rounds(),
                .bytes = formulas::vector_once(),
                .messages_a_round = pipeline.messages_a_round(),
                .block_count = pipeline.block_count(),
                .tasks_share_credits = channels > 1},
               with(chain, segments, channels));
}

}  // namespace

std::vector<Algorithm> chain_entries() {
  return {configurable({chain_pipeline({}, 1).parameter(), channels_parameter()}, chain_entry)};
}

}  // namespace heddle::reduce

namespace heddle::broadcast {

// binomial_pipelined: the vector goes down a binomial tree in segments.
//
// The tree is that of binomial_halving. A rank sends each segment to all its children at once, while the next one comes in. The
// root has ⌈log2 p⌉ children, so it must send that many vectors in the end: only with as many ports of its own does the
// pipeline run at the rate of one.
//
// Picture, p = 8, P = 2 segments a, b, root 0:
//
//   round 0    a 0->4 0->2 0->1
//   round 1    a 4->6 4->5 2->3    b 0->4 0->2 0->1
//   round 2    a 6->7              b 4->6 4->5 2->3
//   round 3                        b 6->7
//
// Option:  segments. By default P* = √((L-1)·M·β/α), L = ⌊log2 p⌋.
// Rounds:  ⌊log2 p⌋ + P - 1; ⌊log2 p⌋ is the longest path of the tree.
// Bytes:   ⌈log2 p⌉ · M, sent by the root.
// Time:    (L + P - 1)·(α + M·β/P) where every edge of the tree has a link of its own, so about L·α + M·β with P*; on one port
//          not below P·α + ⌈log2 p⌉·M·β, which is no better than binomial_halving.
// Limits:  as said: needs ports.
// Source:  explainer 01 (Lu) §3.2, App. C.4.

namespace {

void binomial_pipelined(Communicator& comm, VectorView vector, Rank root, plans::Segments segments) {
  const auto tree = plans::tree_plan(comm, "binomial_halving", root, plans::binomial_halving_tree);
  plans::pipelined_broadcast(comm, std::span(tree.get(), 1), vector, segments);
}

Algorithm binomial_pipelined_entry(const Options& options) {
  const plans::Segments segments(options);
  const Pipeline pipeline = binomial_pipeline(segments);
  return entry({.name = "binomial_pipelined",
                .summary = "Segments of the vector follow each other down a binomial tree: for ranks with many ports.",
                .source = "[explainer-01] §3.2, App. C",
                .rounds = pipeline.rounds(),
                .bytes = formulas::log2_vectors(),
                .messages_a_round = pipeline.messages_a_round(),
                .block_count = pipeline.block_count()},
               with(binomial_pipelined, segments));
}

}  // namespace

std::vector<Algorithm> binomial_pipelined_entries() {
  return {configurable({binomial_pipeline({}).parameter()}, binomial_pipelined_entry)};
}

}  // namespace heddle::broadcast

namespace heddle::reduce {

// binomial_pipelined: sums flow up a binomial tree in segments: the broadcast backwards.
//
// A rank adds a segment of all its children to its own and passes the sum to its parent, while the next segment comes in. The
// root has ⌈log2 p⌉ children, so it takes in that many vectors in the end.
//
// Option:  that of the broadcast.
// Rounds:  ⌊log2 p⌋ + P - 1; ⌊log2 p⌋ is the longest path of the tree.
// Bytes:   M, sent by everyone but the root.
// Time:    that of the broadcast.
// Limits:  the op must be commutative, as in binomial_halving. Needs ports.
// Source:  explainer 01 (Lu) §4.2, App. C.4.

namespace {

void binomial_pipelined(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root, plans::Segments segments) {
  const auto tree = plans::tree_plan(comm, "binomial_halving", root, plans::binomial_halving_tree);
  plans::pipelined_reduce(comm, std::span(tree.get(), 1), inout, op, segments);
}

Algorithm binomial_pipelined_entry(const Options& options) {
  const plans::Segments segments(options);
  const Pipeline pipeline = binomial_pipeline(segments);
  return entry({.name = "binomial_pipelined",
                .summary = "Sums flow up a binomial tree in segments that follow each other: for ranks with many ports.",
                .source = "[explainer-01] §4.2, App. C",
                .needs = {.commutative = true},
                .rounds = pipeline.rounds(),
                .bytes = formulas::vector_once(),
                .messages_a_round = pipeline.messages_a_round(),
                .block_count = pipeline.block_count()},
               with(binomial_pipelined, segments));
}

}  // namespace

std::vector<Algorithm> binomial_pipelined_entries() {
  return {configurable({binomial_pipeline({}).parameter()}, binomial_pipelined_entry)};
}

}  // namespace heddle::reduce
