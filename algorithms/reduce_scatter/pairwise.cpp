// SPDX-License-Identifier: Apache-2.0
// pairwise: every contribution goes straight to the owner of its block, which combines them in rank order.
//
// In round t = 1 … p-1 rank r sends its contribution to block r+t to rank r+t and gets rank r-t's contribution to its own
// block. Contributions come in falling rank order, from r-1 down to 0, then from p-1 down to r+1. The owner puts those from
// below to the left of its own as they come. Those from above belong on the right, the last one innermost, so they are summed
// apart and joined at the end.
//
// Picture, p = 4: what the owners have after each round; 31 is what rank 3 contributes to block 1.
//
//             0                 1                 2                 3
//   start     00                11                22                33
//   round 1   00         30     01 11             12 22             23 33
//   round 2   00      20 30     01 11      31     02 12 22          13 23 33
//   round 3   00   10 20 30     01 11   21 31     02 12 22    32    03 13 23 33
//   joined    00 10 20 30       01 11 21 31       02 12 22 32       03 13 23 33
//
// Rounds:  p-1.
// Bytes:   (p-1)/p · M sent by each rank.
// Time:    (p-1)·α + (p-1)/p · M·β where every two ranks have a path of their own.
// Limits:  the latency grows with p, and on a ring or torus messages go far: bytes times links are p/4 times those of ring.
// Source:  explainer 01 (Lu) §7.2 has the exchange as an all-to-all; as a reduce-scatter it is in Thakur, Rabenseifner and
//          Gropp, Optimization of Collective Communication Operations in MPICH (2005).
#include "algorithms/reduce_scatter/reduce_scatter.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"

namespace heddle::reduce_scatter {

void pairwise(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op) {
  const int p = comm.size();
  const int rank = comm.rank().value();
  if (p == 1 || inout.empty()) return;

  const VectorView own = blocks.block(inout, rank);
  Buffer scratch(inout.type(), 2 * own.count());
  const VectorView incoming = scratch.view().slice(0, own.count());
  const VectorView from_above = scratch.view().slice(own.count(), own.count());
  for (int round = 1; round < p; ++round) {
    const int dest = (rank + round) % p;
    const int source = (rank + p - round) % p;
    const bool is_first_from_above = source == p - 1;
    comm.sendrecv(Rank(dest), blocks.block(inout, dest), Rank(source), is_first_from_above ? from_above : incoming);
    if (!is_first_from_above) comm.reduce_into(source < rank ? own : from_above, incoming, op, Side::left);
  }
  if (rank < p - 1) comm.reduce_into(own, from_above, op, Side::right);
}

std::vector<Algorithm> pairwise_rows() {
  return {{.collective = Collective::reduce_scatter,
           .name = "pairwise",
           .summary = "Every contribution goes straight to its block's owner, one in each round; keeps rank order.",
           .source = "[explainer-01] §7.2; [thakur-2005]",
           .needs = {},
           .rounds = formulas::round_per_peer(),
           .bytes = formulas::other_blocks_once(),
           .granule = formulas::block_per_rank,
           .run = as_reduce_scatter(pairwise),
           .other_names = {{"direct"}}}};
}

}  // namespace heddle::reduce_scatter
