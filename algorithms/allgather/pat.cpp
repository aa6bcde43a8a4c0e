// SPDX-License-Identifier: Apache-2.0
// pat: parallel aggregated trees, NCCL's logarithmic algorithm. Every block is broadcast down a binomial tree of its own.
//
// The tree of block r has rank r at its root and rank r + o as its node o; the parent of a node is the node without its lowest
// bit. All trees are walked at once, the farthest leap first: in each round every rank passes on, over the same distance, the
// blocks of some trees. How many trees share a message is the algorithm's `aggregation` (schedule/skips/pat_schedule.hpp). With
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
#include "algorithms/allgather/allgather.hpp"

#include <string>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/rows/pat_row.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/blocks/block_exchange.hpp"
#include "algorithms/schedule/skips/pat_schedule.hpp"

namespace heddle::allgather {

void pat(Communicator& comm, VectorView vector, const BlockPartition& blocks, int aggregation) {
  const int p = comm.size();
  if (p == 1 || vector.empty()) return;

  const auto steps = comm.shared_plan<schedule::SkipSchedule>("pat, aggregation " + std::to_string(aggregation),
                                                              [&] { return schedule::pat_schedule(p, aggregation); });
  schedule::BlockExchange(comm, *steps, vector, blocks).allgather();
}

namespace {

Algorithm pat_row(const Options& options) {
  const int aggregation = pat_aggregation(options);
  return {.collective = Collective::allgather,
          .name = "pat",
          .summary = "NCCL's parallel aggregated trees: a binomial tree for each block, the farthest leap first.",
          .source = "[explainer-01] App. A; [pat]",
          .needs = {},
          .rounds = pat_rounds(aggregation),
          .bytes = formulas::other_blocks_once(),
          .granule = formulas::block_per_rank,
          .run = as_allgather([aggregation](Communicator& comm, VectorView vector, const BlockPartition& blocks) {
            pat(comm, vector, blocks, aggregation);
          }),
          .parameters = {pat_aggregation_parameter()},
          .configured = pat_row};
}

}  // namespace

std::vector<Algorithm> pat_rows() { return {pat_row(Options(std::vector{pat_aggregation_parameter()}))}; }

}  // namespace heddle::allgather
