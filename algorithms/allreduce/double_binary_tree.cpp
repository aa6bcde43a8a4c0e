// SPDX-License-Identifier: Apache-2.0
// double_binary_tree: each half of the vector is summed up along a binary tree of its own and comes back down it, in segments,
// both trees at once.
//
// In a binary tree half of the ranks are leaves, while the others take every segment in twice and pass it on twice. In the
// second tree they change places (schedule/trees/double_binary_tree.hpp), so all ranks have about the same to do. A segment
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
//          by another rank of each node, on which the node's other ranks hang as a chain (schedule/tiers/channels.hpp).
//          That is NCCL's tree, which has a pair for each NIC of a node. By default channels=1: one pair over all ranks.
// Order: a subtree is a run of ranks with its root among them; the child below it is added on the left, the one above on the
// right.
//        Over channels the op must be commutative.
//
// Rounds:  2⌈log2 p⌉ + P - 1. Over channels twice the height of the highest tree + P - 1: ⌈log2 L⌉ + n - 1 for L nodes of n ranks.
// Bytes:   2M, sent by everyone with two children: a half up each tree, and a half down twice. (M for p = 2, 3/2·M for p = 3.)
//          Over channels a node whose tree has two children sends 2M to other nodes in all, 2M/n by each of its n NICs.
// Time:    for long vectors and P* about 2⌈log2 p⌉·α + 2M·β on one port, where all that a rank sends shares it; with a link
//          between every two ranks about 2⌈log2 p⌉·α + M·β, as some pairs are neighbours in both trees.
// Limits:  the explainer prints M·β for long vectors wherever a rank has a port. On one port that cannot be: what a rank must
//          receive in any allreduce by software is 2(p-1)/p · M. On a torus the trees' edges share links.
// Source:  explainer 01 (Lu) §5.2, §5.3, App. C.
#include "algorithms/allreduce/allreduce.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/rows/pipelined_row.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/blocks/ports.hpp"
#include "algorithms/schedule/tiers/channels.hpp"
#include "algorithms/schedule/trees/tree_pipeline.hpp"

namespace heddle::allreduce {

void double_binary_tree(Communicator& comm, VectorView inout, const ReduceOp& op, schedule::Segments segments, int channels) {
  if (channels > 1) require_commutative("double_binary_tree", op);
  const int p = comm.size();
  if (p == 1 || inout.empty()) return;
  const auto trees = schedule::shared_channel_trees(comm, channels);
  const int slices = 2 * channels;
  const std::int64_t pieces = segments.wanted(2 * schedule::height_of(*trees), inout, comm, slices);
  schedule::on_ports(comm, slices, inout, [&](int number, Communicator& task, VectorView slice) {
    schedule::pipelined_allreduce(task, (*trees)[static_cast<std::size_t>(number)], slice, op, pieces);
  });
}

namespace {

/// A rank with two children sends a half up each tree and one half down twice.
std::int64_t double_binary_tree_bytes(const Shape& shape, int channels) {
  if (channels > 1 && shape.ranks > 1) {
    const auto trees = schedule::channel_trees(shape.tiers, shape.ranks, channels);
    return formulas::times(shape.bytes, schedule::most_slices_sent(trees, true, true), static_cast<std::int64_t>(trees.size()));
  }
  if (shape.ranks >= 4) return 2 * shape.bytes;
  return formulas::times(shape.bytes, shape.ranks == 1 ? 0 : shape.ranks, 2);
}

Algorithm double_binary_tree_row(schedule::Segments segments, int channels) {
  const Pipeline pipeline = up_and_down_two_trees_pipeline(segments, channels);
  return {
      .collective = Collective::allreduce,
      .name = "double_binary_tree",
      .summary = "Each half of the vector goes up and down its own binary tree in segments, both at once; keeps rank order.",
      .source = "[explainer-01] §5.2, App. C; [sanders-2009]; [nccl] channels",
      .needs = {.commutative = channels > 1},
      .rounds = pipeline.rounds(),
      .bytes = {"2M; M for p = 2, 3/2 · M for p = 3; over channels by the trees",
                [channels](const Shape& shape) { return double_binary_tree_bytes(shape, channels); }},
      .messages_a_round = pipeline.messages_a_round(2),
      .granule = pipeline.granule(),
      .run = as_allreduce([=](Communicator& comm, VectorView inout, const ReduceOp& op) {
        double_binary_tree(comm, inout, op, segments, channels);
      }),
      .tasks_share_credits = true};
}

}  // namespace

std::vector<Algorithm> double_binary_tree_rows() {
  return {pipelined_row(up_and_down_two_trees_pipeline, double_binary_tree_row)};
}

}  // namespace heddle::allreduce
