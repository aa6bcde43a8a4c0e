// SPDX-License-Identifier: Apache-2.0
// double_binary_tree: each half of the vector is summed up along a binary tree of its own, in segments, both at once: the
// broadcast backwards (broadcast/double_binary_tree.cpp).
//
// Who adds up two children's segments of one half is a leaf for the other, so nobody takes in more than one vector in all.
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
//          by another rank of each node, on which the node's other ranks hang as a chain (schedule/tiers/channels.hpp).
// Rounds:  ⌈log2 p⌉ + P - 1: the depth of the trees, and the segments. Over channels the height of the highest tree + P - 1.
// Bytes:   M, sent by everyone but the root: a half to each parent.
// Time:    (⌈log2 p⌉ + P - 1)·(α + M·β/P) on one port, for p = 4, 8, 16, …: segments of both halves go through it at once.
//          About ⌈log2 p⌉·α + M·β for long vectors.
// Limits:  the op must be commutative. More start-ups than a plain tree for short vectors. On a torus the trees' edges share
//          links.
// Source:  explainer 01 (Lu) §5.2, App. C.
#include "algorithms/reduce/reduce.hpp"

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

namespace heddle::reduce {

void double_binary_tree(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root, schedule::Segments segments,
                        int channels) {
  require_commutative("double_binary_tree", op);
  const int p = comm.size();
  if (p == 1 || inout.empty()) return;
  const auto trees = schedule::shared_channel_trees(comm, channels, root);
  const int slices = 2 * channels;
  const std::int64_t pieces = segments.wanted(schedule::height_of(*trees), inout, comm, slices);
  schedule::on_ports(comm, slices, inout, [&](int number, Communicator& task, VectorView slice) {
    schedule::pipelined_reduce(task, (*trees)[static_cast<std::size_t>(number)], slice, op, pieces);
  });
}

namespace {

Algorithm double_binary_tree_row(schedule::Segments segments, int channels) {
  const Pipeline pipeline = two_trees_pipeline(segments, channels);
  return {.collective = Collective::reduce,
          .name = "double_binary_tree",
          .summary =
              "Each half of the vector is summed up along a binary tree in segments; who adds up one is a leaf for the other.",
          .source = "[explainer-01] §5.2, App. C; [sanders-2009]; [nccl] channels",
          .needs = {.commutative = true},
          .rounds = pipeline.rounds(),
          .bytes = formulas::vector_once(),
          .messages_a_round = pipeline.messages_a_round(),
          .granule = pipeline.granule(),
          .run = as_reduce([segments, channels](Communicator& comm, VectorView inout, const ReduceOp& op, Rank root) {
            double_binary_tree(comm, inout, op, root, segments, channels);
          }),
          .tasks_share_credits = channels > 1};
}

}  // namespace

std::vector<Algorithm> double_binary_tree_rows() { return {pipelined_row(two_trees_pipeline, double_binary_tree_row)}; }

}  // namespace heddle::reduce
