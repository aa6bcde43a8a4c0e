// SPDX-License-Identifier: Apache-2.0
// recursive_doubling: everyone exchanges its whole vector with partners at distance 1, 2, 4, …
//
// A rank's vector is the sum over its group, at first itself. In each step it exchanges vectors with the partner whose number
// differs in one bit, adds, and both groups become one of twice the size. After log2 p steps the group is everybody.
//
// Picture, p = 8: partners of step 0, 1 and 2 (distance 1, 2, 4).
//
//   0 1 2 3 4 5 6 7      0 1 2 3 4 5 6 7      0 1 2 3 4 5 6 7
//   +-+ +-+ +-+ +-+      +---+   +---+        +-------+
//                          +---+   +---+        +-------+  …
//
// Any p: neighbours fold into 2^⌊log2 p⌋ positions first (executors/lattice.hpp), and the positions run the steps.
// Order: a group is always a run of consecutive ranks and its partner's the run beside it; the lower one goes on the left.
//
// Rounds:  log2 p; if p is not a power of two ⌊log2 p⌋ + 2, for the fold.
// Bytes:   log2 p · M sent by each rank; a partner of the fold sends (⌊log2 p⌋ + 1) · M.
// Time:    log2 p · (α + M·β) where partners' routes share no links; on a ring of p, step k has 2^k flows on a link.
// Limits:  sends log2 p times the vector: for short vectors.
// Source:  Swing (De Sensi et al.) §2.3.2, explainer 01 (Lu) App. B.1; congestion: Trivance (Jürß et al.) App. B.1.
#include "algorithms/families/recursive_doubling.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "algorithms/executors/lattice.hpp"
#include "algorithms/registry/entry.hpp"
#include "algorithms/registry/formulas.hpp"
#include "heddle/registry.hpp"

namespace heddle::allreduce {

namespace {

void recursive_doubling(Communicator& comm, VectorView inout, const ReduceOp& op) {
  const int p = comm.size();
  const int rank = comm.rank().value();
  const plans::Fold fold(p);
  const int position = fold.position_of(rank);
  const std::array parts{plans::fold_part(fold, rank)};
  plans::with_folds(comm, parts, inout, op, [&] {
    comm.phase("recursive doubling");
    comm.exchange(fold.position_bits(), {.op = &op, .after_sending = true}, [=](int step) {
      const int partner_position = position ^ (1 << step);
      const Rank partner(fold.member_at(partner_position));
      return Round{partner, inout, partner, inout, partner_position < position ? Side::left : Side::right};
    });
  });
}

}  // namespace

std::vector<Algorithm> recursive_doubling_entries() {
  return {entry({.name = "recursive_doubling",
                 .summary = "Whole vectors exchanged with partners at distance 1, 2, 4, …: fewest rounds, keeps rank order.",
                 .source = "[swing] §2.3.2; [explainer-01] App. B.1",
                 .rounds = formulas::folded_log2_rounds(),
                 .bytes = formulas::log2_vectors(),
                 .block_count = formulas::one_element},
                recursive_doubling)};
}

}  // namespace heddle::allreduce

namespace heddle::plans {

BlockPlan recursive_halving_plan(int ranks) {
  const Fold fold(ranks);
  const bool folds = fold.extra_ranks() > 0;
  const int steps = fold.position_bits() + (folds ? 2 : 0);
  const auto targets = [&](int rank, int step, std::vector<BlockPlan::Target>& found) {
    if (folds && step == 0) {
      if (fold.is_extra(rank)) found.push_back({fold.other(rank)});
    } else if (folds && step == steps - 1) {
      if (fold.is_partner(rank)) found.push_back({fold.other(rank)});
    } else if (!fold.is_extra(rank)) {
      const int halvings = folds ? step : step + 1;
      found.push_back({fold.member_at(fold.position_of(rank) ^ (fold.positions() >> halvings))});
    }
  };
  return BlockPlan(ranks, steps, targets, BlockPlan::Layout::rank_order);
}

}  // namespace heddle::plans

