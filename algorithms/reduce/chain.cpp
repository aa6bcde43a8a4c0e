// SPDX-License-Identifier: Apache-2.0
// chain: sums grow from rank to rank in segments on their way to the root: the broadcast backwards (broadcast/chain.cpp).
//
// The ranks stand in a chain from the root on, round the end. The last one sends its first segment; the rank before it adds its
// own and passes the sum on, while the next segment comes in.
//
// Picture, p = 4, P = 4 segments, root 0: which segment passes each link in each round.
//
//   round    0   1   2   3   4   5
//   3->2     0   1   2   3
//   2->1         0   1   2   3
//   1->0             0   1   2   3
//
// Option:  segments. By default P* = √((p-2)·M·β/α).
//          channels: as many chains at once, each on an N-th of the vector. They are those of the broadcast
//          backwards (schedule/tiers/channels.hpp).
// Order:   a chain that passes the end of the ranks adds rank 0 before rank p-1; only with root 0 it would keep order.
// Rounds:  p + P - 2.
// Bytes:   M, sent by everyone but the root.
// Time:    (p + P - 2)·(α + M·β/P); with P* (p-2)·α + M·β + 2√((p-2)·α·M·β). Latency beside α counts once per
//          hop.
// Limits:  the op must be commutative. p - 1 start-ups before the root gets anything: for long vectors, and where neighbours
//          are near.
// Source:  explainer 01 (Lu) §4.1, App. C.
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

void chain(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root, schedule::Segments segments, int channels) {
  require_commutative("chain", op);
  const int p = comm.size();
  if (p == 1 || inout.empty()) return;
  const auto chains = schedule::shared_channel_chains(comm, channels, root);
  const std::int64_t pieces = segments.wanted(p - 1, inout, comm, channels);
  if (channels == 1) return schedule::pipelined_reduce(comm, chains->front(), inout, op, pieces);
  schedule::on_ports(comm, channels, inout, [&](int channel, Communicator& task, VectorView slice) {
    schedule::pipelined_reduce(task, (*chains)[static_cast<std::size_t>(channel)], slice, op, pieces);
  });
}

namespace {

Algorithm chain_row(schedule::Segments segments, int channels) {
  const Pipeline pipeline = chain_pipeline(segments, channels);
  return {.collective = Collective::reduce,
          .name = "chain",
          .summary = "Sums grow from rank to rank in segments that follow each other: for long vectors.",
          .source = "[explainer-01] §4.1, App. C; [nccl] channels",
          .needs = {.commutative = true},
          .rounds = pipeline.rounds(),
          .bytes = formulas::vector_once(),
          .messages_a_round = pipeline.messages_a_round(),
          .granule = pipeline.granule(),
          .run = as_reduce([segments, channels](Communicator& comm, VectorView inout, const ReduceOp& op, Rank root) {
            chain(comm, inout, op, root, segments, channels);
          }),
          .tasks_share_credits = channels > 1};
}

}  // namespace

std::vector<Algorithm> chain_rows() { return {pipelined_row(chain_pipeline, chain_row)}; }

}  // namespace heddle::reduce
