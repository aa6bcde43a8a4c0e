// SPDX-License-Identifier: Apache-2.0
// swing_latency and swing_latency_multiport: recursive doubling along Swing's short cuts.
//
// As in recursive doubling, everyone exchanges its whole vector in each step and adds, and after log2 p steps has the sum over
// all. The partners differ: distance δ(s) = 1, 1, 3, 5, 11, … to alternating sides instead of 1, 2, 4, 8, …, a third less way
// in all, so that messages share fewer links (schedule/butterflies/swing_pattern.hpp). On a grid the steps take turns over the
// dimensions.
//
// Picture, p = 8 on a ring: partners of step 0, 1 and 2.
//
//   0 1 2 3 4 5 6 7       0 1 2 3 4 5 6 7       0 1 2 3 4 5 6 7
//   +-+ +-+ +-+ +-+      -+ +-+ +-+ +-+ +-      +-----+ +-----+
//                                              ---+ +-----+ +---
//
// Even sizes that are no power of two: the last step wants only a part of the partner's sum, that over those who are missing. A
// sum cannot be taken apart, so everyone keeps two from the start (schedule/windows/window_schedule.hpp). Partners and number
// of steps stay Swing's; in some steps between the second and the last both sums go.
//
//   p = 6    rank 0 sums 0 1, then 4 5 0 1, then all: the last step brings 2 3 from rank 3, which has 2 3 4 5
//
// Such a dimension is done from first to last step before the others take turns: two sums in each of two dimensions at once
// would be four. Odd sizes: neighbours fold before the first step and unfold after the last (schedule/butterflies/fold.hpp), so
// that a power of two swings. Without a grid: one dimension of p.
//
// swing_latency uses one port. swing_latency_multiport cuts the vector into 2D slices and runs one such allreduce on each at
// the same time: D plain ones, each starting in another dimension, and D mirrored ones that swing to the other side. In each
// step every port carries one slice, until the shorter dimensions have no steps left. (Swing §3.1.2 speaks of all ports, but
// counts Ψ = D·log2 p, which is that of one: hence two algorithms.)
//
// Rounds:  Σ⌈log2 dᵢ⌉ for even sizes; ⌊log2 dᵢ⌋ + 2 where dᵢ is odd.
// Bytes:   log2 p · M sent by each rank at powers of two; at other even sizes at most (2⌈log2 dᵢ⌉ - 3) · M for the dimension; a
//          rank that is a partner in the fold of an odd one sends (⌊log2 dᵢ⌋ + 1) · M.
// Time:    log2 p · α + M·β·Σ over steps of the flows on the busiest link: on a ring ⌈δ(s)/2⌉ with one port; with
//          both, slices of M/2 and δ(s).
// Limits:  sends log2 p times the vector: for short vectors. Sums grow round the ring on both sides: the op must be
//          commutative. Ranks add up in different orders, so floats may differ in their last bits from rank to rank.
// Source:  Swing (De Sensi et al.) §3.1.2, §4; congestion: Trivance (Jürß et al.) App. B.1; two sums: heddle's own.
#include "algorithms/allreduce/allreduce.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/blocks/ports.hpp"
#include "algorithms/schedule/butterflies/fold.hpp"
#include "algorithms/schedule/butterflies/swing_pattern.hpp"
#include "algorithms/schedule/butterflies/swing_schedule.hpp"

