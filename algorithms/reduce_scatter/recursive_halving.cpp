// SPDX-License-Identifier: Apache-2.0
// recursive_halving: the blocks that a rank answers for halve in every step, until its own is left.
//
// In the first step rank r exchanges with rank r XOR p/2: it sends what it has of the blocks in the partner's half of the ranks
// and adds what it gets to the blocks in its own half. In the next step the halves are halved, with partner r XOR p/4, and so
// on. What a message carries is always one run of the vector.
//
// Picture, p = 4: the blocks that a rank holds a sum of.
//
//               0              1              2              3
//   start     b0 b1 b2 b3    b0 b1 b2 b3    b0 b1 b2 b3    b0 b1 b2 b3
//   step 0    b0 b1          b0 b1          b2 b3          b2 b3           with 2, 3, 0, 1: half of the vector sent
//   step 1    b0             b1             b2             b3              with 1, 0, 3, 2: a quarter
//
// Any p: neighbours fold into p' = 2^⌊log2 p⌋ positions (schedule/butterflies/fold.hpp). An extra rank first sends all blocks
// but its own to its partner, which then answers for both; last, the partner sends the extra rank its block. So here, too, each
// rank sends each block but its own once, and no message is longer for it than the vector.
//
// Rounds:  log2 p; if p is not a power of two ⌊log2 p⌋ + 2, for the fold.
// Bytes:   (p-1)/p · M sent by each rank.
// Time:    log2 p · α + (p-1)/p · M·β where partners' routes share no links; a fold adds about 2α + M·β.
// Limits:  sums of ranks p/2 apart come first, so the op must be commutative. The longest messages go farthest: p/2
//          links on a ring.
// Source:  explainer 01 (Lu) App. B.4; Bine trees (De Sensi et al.) §2; any p by the fold, which B.4 leaves out.
#include "algorithms/reduce_scatter/reduce_scatter.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/blocks/block_exchange.hpp"
#include "algorithms/schedule/butterflies/recursive_halving.hpp"

namespace heddle::reduce_scatter {

void recursive_halving(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op) {
  require_commutative("recursive_halving", op);
  const int p = comm.size();
  if (p == 1 || inout.empty()) return;

  const auto steps =
      comm.shared_plan<schedule::BlockSchedule>("recursive halving", [p] { return schedule::recursive_halving_schedule(p); });
  schedule::BlockExchange(comm, *steps, inout, blocks).reduce_scatter(op);
}

std::vector<Algorithm> recursive_halving_rows() {
  return {{.collective = Collective::reduce_scatter,
           .name = "recursive_halving",
           .summary = "Partners at distance p/2, p/4, …, 1 exchange halves of the blocks that they still answer for.",
           .source = "[explainer-01] App. B.4",
           .needs = {.commutative = true},
           .rounds = formulas::folded_log2_rounds(),
           .bytes = formulas::other_blocks_once(),
           .granule = formulas::block_per_rank,
           .run = as_reduce_scatter(recursive_halving)}};
}

}  // namespace heddle::reduce_scatter
