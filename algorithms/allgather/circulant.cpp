// SPDX-License-Identifier: Apache-2.0
// circulant: an allgather in ⌈log2 p⌉ rounds, for any p: the circulant reduce-scatter backwards.
//
// There, blocks went to their owner by skips that fell from ⌈p/2⌉ to 1, and sums met on the way. Here the skips rise from 1,
// and copies part where sums met: a rank holds the blocks rank, rank + 1, … up to the skip (modulo p), asks rank + skip for as
// many behind them as it needs, and passes its own first ones to rank - skip.
//
// Picture, p = 7, the offsets of the blocks that every rank holds and gets:
//
//   skip 1   holds 0               gets 1 from rank + 1
//   skip 2   holds 0 1             gets 2 3 from rank + 2
//   skip 4   holds 0 1 2 3         gets 4 5 6 from rank + 4
//   done     holds 0 1 2 3 4 5 6
//
// The other lists of skips (schedule/skips/circulant_skips.hpp) work backwards, too; power_of_two is Bruck's allgather.
//
// Rounds:  ⌈log2 p⌉ for halving and power_of_two; as many as skips.
// Bytes:   (p-1)/p · M sent by each rank and as many received.
// Time:    ⌈log2 p⌉ · α + (p-1)/p · M·β where routes share no links.
// Limits:  on a ring or torus long skips share links, and they come last, with the most blocks.
// Source:  Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms, §2.2, Algorithm 2's second phase.
#include "algorithms/allgather/allgather.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/circulant_row.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/blocks/block_exchange.hpp"

namespace heddle::allgather {

void circulant(Communicator& comm, VectorView vector, const BlockPartition& blocks, const schedule::CirculantSkips& skips) {
  if (vector.empty()) return;
  const auto plan = schedule::circulant_plan(comm, skips);
  schedule::BlockExchange(comm, *plan, vector, blocks).allgather();
}

namespace {

Algorithm circulant_with(const schedule::CirculantSkips& skips) {
  return circulant_row(
      skips, {.collective = Collective::allgather,
              .summary = "The circulant reduce-scatter backwards, on skips that double up to p; any p in fewest rounds.",
              .source = "[traeff] §2.2, Algorithm 2",
              .phases = 1,
              .run = as_allgather([skips](Communicator& comm, VectorView vector, const BlockPartition& blocks) {
                circulant(comm, vector, blocks, skips);
              }),
              .with = circulant_with});
}

}  // namespace

std::vector<Algorithm> circulant_rows() { return {circulant_with(schedule::CirculantSkips())}; }

}  // namespace heddle::allgather
