// SPDX-License-Identifier: Apache-2.0
// trivance_latency: whole vectors exchanged with one peer on either side at once, three times as far in each step.
//
// After step k a rank has the sum over all ranks within (3^(k+1) - 1)/2 on either side, its window. In the next step it gets
// the sums of the windows to the right and to the left of it and adds both to its own: three times as many. log2 p steps become
// log3 p, with both ports of the ring in use.
//
// Picture, p = 9 on a ring: the windows of rank 0, and those that it gets.
//
//   step 0   [8] 0 [1]                                with 1 and 8: distance 1
//   step 1   [5 6 7] 8 0 1 [2 3 4]                    with 3 and 6: distance 3
//
// Sizes that are no power of three: the last step wants less than whole windows, 3^⌊log3 n⌋ places being in and fewer missing.
// A sum cannot be taken apart, so the part that will be wanted is summed beside the whole from the start: a second running sum,
// often a third (schedule/windows/window_schedule.hpp). With p = 7 a rank keeps of -1 0 1 the sums 0 1 and -1 0 as well, which
// the ranks at distance 2 want. Which parts are at hand depends on where the steps before ended; the windows are chosen so that
// messages are one vector long and windows grow by as much as the distance (schedule/windows/trivance_pattern.cpp): then p/2
// vectors pass a link in all, the least possible, as where p is a power of three. For p = 8 and 16 these are the source's
// distances 1, 3 and 1, 3, 4. At 32 it has 1, 3, 9, 3: what is to go 3 far in the last step would have to go along in the steps
// before; here they are 1, 3, 4, 8. At some sizes next below a power of three (25, 26, 65, …) there are no such windows: a
// message of two vectors or more goes in some steps.
//
// On a grid the vector is cut into D slices, each with an allreduce of its own along one dimension after the other, starting in
// another dimension each: all 2D ports are in use.
//
// Rounds:  Σ⌈log3 dᵢ⌉ for every size.
// Bytes:   2·Σ⌈log3 dᵢ⌉ · M sent by each rank: a slice of M/D to either side in every step. Some sizes send a little more, and
//          those that lack one or two ranks to either side in a step less.
// Time:    Σ⌈log3 dᵢ⌉ · α + M/D·β·Σ over the dimensions of the distances, 3^k in step k: (dᵢ - 1)/2 in all.
// Limits:  sends the whole vector in every step: for short vectors. Sums grow round the ring on both sides: the op must be
//          commutative. Ranks add up in different orders, so floats may differ in their last bits from rank to rank.
// Source:  Trivance (Jürß, Addanki, Schmid) §4.2, §4.4, §5, App. A and B.1; several sums: heddle's own.
#include "algorithms/allreduce/allreduce.hpp"

#include <cstdint>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/rows/pattern_rounds.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/windows/trivance_pattern.hpp"

namespace heddle::allreduce {

void trivance_latency(Communicator& comm, VectorView inout, const ReduceOp& op) {
  require_commutative("trivance_latency", op);
  if (comm.size() == 1 || inout.empty()) return;
  schedule::allreduce_by_windows(comm, "trivance_latency", schedule::trivance_windows, inout, op);
}

namespace {

std::int64_t trivance_latency_bytes(const Shape& shape) {
  return formulas::sum_over_dimensions(shape, [](int size) { return schedule::trivance_windows(size).vectors(); }) *
         shape.bytes;
}

}  // namespace

std::vector<Algorithm> trivance_latency_rows() {
  return {{.collective = Collective::allreduce,
           .name = "trivance_latency",
           .summary = "Whole vectors exchanged with a peer on either side, three times as far in each step, on all 2D ports.",
           .source = "[trivance] §4.2, §4.4, §5",
           .needs = {.commutative = true},
           .rounds = formulas::trivance_rounds(),
           .bytes = {"2Σ⌈log3 dᵢ⌉ · M, a few more or less at some sizes that are no power of three", trivance_latency_bytes},
           .messages_a_round = formulas::message_per_port,
           .granule = formulas::element_per_dimension,
           .run = as_allreduce(trivance_latency),
           .tasks_share_credits = true,
           .same_bits = false}};
}

}  // namespace heddle::allreduce
