// SPDX-License-Identifier: Apache-2.0
// circulant: a reduce-scatter in ⌈log2 p⌉ rounds, for any p, with the fewest blocks that there can be.
//
// A rank names blocks by their offset, the way that they have to go: R[i] is its partial sum of block rank + i (modulo p, as
// all here). In a round with skip s every rank sends to rank + s all R[i] with i ≥ s that it still holds. There block rank + i
// has offset i - s, so what comes in from rank - s is added to R[0], R[1], …. The next skip is s halved, rounded up. After skip
// 1 only R[0] is left: the rank's own block, complete.
//
// The rounds as the paper writes them, for rank r, all ranks and blocks modulo p: paper::circulant_round in
// schedule/skips/circulant_skips.hpp. Beside it is what runs, circulant_schedule; tests hold that both send the same.
//
//   s = p
//   while s > 1:   s', s = s, ⌈s/2⌉                                                                Algorithm 1
//                  R[s … s'-1] goes to r + s: blocks r + s … r + s'-1
//                  what comes from r - s is added to R[0 … s'-s-1]
//
// Picture, p = 7, the offsets that every rank holds and sends:
//
//   skip 4   holds 0 1 2 3 4 5 6   sends 4 5 6 to rank + 4, adds three blocks to 0 1 2
//   skip 2   holds 0 1 2 3         sends   2 3 to rank + 2, adds two to 0 1
//   skip 1   holds 0 1             sends     1 to rank + 1, adds one to 0
//   done     holds 0
//
// For each block the messages are a tree to its owner. At p = 22 the owner, rank 21, hears from 10, 15, 18, 19 and 20, which
// have added up 1, 2, 4, 6 and 8 contributions.
//
// Skips need not halve: those of any other list will do of which every offset is a sum (schedule/skips/circulant_skips.hpp).
// The rule above, the source's, needs a skip of at least half of what is held, because R[s] cannot be sent and added to at
// once; for other lists schedule/skips/skip_schedule.hpp finds which offsets go in which round.
//
// With linear skips, p-1 … 1, every rank sends each contribution straight to its owner, who hears from rank + 1, rank + 2, …,
// p-1, 0, …, rank - 1. Summed up in two parts, from its own on and from 0 on, they keep rank order.
//
// Rounds:  ⌈log2 p⌉ for halving and power_of_two; as many as skips.
// Bytes:   (p-1)/p · M sent by each rank, as many received and reduced.
// Time:    ⌈log2 p⌉ · α + (p-1)/p · M·β where routes share no links. If one block has all elements: up to ⌈log2 p⌉(α + M·β).
// Limits:  the op must be commutative but for linear skips. On a ring or torus long skips share links.
// Source:  Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms, Algorithm 1, Theorem 1, Corollaries 1 to 3.
#include "algorithms/reduce_scatter/reduce_scatter.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/circulant_row.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/blocks/block_exchange.hpp"

namespace heddle::reduce_scatter {

namespace {

/// Linear skips: p-1 rounds, each with one contribution in it, straight from where it is.
void in_rank_order(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op) {
  const int p = comm.size();
  const int rank = comm.rank().value();
  const VectorView own = blocks.block(inout, rank);  // becomes the sum of rank … p-1
  Buffer from_below(own.type(), own.count());        // becomes the sum of 0 … rank-1
  Buffer incoming(own.type(), own.count());
  for (int skip = p - 1; skip >= 1; --skip) {
    const int to = schedule::moved_by(rank, skip, p);
    const int from = schedule::moved_by(rank, -skip, p);
    const VectorView into = from == 0 ? from_below.view() : incoming.view();
    std::vector<Request> requests;
    if (!own.empty()) requests.push_back(comm.irecv(Rank(from), into));
    if (const VectorView sent = blocks.block(inout, to); !sent.empty()) requests.push_back(comm.isend(Rank(to), sent));
    comm.wait_all(requests);
    if (own.empty() || from == 0) continue;
    comm.reduce_into(from > rank ? own : from_below.view(), into, op, Side::right);
  }
  if (rank > 0 && !own.empty()) comm.reduce_into(own, from_below.view(), op, Side::left);
}

}  // namespace

void circulant(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op,
               const schedule::CirculantSkips& skips) {
  const bool linear = skips.kind() == schedule::CirculantSkips::Kind::linear;
  if (!linear) require_commutative("circulant", op);
  if (inout.empty()) return;
  if (linear) return in_rank_order(comm, inout, blocks, op);
  const auto plan = schedule::circulant_plan(comm, skips);
  schedule::BlockExchange(comm, *plan, inout, blocks).reduce_scatter(op);
}

namespace {

Algorithm circulant_with(const schedule::CirculantSkips& skips) {
  return circulant_row(
      skips,
      {.collective = Collective::reduce_scatter,
       .summary =
           "Partial sums of half of the offsets after the other, on skips that halve from p to 1; any p in fewest rounds.",
       .source = "[traeff] §2.1, Algorithm 1",
       .phases = 1,
       .run = as_reduce_scatter([skips](Communicator& comm, VectorView inout, const BlockPartition& blocks,
                                        const ReduceOp& op) { circulant(comm, inout, blocks, op, skips); }),
       .with = circulant_with});
}

}  // namespace

std::vector<Algorithm> circulant_rows() { return {circulant_with(schedule::CirculantSkips())}; }

}  // namespace heddle::reduce_scatter
