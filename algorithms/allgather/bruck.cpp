// SPDX-License-Identifier: Apache-2.0
// bruck: dissemination; what a rank has doubles in every round, for any p.
//
// In round k every rank has its own block and those of the 2^k - 1 ranks after it. It sends them to the rank 2^k before it and
// gets as many from the rank 2^k after it, which follow on what it has; in the last round only as many as are missing.
//
// Picture, p = 5: the blocks that a rank has.
//
//               0             1             2             3             4
//   start     0             1             2             3             4
//   round 0   0 1           1 2           2 3           3 4           4 0            from the rank 1 after it
//   round 1   0 1 2 3       1 2 3 4       2 3 4 0       3 4 0 1       4 0 1 2        from the rank 2 after it
//   round 2   0 1 2 3 4     1 2 3 4 0     2 3 4 0 1     3 4 0 1 2     4 0 1 2 3      the last one, from the rank 4 after it
//
// Bruck's own version keeps the blocks in this order and turns them round at the end; here each is received in its place, in
// two runs where the ranks' numbers wrap.
//
// Rounds:  ⌈log2 p⌉, the least there is on one port.
// Bytes:   (p-1)/p · M sent by each rank.
// Time:    ⌈log2 p⌉·α + (p-1)/p · M·β where no two messages of a round share a link.
// Limits:  the longest messages go farthest: p/2 links on a ring.
// Source:  Bruck et al., Efficient Algorithms for All-to-All Communications in Multiport Message-Passing Systems (1997);
//          Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms §2.1, whose power-of-two skips it takes
//          backwards.
#include "algorithms/allgather/allgather.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/blocks/block_exchange.hpp"
#include "algorithms/schedule/skips/skip_schedule.hpp"

namespace heddle::allgather {

void bruck(Communicator& comm, VectorView vector, const BlockPartition& blocks) {
  const int p = comm.size();
  if (p == 1 || vector.empty()) return;

  const auto steps = comm.shared_plan<schedule::SkipSchedule>("bruck", [p] {
    schedule::SkipRounds falling;
    for (int skip = 1; skip < p; skip *= 2) falling.insert(falling.begin(), {skip});
    return schedule::SkipSchedule(p, falling);
  });
  schedule::BlockExchange(comm, *steps, vector, blocks).allgather();
}

std::vector<Algorithm> bruck_rows() {
  return {{.collective = Collective::allgather,
           .name = "bruck",
           .summary = "Dissemination: all that a rank has, to the ranks 1, 2, 4, … before it; as few rounds for any p.",
           .source = "[bruck-1997]; [traeff] §2.1",
           .needs = {},
           .rounds = formulas::log2_rounds(),
           .bytes = formulas::other_blocks_once(),
           .granule = formulas::block_per_rank,
           .run = as_allgather(bruck)}};
}

}  // namespace heddle::allgather