namespace heddle::allreduce {

namespace {

void one_swing(Communicator& comm, const schedule::Lattice& lattice, schedule::SwingPort port, VectorView vector,
               const ReduceOp& op) {
  for (int i = 0; i < lattice.dimensions(); ++i) {
    const int dimension = (port.first_dimension + i) % lattice.dimensions();
    const int size = lattice.size(dimension);
    if (!schedule::swings_by_windows(size)) continue;
    const auto windows = comm.shared_plan<schedule::WindowSchedule>("swing_latency, windows of " + std::to_string(size),
                                                                    [size] { return schedule::swing_windows(size); });
    const int mine = lattice.coordinate(comm.rank(), dimension);
    const bool counts_forwards = (mine % 2 == 0) == (port.swing == schedule::Swing::plain);
    schedule::allreduce_by_windows(comm, *windows, vector, op, [&](int place) {
      const int away = counts_forwards ? place : -place;
      return lattice.neighbor(comm.rank(), dimension, ((mine + away) % size + size) % size);
    });
  }
  const auto others = schedule::swing_vector_schedule(lattice, port, comm.rank(), schedule::swings_by_windows);
  schedule::exchange_vectors(comm, others, vector, op);
}

}  // namespace

void swing_latency(Communicator& comm, VectorView inout, const ReduceOp& op) {
  require_commutative("swing_latency", op);
  if (comm.size() == 1 || inout.empty()) return;
  const schedule::Lattice lattice(comm.grid(), comm.size());
  one_swing(comm, lattice, schedule::swing_port(0, lattice.dimensions()), inout, op);
}

void swing_latency_multiport(Communicator& comm, VectorView inout, const ReduceOp& op) {
  require_commutative("swing_latency_multiport", op);
  require_grid("swing_latency_multiport", comm);
  if (comm.size() == 1 || inout.empty()) return;
  const schedule::Lattice lattice(comm.grid(), comm.size());
  schedule::on_ports(comm, 2 * lattice.dimensions(), inout, [&](int port, Communicator& task, VectorView slice) {
    one_swing(task, lattice, schedule::swing_port(port, lattice.dimensions()), slice, op);
  });
}

namespace {

int swing_latency_rounds(const Shape& shape) {
  return formulas::sum_over_dimensions(shape, [](int size) {
    return schedule::swings_by_windows(size) ? schedule::swing_steps(size)
                                             : formulas::floor_log2(size) + 2 * formulas::folds(size);
  });
}

std::int64_t swing_latency_bytes(const Shape& shape) {
  return shape.bytes * formulas::sum_over_dimensions(shape, [](int size) {
           return schedule::swings_by_windows(size) ? schedule::swing_windows(size).vectors()
                                                    : formulas::floor_log2(size) + formulas::folds(size);
         });
}

}  // namespace

std::vector<Algorithm> swing_latency_rows() {
  return {{.collective = Collective::allreduce,
           .name = "swing_latency",
           .summary = "Whole vectors exchanged along Swing's short cuts, dimension by dimension in turn, through one port.",
           .source = "[swing] §3.1.2, §4",
           .needs = {.commutative = true},
           .rounds = {"Σ⌈log2 dᵢ⌉; ⌊log2 dᵢ⌋ + 2 where dᵢ is odd", swing_latency_rounds},
           .bytes = {"Σ⌈log2 dᵢ⌉ · M, up to Σ(2⌈log2 dᵢ⌉ - 3) where dᵢ is even and no power of two", swing_latency_bytes},
           .granule = formulas::one_element,
           .run = as_allreduce(swing_latency),
           .same_bits = false},
          {.collective = Collective::allreduce,
           .name = "swing_latency_multiport",
           .summary = "Whole slices exchanged along Swing's short cuts through all 2D ports, plain and mirrored.",
           .source = "[swing] §3.1.2, §4",
           .needs = {.commutative = true, .grid = true},
           .rounds = {"Σ⌈log2 dᵢ⌉; ⌊log2 dᵢ⌋ + 2 where dᵢ is odd", swing_latency_rounds},
           .bytes = {"Σ⌈log2 dᵢ⌉ · M, up to Σ(2⌈log2 dᵢ⌉ - 3) where dᵢ is even and no power of two", swing_latency_bytes},
           .messages_a_round = formulas::message_per_port,
           .granule = formulas::element_per_port,
           .run = as_allreduce(swing_latency_multiport),
           .tasks_share_credits = true,
           .same_bits = false}};
}

}  // namespace heddle::allreduce
