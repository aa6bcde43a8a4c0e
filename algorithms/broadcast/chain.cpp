// SPDX-License-Identifier: Apache-2.0
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
// Rounds:  p + P - 2.
// Bytes:   M, sent by everyone but the last.
// Time:    (p + P - 2)·(α + M·β/P); with P* (p-2)·α + M·β + 2√((p-2)·α·M·β). Latency beside α counts once per
//          hop.
// Limits:  p - 1 start-ups before the last rank gets anything: for long vectors, and where neighbours are near.
// Source:  explainer 01 (Lu) §3.1, App. C.
#include "algorithms/broadcast/pipelined.hpp"
#include "algorithms/schedule/tree_pipeline.hpp"

namespace heddle::broadcast {

void chain(Communicator& comm, VectorView vector, Rank root, schedule::Segments segments) {
  const int p = comm.size();
  if (p == 1 || vector.empty()) return;
  const auto tree = schedule::tree_plan(comm, "chain", root, schedule::chain_tree);
  schedule::pipelined_broadcast(comm, *tree, vector, segments.wanted(tree->height(), vector, comm.message_cost()));
}

}  // namespace heddle::broadcast
