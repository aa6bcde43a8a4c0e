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
//          channels: as many chains at once, each on an N-th of the vector. Each is a ring of its channel, begun at the root, and
//          enters nodes at another rank of each (schedule/tiers/channels.hpp).
// Rounds:  p + P - 2.
// Bytes:   M, sent by everyone but the last of a chain.
// Time:    (p + P - 2)·(α + M·β/P); with P* (p-2)·α + M·β + 2√((p-2)·α·M·β). Latency beside α counts once per
//          hop.
// Limits:  p - 1 start-ups before the last rank gets anything: for long vectors, and where neighbours are near.
// Source:  explainer 01 (Lu) §3.1, App. C.
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

void chain(Communicator& comm, VectorView vector, Rank root, schedule::Segments segments, int channels) {
  const int p = comm.size();
  if (p == 1 || vector.empty()) return;
  const auto chains = schedule::shared_channel_chains(comm, channels, root);
  const std::int64_t pieces = segments.wanted(p - 1, vector, comm, channels);
  if (channels == 1) return schedule::pipelined_broadcast(comm, chains->front(), vector, pieces);
  schedule::on_ports(comm, channels, vector, [&](int channel, Communicator& task, VectorView slice) {
    schedule::pipelined_broadcast(task, (*chains)[static_cast<std::size_t>(channel)], slice, pieces);
  });
}

namespace {

Algorithm chain_row(schedule::Segments segments, int channels) {
  const Pipeline pipeline = chain_pipeline(segments, channels);
  return {.collective = Collective::broadcast,
          .name = "chain",
          .summary = "Segments of the vector follow each other from rank to rank: for long vectors.",
          .source = "[explainer-01] §3.1, App. C; [nccl] channels",
          .needs = {},
          .rounds = pipeline.rounds(),
          .bytes = formulas::vector_once(),
          .messages_a_round = pipeline.messages_a_round(),
          .granule = pipeline.granule(),
          .run = as_broadcast([segments, channels](Communicator& comm, VectorView vector, Rank root) {
            chain(comm, vector, root, segments, channels);
          }),
          .tasks_share_credits = channels > 1};
}

}  // namespace

std::vector<Algorithm> chain_rows() { return {pipelined_row(chain_pipeline, chain_row)}; }

}  // namespace heddle::broadcast
