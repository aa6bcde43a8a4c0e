// SPDX-License-Identifier: Apache-2.0
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
// Any p: neighbours fold into p' = 2^⌊log2 p⌋ positions (schedule/butterflies/fold.hpp). An extra rank first sends its block to
// its partner, which then speaks for both; last, the partner sends the extra rank all that it lacks.
//
// Rounds:  log2 p; if p is not a power of two ⌊log2 p⌋ + 2, for the fold.
// Bytes:   (p-1)/p · M sent by each rank; the partner on the first position sends p-1 blocks to its extra rank besides, and 2^j
//          + min(2^j, g) in step j, g = p - p' being the number of extra ranks.
// Time:    log2 p · α + (p-1)/p · M·β where partners' routes share no links; a fold adds about 2α + M·β.
// Limits:  the longest messages go farthest: on a ring the last step has p/2 flows on a link. bruck needs no fold.
// Source:  explainer 01 (Lu) App. B.4; any p by the fold, which B.4 leaves out.
#include "algorithms/allgather/allgather.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/blocks/block_exchange.hpp"
#include "algorithms/schedule/butterflies/fold.hpp"
#include "algorithms/schedule/butterflies/recursive_halving.hpp"

namespace heddle::allgather {

void recursive_doubling(Communicator& comm, VectorView vector, const BlockPartition& blocks) {
  const int p = comm.size();
  if (p == 1 || vector.empty()) return;

  const auto steps =
      comm.shared_plan<schedule::BlockSchedule>("recursive halving", [p] { return schedule::recursive_halving_schedule(p); });
  schedule::BlockExchange(comm, *steps, vector, blocks).allgather();
}

namespace {

/// Of the partner on the first position: what its 2^j positions have, for all j, then all but its extra rank's block.
std::int64_t recursive_doubling_bytes(const Shape& shape) {
  const schedule::Fold fold(shape.ranks);
  std::int64_t blocks = fold.extra_ranks() > 0 ? shape.ranks - 1 : 0;
  for (int positions = 1; positions < fold.positions(); positions *= 2)
    blocks += positions + std::min(positions, fold.extra_ranks());
  return formulas::times(shape.bytes, blocks, shape.ranks);
}

}  // namespace

std::vector<Algorithm> recursive_doubling_rows() {
  return {{.collective = Collective::allgather,
           .name = "recursive_doubling",
           .summary = "Partners at distance 1, 2, 4, … swap all that they have: recursive_halving backwards.",
           .source = "[explainer-01] App. B.4",
           .needs = {},
           .rounds = formulas::folded_log2_rounds(),
           .bytes = {"(p-1)/p · M; else (p-1 + Σ(2^j + min(2^j, p-p')))/p · M, j < log2 p'; p' = 2^⌊log2 p⌋",
                     recursive_doubling_bytes},
           .granule = formulas::block_per_rank,
           .run = as_allgather(recursive_doubling)}};
}

}  // namespace heddle::allgather
