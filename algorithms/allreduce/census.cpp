// SPDX-License-Identifier: Apache-2.0
// census: whole vectors by doubling windows of ranks, in the fewest rounds that there can be, for any p.
//
// A rank's sum is over a window of ranks that begins with itself. In each round the window doubles, by the sum of the rank
// whose window begins where its own ends. Where p is no power of two, windows would overlap in the end and contributions count
// twice; so some rounds grow from w to 2w - 1 only. What they add is another rank's window without that rank, a second running
// sum that every rank keeps. Halve p, rounded up, until 1: read backwards these are the windows.
//
// Picture, p = 7: the window of rank 0, and what it gets.
//
//   start              0
//   round 0   w → 2w   0 [1]                  the sum of rank 1
//   round 1   w → 2w   0 1 [2 3]              the sum of rank 2
//   round 2   w → 2w-1 0 1 2 3 [4 5 6]        the sum of rank 3 without 3 itself
//
// Every rank does the same, turned. It is bruck_latency with one port (schedule/windows/bruck_pattern.hpp), on ranks in a
// circle whatever the grid. A fold (recursive_doubling) takes one round more where p is no power of two.
//
// Rounds:  ⌈log2 p⌉.
// Bytes:   ⌈log2 p⌉ · M sent by each rank; up to twice as many reduced where p is no power of two.
// Time:    ⌈log2 p⌉ · (α + M·β) where routes share no links.
// Limits:  the op must be commutative: windows go round the circle. Ranks add up in different orders, so floats may differ in
//          their last bits from rank to rank. Many more bytes than a reduce-scatter and an allgather.
// Source:  Bar-Noy, Kipnis and Schieber, An optimal algorithm for computing census functions in message-passing systems (1993),
//          as referred to by Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms, §1.
#include "algorithms/allreduce/allreduce.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/windows/bruck_pattern.hpp"

namespace heddle::allreduce {

void census(Communicator& comm, VectorView inout, const ReduceOp& op) {
  require_commutative("census", op);
  const int p = comm.size();
  if (p == 1 || inout.empty()) return;
  const auto windows = comm.shared_plan<schedule::WindowSchedule>("census", [p] { return schedule::bruck_windows(p, 1); });
  const int rank = comm.rank().value();
  schedule::allreduce_by_windows(comm, *windows, inout, op, [&](int place) { return Rank(((rank + place) % p + p) % p); });
}

std::vector<Algorithm> census_rows() {
  return {{.collective = Collective::allreduce,
           .name = "census",
           .summary = "Whole vectors over windows of ranks that double, or double but one: fewest rounds for any p.",
           .source = "[bar-noy-1993]; [traeff] §1",
           .needs = {.commutative = true},
           .rounds = formulas::log2_rounds(),
           .bytes = formulas::log2_vectors(),
           .granule = formulas::one_element,
           .run = as_allreduce(census),
           .same_bits = false}};
}

}  // namespace heddle::allreduce
