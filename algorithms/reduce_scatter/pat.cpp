// SPDX-License-Identifier: Apache-2.0
// pat: parallel aggregated trees, NCCL's logarithmic algorithm. Every block is reduced up a binomial tree of its own.
//
// The tree of block r has rank r at its root and rank r + o as its node o; the parent of a node is the node without its lowest
// bit, a power of two nearer to the root. All trees are walked at once, the leaves first and the farthest leap last: in each
// round every rank sends, at the same distance, what it has summed for some trees, and adds what it gets. How many trees share
// a message is the algorithm's `aggregation` (schedule/skips/pat_schedule.hpp). With all of them there are ⌈log2 p⌉ rounds;
// with one, p-1 rounds of one block each, in which a rank keeps no more than ⌈log2 p⌉ unfinished sums besides its own: NCCL,
// whose buffers between network and memory are small, aggregates as far as they reach.
//
// Picture, p = 8, all trees at once: what rank 0 sends and gets; 0 is the block of rank 0 itself.
//
//   round 0   sends blocks 7 5 3 1 to rank 7   gets 0 6 4 2 from rank 1
//   round 1   sends blocks 6 2     to rank 6   gets 0 4     from rank 2
//   round 2   sends block  4       to rank 4   gets 0       from rank 4
//
// Rounds:  ⌈log2 p⌉ = K. With messages of up to A = 2^a blocks a + 2^(K-a) - 1, but no more than p-1.
// Bytes:   (p-1)/p · M sent by each rank: each block but its own once.
// Time:    rounds · α + (p-1)/p · M·β where no two messages of a round share a link.
// Limits:  a tree's sums go round the ranks, so the op must be commutative. Messages are gathered from blocks that do not lie
//          side by side.
// Source:  explainer 01 (Lu) App. A. It prints M/N on each link in each of ⌈log2 N⌉ rounds, which cannot be: N-1 blocks must
//          get in. Either all trees share messages, ⌈log2 N⌉ rounds of up to N/2 blocks, or each message carries M/N, N-1
//          rounds; its time is that of the former. Aggregation and any p: Jeaugey, PAT: a new algorithm for all-gather and
//          reduce-scatter operations at scale (2025).
#include "algorithms/reduce_scatter/reduce_scatter.hpp"

#include <string>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/rows/pat_row.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/blocks/block_exchange.hpp"
#include "algorithms/schedule/skips/pat_schedule.hpp"

namespace heddle::reduce_scatter {

void pat(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op, int aggregation) {
  require_commutative("pat", op);
  const int p = comm.size();
  if (p == 1 || inout.empty()) return;

  const auto steps = comm.shared_plan<schedule::SkipSchedule>("pat, aggregation " + std::to_string(aggregation),
                                                              [&] { return schedule::pat_schedule(p, aggregation); });
  schedule::BlockExchange(comm, *steps, inout, blocks).reduce_scatter(op);
}

namespace {

Algorithm pat_row(const Options& options) {
  const int aggregation = pat_aggregation(options);
  return {.collective = Collective::reduce_scatter,
          .name = "pat",
          .summary = "NCCL's parallel aggregated trees: a binomial tree for each block, the farthest leap last.",
          .source = "[explainer-01] App. A; [pat]",
          .needs = {.commutative = true},
          .rounds = pat_rounds(aggregation),
          .bytes = formulas::other_blocks_once(),
          .granule = formulas::block_per_rank,
          .run = as_reduce_scatter([aggregation](Communicator& comm, VectorView inout, const BlockPartition& blocks,
                                                 const ReduceOp& op) { pat(comm, inout, blocks, op, aggregation); }),
          .parameters = {pat_aggregation_parameter()},
          .configured = pat_row};
}

}  // namespace

std::vector<Algorithm> pat_rows() { return {pat_row(Options(std::vector{pat_aggregation_parameter()}))}; }

}  // namespace heddle::reduce_scatter
