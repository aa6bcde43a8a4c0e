// SPDX-License-Identifier: Apache-2.0
// swing_latency and swing_latency_multiport: recursive doubling along Swing's short cuts.
//
// As in recursive doubling, everyone exchanges its whole vector in each step and adds, and after log2 p steps has the sum over
// all. The partners differ: distance δ(s) = 1, 1, 3, 5, 11, … to alternating sides instead of 1, 2, 4, 8, …, a third less way
// in all, so that messages share fewer links (schedule/swing_pattern.hpp). On a grid the steps take turns over the dimensions.
//
// Picture, p = 8 on a ring: partners of step 0, 1 and 2.
//
//   0 1 2 3 4 5 6 7       0 1 2 3 4 5 6 7       0 1 2 3 4 5 6 7
//   +-+ +-+ +-+ +-+      -+ +-+ +-+ +-+ +-      +-----+ +-----+
//                                              ---+ +-----+ +---
//
// Any size: in a dimension that is no power of two neighbours fold before the first step and unfold after the last
// (schedule/fold.hpp); the seats swing. Without a grid: one dimension of p.
//
// swing_latency uses one port. swing_latency_multiport cuts the vector into 2D slices and runs one such allreduce on each at
// the same time: D plain ones, each starting in another dimension, and D mirrored ones that swing to the other side. In each
// step every port carries one slice, until the shorter dimensions have no steps left. (Swing §3.1.2 speaks of all ports, but
// counts Ψ = D·log2 p, which is that of one: hence two algorithms.)
//
// Rounds:  log2 p; in general Σ⌊log2 dᵢ⌋ + 2F, F the number of dimensions whose size is no power of two.
// Bytes:   log2 p · M sent by each rank; with folds the rank that hosts in all F sends (Σ⌊log2 dᵢ⌋ + F) · M.
// Time:    log2 p · α + M·β·Σ over steps of the flows on the busiest link: on a ring ⌈δ(s)/2⌉ with one port; with
//          both, slices of M/2 and δ(s).
// Limits:  sends log2 p times the vector: for short vectors. Sums grow round the ring on both sides: the op must be
// commutative. Source:  Swing (De Sensi et al.) §3.1.2, §4; congestion: Trivance (Jürß et al.) App. B.1.
#include "algorithms/allreduce/swing.hpp"
#include "algorithms/requirements.hpp"
#include "algorithms/schedule/ports.hpp"
#include "algorithms/schedule/swing_schedule.hpp"

namespace heddle::allreduce {

namespace {

void one_swing(Communicator& comm, const schedule::Lattice& lattice, schedule::SwingPort port, VectorView vector,
               const ReduceOp& op) {
  schedule::exchange_vectors(comm, schedule::swing_vector_schedule(lattice, port, comm.rank()), vector, op);
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
  schedule::on_ports(comm, 2 * lattice.dimensions(), inout, [&](int port, Communicator& strand, VectorView slice) {
    one_swing(strand, lattice, schedule::swing_port(port, lattice.dimensions()), slice, op);
  });
}

}  // namespace heddle::allreduce
