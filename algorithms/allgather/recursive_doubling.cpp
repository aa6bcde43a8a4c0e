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
// Any p: neighbours fold into p' = 2^⌊log2 p⌋ seats (schedule/fold.hpp). A guest first sends its block to its host, which then
// speaks for both; last, the host sends the guest all that it lacks.
//
// Rounds:  log2 p; if p is not a power of two ⌊log2 p⌋ + 2, for the fold.
// Bytes:   (p-1)/p · M sent by each rank; the host on the first seat sends p-1 blocks to its guest besides, and 2^j + min(2^j,
// g)
//          in step j, g = p - p' being the number of guests.
// Time:    log2 p · α + (p-1)/p · M·β where partners' routes share no links; a fold adds about 2α + M·β.
// Limits:  the longest messages go farthest: on a ring the last step has p/2 flows on a link. bruck needs no fold.
// Source:  explainer 01 (Lu) App. B.4; any p by the fold, which B.4 leaves out.
#include "algorithms/allgather/recursive_doubling.hpp"

#include "algorithms/schedule/block_exchange.hpp"
#include "algorithms/schedule/recursive_halving.hpp"

namespace heddle::allgather {

void recursive_doubling(Communicator& comm, VectorView vector, const BlockPartition& blocks) {
  const int p = comm.size();
  if (p == 1 || vector.empty()) return;

  const auto steps =
      comm.shared_plan<schedule::BlockSchedule>("recursive halving", [p] { return schedule::recursive_halving_schedule(p); });
  schedule::BlockExchange(comm, *steps, vector, blocks).allgather();
}

}  // namespace heddle::allgather
