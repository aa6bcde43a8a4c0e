// SPDX-License-Identifier: Apache-2.0
// trivance_bandwidth: a reduce-scatter, then an allgather, in log3 p steps each, with one peer on either side at once.
//
// The vector is cut into p blocks. In each step a rank sends to the peers at distance 3^k to the right and to the left the sums
// of those blocks that they, or those whom they will reach later, are to have: a third of what it holds to each. It adds what
// it gets from both to the third that it keeps. The first steps carry most and go least far. After the last a rank holds its
// own block, complete; the allgather takes the same steps backwards.
//
// The rounds as the paper writes them, on a ring of n = p: paper::trivance_round in schedule/windows/trivance_pattern.hpp.
// Beside it is what runs, trivance_paths; tests hold that both send the same.
//
//   ρ(k)          = 3^k
//   π(r, k)       = r - ρ(k) and r + ρ(k), modulo n                                                §4.1
//   reached(r, k) = both π(r, j), and reached(π(r, j), j + 1), for all steps j ≥ k                 §4.3, Algorithm 1
//   step k:         r sends either q of π(r, k) the blocks {q} ∪ reached(q, k + 1)
//
// Picture, p = 9 on a ring: the blocks that rank 0 holds and what it sends.
//
//   step 0   holds 0 1 2 3 4 5 6 7 8   sends 1 4 7 to rank 1, 2 5 8 to rank 8      distance 1
//   step 1   holds 0     3     6       sends     3 to rank 3,     6 to rank 6      distance 3
//   done     holds 0
//
// A rank's blocks are laid out in an order in which they are side by side (schedule/windows/lattice_skip_schedule.hpp), as an
// allreduce need not care.
//
// Sizes that are no power of three: the distances are 3^k for k < ⌊log3 n⌋ and ⌈(n - 3^⌊log3 n⌋)/2⌉, the nearest first. Several
// ways may lead to a rank; a block takes the one that sets out last, and of two in one step that to the side which carries
// less.
//
//   p = 7    step 0   sends 1 3 to rank 1, 4 6 to rank 6       1 and 6 could go by either
//            step 1   sends   2 to rank 2, 5   to rank 5
//
// On a grid the steps take turns over the dimensions, and the vector is cut into D slices, each with a collective of its own
// starting in another dimension: all 2D ports are in use until the shorter dimensions have no steps left.
//
// Rounds:  2·Σ⌈log3 dᵢ⌉ for every size.
// Bytes:   2(p-1)/p · M sent by each rank, for every p: each block but its own once per phase.
// Time:    2·log3 p · α + ⅔·log3 p · M·β on a ring of 3^s, where a third of a slice passes each link in every step. On a square
//          torus of D dimensions, 3^s each, 2·Σ_{d,k} 3^k/3^(1+d+Dk) · M/D·β: for many ranks 4/3 of M·β/D in two dimensions,
//          13/12 in three.
// Limits:  the op must be commutative. Sizes that are no power of three have links carry up to about twice as much.
// Source:  Trivance (Jürß, Addanki, Schmid) §4.1, §4.3, §4.4, §5, App. B. It has the odd distance last; the less loaded of two
//          directions is its authors' simulation's.
#include "algorithms/allreduce/allreduce.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/rows/pattern_rounds.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/windows/lattice_skip_exchange.hpp"
#include "algorithms/schedule/windows/trivance_pattern.hpp"

namespace heddle::allreduce {

void trivance_bandwidth(Communicator& comm, VectorView inout, const ReduceOp& op) {
  require_commutative("trivance_bandwidth", op);
  if (comm.size() == 1 || inout.empty()) return;
  schedule::allreduce_by_skips(comm, schedule::trivance_pattern(), inout, op);
}

std::vector<Algorithm> trivance_bandwidth_rows() {
  return {
      {.collective = Collective::allreduce,
       .name = "trivance_bandwidth",
       .summary = "Reduce-scatter and allgather with a peer on either side, three times as far in each step, on all 2D ports.",
       .source = "[trivance] §4.1, §4.3, §4.4, §5",
       .needs = {.commutative = true},
       .rounds = formulas::two_trivance_rounds(),
       .bytes = formulas::all_blocks_twice(),
       .messages_a_round = formulas::message_per_port,
       .granule = formulas::block_per_rank_and_dimension,
       .run = as_allreduce(trivance_bandwidth),
       .tasks_share_credits = true}};
}

}  // namespace heddle::allreduce
