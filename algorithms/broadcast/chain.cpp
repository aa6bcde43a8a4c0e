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
#include "algorithms/broadcast/broadcast.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/rows/pipelined_row.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/trees/tree_pipeline.hpp"

namespace heddle::broadcast {

void chain(Communicator& comm, VectorView vector, Rank root, schedule::Segments segments) {
  const int p = comm.size();
  if (p == 1 || vector.empty()) return;
  const auto tree = schedule::tree_plan(comm, "chain", root, schedule::chain_tree);
  schedule::pipelined_broadcast(comm, *tree, vector, segments.wanted(tree->height(), vector, comm.message_cost()));
}

namespace {

Algorithm chain_row(schedule::Segments segments) {
  const Pipeline pipeline = chain_pipeline(segments);
  return {.collective = Collective::broadcast,
          .name = "chain",
          .summary = "Segments of the vector follow each other from rank to rank: for long vectors.",
          .source = "[explainer-01] §3.1, App. C",
          .needs = {},
          .rounds = pipeline.rounds(),
          .bytes = formulas::vector_once(),
          .granule = pipeline.granule(),
          .run = as_broadcast(
              [segments](Communicator& comm, VectorView vector, Rank root) { chain(comm, vector, root, segments); })};
}

}  // namespace

std::vector<Algorithm> chain_rows() { return {pipelined_row(chain_pipeline, chain_row)}; }

}  // namespace heddle::broadcast
