// SPDX-License-Identifier: Apache-2.0
// circulant: the circulant reduce-scatter, then the circulant allgather, for any p with the fewest blocks that there can be.
//
// The vector is cut into p blocks. On skips that halve from p to 1 every rank sums up its own block
// (reduce_scatter/circulant.cpp), and on the same skips backwards it gets all others (allgather/circulant.cpp).
//
// The rounds as the paper writes them, for rank r, all ranks and blocks modulo p: paper::circulant_round and its undoing,
// paper::circulant_round_back, in schedule/skips/circulant_skips.hpp. Beside them is what runs, circulant_schedule; tests hold
// that both send the same. R[i] is block r + i.
//
//   s = p
//   while s > 1:   s', s = s, ⌈s/2⌉                                                                Algorithm 2
//                  R[s … s'-1] goes to r + s; what comes from r - s is added to R[0 … s'-s-1]
//   while s < p:   s' = the skip before s, p before the first
//                  R[0 … s'-s-1] goes to r - s; what comes from r + s is R[s … s'-1];   s = s'
//
// Picture, p = 5: the offsets of the blocks (block - rank, modulo p) that every rank holds.
//
//   start    0 1 2 3 4
//   skip 3   0 1 2         sends 3 4 to rank + 3
//   skip 2   0 1           sends   2 to rank + 2
//   skip 1   0             sends   1 to rank + 1
//   skip 1   0 1           gets    1 from rank + 1
//   skip 2   0 1 2         gets    2 from rank + 2
//   skip 3   0 1 2 3 4     gets  3 4 from rank + 3
//
// Rounds:  2⌈log2 p⌉ for halving and power_of_two; twice as many as skips.
// Bytes:   2(p-1)/p · M sent by each rank and as many received, (p-1)/p · M reduced: the least for any p.
// Time:    2⌈log2 p⌉ · α + 2(p-1)/p · M·β where routes share no links.
// Limits:  the op must be commutative but for linear skips. On a ring or torus long skips share links.
// Source:  Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms, §2.2, Algorithm 2, Theorem 2.
#include "algorithms/allreduce/allreduce.hpp"

#include <vector>

#include "algorithms/allgather/allgather.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/circulant_row.hpp"
#include "algorithms/registry/signatures.hpp"

namespace heddle::allreduce {

void circulant(Communicator& comm, VectorView inout, const ReduceOp& op, const schedule::CirculantSkips& skips) {
  const BlockPartition blocks(inout.count(), comm.size());
  reduce_scatter::circulant(comm, inout, blocks, op, skips);
  allgather::circulant(comm, inout, blocks, skips);
}

namespace {

Algorithm circulant_with(const schedule::CirculantSkips& skips) {
  return circulant_row(
      skips,
      {.collective = Collective::allreduce,
       .summary = "Reduce-scatter and allgather on skips that halve from p to 1: fewest rounds and least bytes for any p.",
       .source = "[traeff] §2.2, Algorithm 2",
       .phases = 2,
       .run = as_allreduce(
           [skips](Communicator& comm, VectorView inout, const ReduceOp& op) { circulant(comm, inout, op, skips); }),
       .with = circulant_with});
}

}  // namespace

std::vector<Algorithm> circulant_rows() { return {circulant_with(schedule::CirculantSkips())}; }

}  // namespace heddle::allreduce