namespace heddle::reduce_scatter {

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
// Any p: neighbours fold into p' = 2^⌊log2 p⌋ positions (executors/lattice.hpp). An extra rank first sends all blocks
// but its own to its partner, which then answers for both; last, the partner sends the extra rank its block. So here, too, each
// rank sends each block but its own once, and no message is longer for it than the vector.
//
// Rounds:  log2 p; if p is not a power of two ⌊log2 p⌋ + 2, for the fold.
// Bytes:   (p-1)/p · M sent by each rank.
// Time:    log2 p · α + (p-1)/p · M·β where partners' routes share no links; a fold adds about 2α + M·β.
// Limits:  sums of ranks p/2 apart come first, so the op must be commutative. The longest messages go farthest: p/2
//          links on a ring.
// Source:  explainer 01 (Lu) App. B.4; Bine trees (De Sensi et al.) §2; any p by the fold, which B.4 leaves out.

namespace {

void recursive_halving(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op) {
  const auto steps =
      comm.shared_plan<plans::BlockPlan>("recursive halving", [&] { return plans::recursive_halving_plan(comm.size()); });
  plans::BlockExchange(comm, *steps, inout, blocks).reduce_scatter(op);
}

}  // namespace

std::vector<Algorithm> recursive_halving_entries() {
  return {entry({.name = "recursive_halving",
                 .summary = "Partners at distance p/2, p/4, …, 1 exchange halves of the blocks that they still answer for.",
                 .source = "[explainer-01] App. B.4",
                 .needs = {.commutative = true},
                 .rounds = formulas::folded_log2_rounds(),
                 .bytes = formulas::other_blocks_once(),
                 .block_count = formulas::block_per_rank},
                recursive_halving)};
}

}  // namespace heddle::reduce_scatter

namespace heddle::allgather {

// recursive_doubling: partners at distance 1, 2, 4, … swap all that they have; recursive halving backwards.
//
// In step k rank r exchanges with rank r XOR 2^k: each sends all blocks that it has, which doubles them. They are those of the
// 2^k ranks that differ in the lower bits only, one run of the vector.
//
// Picture, p = 4: the blocks that a rank has.
//
//               0              1              2              3
//   start     b0             b1             b2             b3
//   step 0    b0 b1          b0 b1          b2 b3          b2 b3           with 1, 0, 3, 2: one block sent
//   step 1    b0 b1 b2 b3    b0 b1 b2 b3    b0 b1 b2 b3    b0 b1 b2 b3     with 2, 3, 0, 1: two blocks
//
// Any p: neighbours fold into p' = 2^⌊log2 p⌋ positions (executors/lattice.hpp). An extra rank first sends its block to
// its partner, which then speaks for both; last, the partner sends the extra rank all that it lacks.
//
// Rounds:  log2 p; if p is not a power of two ⌊log2 p⌋ + 2, for the fold.
// Bytes:   (p-1)/p · M sent by each rank; the partner on the first position sends p-1 blocks to its extra rank besides, and 2^j
//          + min(2^j, g) in step j, g = p - p' being the number of extra ranks.
// Time:    log2 p · α + (p-1)/p · M·β where partners' routes share no links; a fold adds about 2α + M·β.
// Limits:  the longest messages go farthest: on a ring the last step has p/2 flows on a link. bruck needs no fold.
// Source:  explainer 01 (Lu) App. B.4; any p by the fold, which B.4 leaves out.

namespace {

void recursive_doubling(Communicator& comm, VectorView vector, const BlockPartition& blocks) {
  const auto steps =
      comm.shared_plan<plans::BlockPlan>("recursive halving", [&] { return plans::recursive_halving_plan(comm.size()); });
  plans::BlockExchange(comm, *steps, vector, blocks).allgather();
}

/// Of the partner on the first position: what its 2^j positions have, for all j, then all but its extra rank's block.
std::int64_t recursive_doubling_bytes(const Shape& shape) {
  const plans::Fold fold(shape.ranks);
  std::int64_t blocks = fold.extra_ranks() > 0 ? shape.ranks - 1 : 0;
  for (int positions = 1; positions < fold.positions(); positions *= 2)
    blocks += positions + std::min(positions, fold.extra_ranks());
  return formulas::times(shape.bytes, blocks, shape.ranks);
}

}  // namespace

std::vector<Algorithm> recursive_doubling_entries() {
  return {entry({.name = "recursive_doubling",
                 .summary = "Partners at distance 1, 2, 4, … swap all that they have: recursive_halving backwards.",
                 .source = "[explainer-01] App. B.4",
                 .rounds = formulas::folded_log2_rounds(),
                 .bytes = {"(p-1)/p · M; else (p-1 + Σ(2^j + min(2^j, p-p')))/p · M, j < log2 p'; p' = 2^⌊log2 p⌋",
                           recursive_doubling_bytes},
                 .block_count = formulas::block_per_rank},
                recursive_doubling)};
}

}  // namespace heddle::allgather
