// SPDX-License-Identifier: Apache-2.0
// Pipelines along two binary trees at once, each with a half of the vector.

#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/executors/pipeline.hpp"
#include "algorithms/families/channels.hpp"
#include "algorithms/registry/entry.hpp"
#include "algorithms/registry/formulas.hpp"
#include "heddle/registry.hpp"

namespace heddle {

namespace {

/// Half of the vector, or of a channel's slice, along each of two binary trees; in an allreduce up to the roots and down again.
Pipeline two_trees_pipeline(plans::Segments segments, int channels, bool up_and_down = false) {
  const auto steps = [channels, up_and_down](const Shape& shape) {
    const std::optional<int> root = up_and_down ? std::nullopt : std::optional(shape.root);
    const int height = channels == 1 ? formulas::ceil_log2(shape.ranks)
                                     : plans::height_of(plans::channel_trees(shape.tiers, shape.ranks, channels, root));
    return up_and_down ? 2 * height : height;
  };
  return {segments, up_and_down ? "2⌈log2 p⌉ + P - 1, P segments of each half" : "⌈log2 p⌉ + P - 1, P segments of each half",
          steps, 2 * channels};
}

}  // namespace

}  // namespace heddle

namespace heddle::broadcast {

// double_binary_tree: each half of the vector goes down a binary tree of its own, in segments, both at once.
//
// In a binary tree half of the ranks are leaves and pass nothing on, while the others send every segment twice. In the second
// tree they change places (executors/trees.hpp): who passes on one half is a leaf for the other. So nobody
// sends more than one vector in all, and one port each way is enough to take in one half after the other and pass one of them
// on twice. The root has one child in each tree.
//
// Picture, p = 8, root 0:
//
//   first half                            second half
//   0 ------------- 4                     0 ------------- 5
//           2 ------+------ 6                     3 ------+------ 7
//       1 --+-- 3       5 --+-- 7             2 --+-- 4       6 --+-- 1
//
// Option:  segments, of each half. By default P* = √((L-1)·(M/2)·β/α), L = ⌈log2 p⌉.
//          channels: so many pairs of trees at once, each pair on its part of the vector. Trees then join nodes of ranks, each pair
//          by another rank of each node, on which the node's other ranks hang as a chain (families/channels.hpp).
// Rounds:  ⌈log2 p⌉ + P - 1: the depth of the trees, and the segments. Over channels the height of the highest tree + P - 1.
// Bytes:   M, sent by the root and by everyone who has two children. Over channels a rank that joins nodes sends a little more.
// Time:    (⌈log2 p⌉ + P - 1)·(α + M·β/P) on one port, for p = 4, 8, 16, …: segments of both halves go through it at once.
//          About ⌈log2 p⌉·α + M·β for long vectors.
// Limits:  more start-ups than a plain tree for short vectors. On a torus the trees' edges share links.
// Source:  explainer 01 (Lu) §5.2, App. C.

namespace {

void double_binary_tree(Communicator& comm, VectorView vector, Rank root, plans::Segments segments, int channels) {
  plans::pipelined_broadcast(comm, *plans::shared_channel_trees(comm, channels, root.value()), vector, segments);
}

/// What goes down to the children of all trees.
std::int64_t bytes_down(const Shape& shape, int channels) {
  if (shape.ranks == 1) return 0;
  if (channels == 1) return shape.bytes;
  const auto trees = plans::channel_trees(shape.tiers, shape.ranks, channels, shape.root);
  return formulas::times(shape.bytes, plans::most_slices_sent(trees, false, true), static_cast<std::int64_t>(trees.size()));
}

Algorithm double_binary_tree_entry(const Options& options) {
  const plans::Segments segments(options);
  const int channels = channels_of(options);
  const Pipeline pipeline = two_trees_pipeline(segments, channels);
  return entry(
      {.name = "double_binary_tree",
       .summary = "Each half of the vector goes down a binary tree in segments; who passes on one is a leaf for the other.",
       .source = "[explainer-01] §5.2, App. C; [sanders-2009]; [nccl] channels",
       .rounds = pipeline.rounds(),
       .bytes = {"M; over channels by the trees", [channels](const Shape& shape) { return bytes_down(shape, channels); }},
       .messages_a_round = pipeline.messages_a_round(),
       .block_count = pipeline.block_count(),
       .tasks_share_credits = channels > 1},
      with(double_binary_tree, segments, channels));
}

}  // namespace

std::vector<Algorithm> double_binary_tree_entries() {
  return {configurable({two_trees_pipeline({}, 1).parameter(), channels_parameter()}, double_binary_tree_entry)};
}

}  // namespace heddle::broadcast

