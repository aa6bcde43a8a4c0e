// SPDX-License-Identifier: Apache-2.0
// double_binary_tree: each half of the vector goes down a binary tree of its own, in segments, both at once.
//
// In a binary tree half of the ranks are leaves and pass nothing on, while the others send every segment twice. In the second
// tree they change places (schedule/trees/double_binary_tree.hpp): who passes on one half is a leaf for the other. So nobody
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
//          by another rank of each node, on which the node's other ranks hang as a chain (schedule/tiers/channels.hpp).
// Rounds:  ⌈log2 p⌉ + P - 1: the depth of the trees, and the segments. Over channels the height of the highest tree + P - 1.
// Bytes:   M, sent by the root and by everyone who has two children. Over channels a rank that joins nodes sends a little more.
// Time:    (⌈log2 p⌉ + P - 1)·(α + M·β/P) on one port, for p = 4, 8, 16, …: segments of both halves go through it at once.
//          About ⌈log2 p⌉·α + M·β for long vectors.
// Limits:  more start-ups than a plain tree for short vectors. On a torus the trees' edges share links.
// Source:  explainer 01 (Lu) §5.2, App. C.
#include "algorithms/broadcast/broadcast.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/rows/pipelined_row.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/blocks/ports.hpp"
#include "algorithms/schedule/tiers/channels.hpp"
#include "algorithms/schedule/trees/tree_pipeline.hpp"

namespace heddle::broadcast {

void double_binary_tree(Communicator& comm, VectorView vector, Rank root, schedule::Segments segments, int channels) {
  const int p = comm.size();
  if (p == 1 || vector.empty()) return;
  const auto trees = schedule::shared_channel_trees(comm, channels, root);
  const int slices = 2 * channels;
  const std::int64_t pieces = segments.wanted(schedule::height_of(*trees), vector, comm, slices);
  schedule::on_ports(comm, slices, vector, [&](int number, Communicator& task, VectorView slice) {
    schedule::pipelined_broadcast(task, (*trees)[static_cast<std::size_t>(number)], slice, pieces);
  });
}

namespace {

/// What goes down to the children of all trees.
std::int64_t bytes_down(const Shape& shape, int channels) {
  if (shape.ranks == 1) return 0;
  if (channels == 1) return shape.bytes;
  const auto trees = schedule::channel_trees(shape.tiers, shape.ranks, channels, shape.root);
  return formulas::times(shape.bytes, schedule::most_slices_sent(trees, false, true), static_cast<std::int64_t>(trees.size()));
}

Algorithm double_binary_tree_row(schedule::Segments segments, int channels) {
  const Pipeline pipeline = two_trees_pipeline(segments, channels);
  return {.collective = Collective::broadcast,
          .name = "double_binary_tree",
          .summary = "Each half of the vector goes down a binary tree in segments; who passes on one is a leaf for the other.",
          .source = "[explainer-01] §5.2, App. C; [sanders-2009]; [nccl] channels",
          .needs = {},
          .rounds = pipeline.rounds(),
          .bytes = {"M; over channels by the trees", [channels](const Shape& shape) { return bytes_down(shape, channels); }},
          .messages_a_round = pipeline.messages_a_round(),
          .granule = pipeline.granule(),
          .run = as_broadcast([segments, channels](Communicator& comm, VectorView vector, Rank root) {
            double_binary_tree(comm, vector, root, segments, channels);
          }),
          .tasks_share_credits = channels > 1};
}

}  // namespace

std::vector<Algorithm> double_binary_tree_rows() { return {pipelined_row(two_trees_pipeline, double_binary_tree_row)}; }

}  // namespace heddle::broadcast