namespace heddle::reduce {

// double_binary_tree: each half of the vector is summed up along a binary tree of its own, in segments, both at once: the
// broadcast backwards.
//
// Who adds up two children's segments of one half is a leaf for the other, so nobody takes in more than one vector in all.
//
// Option:  those of the broadcast.
// Rounds:  ⌈log2 p⌉ + P - 1: the depth of the trees, and the segments. Over channels the height of the highest tree + P - 1.
// Bytes:   M, sent by everyone but the root: a half to each parent.
// Time:    that of the broadcast.
// Limits:  the op must be commutative. More start-ups than a plain tree for short vectors. On a torus the trees' edges share
//          links.
// Source:  explainer 01 (Lu) §5.2, App. C.

namespace {

void double_binary_tree(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root, plans::Segments segments,
                        int channels) {
  plans::pipelined_reduce(comm, *plans::shared_channel_trees(comm, channels, root.value()), inout, op, segments);
}

Algorithm double_binary_tree_entry(const Options& options) {
  const plans::Segments segments(options);
  const int channels = channels_of(options);
  const Pipeline pipeline = two_trees_pipeline(segments, channels);
  return entry(
      {.name = "double_binary_tree",
       .summary =
           "Each half of the vector is summed up along a binary tree in segments; who adds up one is a leaf for the other.",
       .source = "[explainer-01] §5.2, App. C; [sanders-2009]; [nccl] channels",
       .needs = {.commutative = true},
       .rounds = pipeline.rounds(),
       .bytes = formulas::vector_once(),
       .messages_a_round = pipeline.messages_a_round(),
       .block_count = pipeline.block_count(),
       .tasks_share_credits = channels > 1},
      with(double_binary_tree, segments, channels));
}

}  // namespace

std::vector<Algorithm> double_binary_tree_entries() {
  return {configurable({two_trees_pipeline({}, 1).parameter(), channels_parameter()}, double_binary_tree_entry)};
}

}  // namespace heddle::reduce

namespace heddle::allreduce {

// double_binary_tree: each half of the vector is summed up along a binary tree of its own and comes back down it, in segments,
// both trees at once.
//
// In a binary tree half of the ranks are leaves, while the others take every segment in twice and pass it on twice. In the
// second tree they change places (executors/trees.hpp), so all ranks have about the same to do. A segment
// turns round at the root while later ones are still on their way up.
//
// Picture, p = 8: the trees; p = 4, one segment of each half, a and b: the rounds.
//
//   first half                            second half
//   0 ------------- 4                     7 ------------- 3
//           2 ------+------ 6                     5 ------+------ 1
//       1 --+-- 3       5 --+-- 7             6 --+-- 4       2 --+-- 0
//
//   round 0    a 1->2 3->2    b 2->1 0->1
//   round 1    a 2->0         b 1->3
//   round 2    a 0->2         b 3->1
//   round 3    a 2->1 2->3    b 1->2 1->0
//
// Option:  segments, of each half. By default P* = √((L-1)·(M/2)·β/α), L = 2⌈log2 p⌉.
//          channels: so many pairs of trees at once, each pair on its part of the vector. Trees then join nodes of ranks, each pair
//          by another rank of each node, on which the node's other ranks hang as a chain (families/channels.hpp).
//          That is NCCL's tree, which has a pair for each NIC of a node. By default channels=1: one pair over all ranks.
// Order: a subtree is a run of ranks with its root among them; the child below it is added on the left, the one above on the
// right.
//        Over channels the op must be commutative.
//
// Rounds:  2⌈log2 p⌉ + P - 1. Over channels twice the height of the highest tree + P - 1: ⌈log2 L⌉ + n - 1 for L nodes of n
//          ranks.
// Bytes:   2M, sent by everyone with two children: a half up each tree, and a half down twice. (M for p = 2, 3/2·M for p = 3.)
//          Over channels a node whose tree has two children sends 2M to other nodes in all, 2M/n by each of its n NICs.
// Time:    for long vectors and P* about 2⌈log2 p⌉·α + 2M·β on one port, where all that a rank sends shares it; with a link
//          between every two ranks about 2⌈log2 p⌉·α + M·β, as some pairs are neighbours in both trees.
// Limits:  the explainer prints M·β for long vectors wherever a rank has a port. On one port that cannot be: what a rank must
//          receive in any allreduce by software is 2(p-1)/p · M. On a torus the trees' edges share links.
// Source:  explainer 01 (Lu) §5.2, §5.3, App. C.

namespace {

void double_binary_tree(Communicator& comm, VectorView inout, const ReduceOp& op, plans::Segments segments, int channels) {
  plans::pipelined_allreduce(comm, *plans::shared_channel_trees(comm, channels), inout, op, segments);
}

/// A rank with two children sends a half up each tree and one half down twice.
std::int64_t double_binary_tree_bytes(const Shape& shape, int channels) {
  if (channels > 1 && shape.ranks > 1) {
    const auto trees = plans::channel_trees(shape.tiers, shape.ranks, channels);
    return formulas::times(shape.bytes, plans::most_slices_sent(trees, true, true), static_cast<std::int64_t>(trees.size()));
  }
  if (shape.ranks >= 4) return 2 * shape.bytes;
  return formulas::times(shape.bytes, shape.ranks == 1 ? 0 : shape.ranks, 2);
}

Algorithm double_binary_tree_entry(const Options& options) {
  const plans::Segments segments(options);
  const int channels = channels_of(options);
  const Pipeline pipeline = two_trees_pipeline(segments, channels, true);
  return entry(
      {.name = "double_binary_tree",
       .summary = "Each half of the vector goes up and down its own binary tree in segments, both at once; keeps rank order.",
       .source = "[explainer-01] §5.2, App. C; [sanders-2009]; [nccl] channels",
       .needs = {.commutative = channels > 1},
       .rounds = pipeline.rounds(),
       .bytes = {"2M; M for p = 2, 3/2 · M for p = 3; over channels by the trees",
                 [channels](const Shape& shape) { return double_binary_tree_bytes(shape, channels); }},
       .messages_a_round = pipeline.messages_a_round(2),
       .block_count = pipeline.block_count(),
       .tasks_share_credits = true},
      with(double_binary_tree, segments, channels));
}

}  // namespace

std::vector<Algorithm> double_binary_tree_entries() {
  return {configurable({two_trees_pipeline({}, 1, true).parameter(), channels_parameter()}, double_binary_tree_entry)};
}

}  // namespace heddle::allreduce
