// SPDX-License-Identifier: Apache-2.0
// torus_recursive_doubling and torus_recursive_doubling_multiport: recursive doubling whose steps take turns over the
// dimensions.
//
// In each step a rank exchanges its whole vector with a partner and adds; after log2 p steps it has the sum over all. The
// partner differs in one coordinate, by one bit: distance 1 in every dimension first, then 2 in every dimension, then 4, so
// that no partner is farther than half of a dimension. `recursive_doubling`, by rank numbers, reaches as far on a row-major
// grid of powers of two, but takes one dimension after the other and knows nothing of other sizes.
//
// Picture: a 4x4 torus, partners of step 0 to 3 of the rank in the corner, and what its vector then sums over.
//
//   0 - 0 . .       step 0: down 1, 1: right 1      the 2x2 square
//   |   .
//   0   .           step 2: down 2                  two such squares
//   .
//   .               step 3: right 2                 all four: everybody
//
// Any size: in a dimension that is no power of two neighbours fold before the first step and unfold after the last
// (schedule/butterflies/fold.hpp). Without a grid: one dimension of p.
//
// torus_recursive_doubling uses one port. torus_recursive_doubling_multiport cuts the vector into 2D slices and runs one such
// allreduce on each at the same time: D plain ones, each starting in another dimension, and D mirrored ones, in which
// coordinates are counted the other way round, so that partners stand over the links between the plain pairs. In each step
// every port carries one slice, until the shorter dimensions have no steps left.
//
// Rounds:  log2 p; in general Σ⌊log2 dᵢ⌋ + 2F, F the number of dimensions whose size is no power of two.
// Bytes:   log2 p · M sent by each rank; with folds the rank that is a partner in all F of them sends (Σ⌊log2 dᵢ⌋ + F) · M.
// Time:    log2 p · α + M·β·Σ over steps of the flows on the busiest link, which are as many as the distance: Σ(dᵢ-1) · M·β at
//          most through one port. Slices of M/(2D) whose plain and mirrored ways overlap: at most twice the flows of each.
// Limits:  sends log2 p times the vector: for short vectors. Sums are not over runs of ranks: the op must be commutative. On a
//          mesh, mirrored partners at the ends of a line are its whole length apart.
// Source:  Swing (De Sensi et al.) §2.3.2 and Fig. 2; 2D ports: Trivance (Jürß et al.) §2.4.
#include "algorithms/allreduce/allreduce.hpp"

#include <cstdint>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/blocks/ports.hpp"
#include "algorithms/schedule/butterflies/fold.hpp"
#include "algorithms/schedule/butterflies/vector_schedule.hpp"

namespace heddle::allreduce {

namespace {

void one_doubling(Communicator& comm, const schedule::Lattice& lattice, int first_dimension, bool mirrored, VectorView vector,
                  const ReduceOp& op) {
  const auto partner = [mirrored](int position, int step, int positions) {
    return schedule::doubling_partner(position, step, positions, mirrored);
  };
  schedule::exchange_vectors(comm, schedule::vector_schedule(lattice, first_dimension, comm.rank(), partner), vector, op);
}

}  // namespace

void torus_recursive_doubling(Communicator& comm, VectorView inout, const ReduceOp& op) {
  require_commutative("torus_recursive_doubling", op);
  if (comm.size() == 1 || inout.empty()) return;
  one_doubling(comm, schedule::Lattice(comm.grid(), comm.size()), 0, false, inout, op);
}

void torus_recursive_doubling_multiport(Communicator& comm, VectorView inout, const ReduceOp& op) {
  require_commutative("torus_recursive_doubling_multiport", op);
  require_grid("torus_recursive_doubling_multiport", comm);
  if (comm.size() == 1 || inout.empty()) return;
  const schedule::Lattice lattice(comm.grid(), comm.size());
  const int dimensions = lattice.dimensions();
  schedule::on_ports(comm, 2 * dimensions, inout, [&](int port, Communicator& task, VectorView slice) {
    one_doubling(task, lattice, port % dimensions, port >= dimensions, slice, op);
  });
}

namespace {

int vector_schedule_rounds(const Shape& shape) {
  return formulas::sum_over_dimensions(shape, [](int size) { return formulas::floor_log2(size) + 2 * formulas::folds(size); });
}

std::int64_t vector_schedule_bytes(const Shape& shape) {
  return formulas::sum_over_dimensions(shape, [](int size) { return formulas::floor_log2(size) + formulas::folds(size); }) *
         shape.bytes;
}

}  // namespace

std::vector<Algorithm> torus_recursive_doubling_rows() {
  return {
      {.collective = Collective::allreduce,
       .name = "torus_recursive_doubling",
       .summary = "Whole vectors exchanged at distance 1, 2, 4, …, the dimensions of the grid taking turns, through one port.",
       .source = "[swing] §2.3.2",
       .needs = {.commutative = true},
       .rounds = {"Σ(⌊log2 dᵢ⌋, + 2 if dᵢ is no power of two)", vector_schedule_rounds},
       .bytes = {"Σ⌈log2 dᵢ⌉ · M", vector_schedule_bytes},
       .granule = formulas::one_element,
       .run = as_allreduce(torus_recursive_doubling)},
      {.collective = Collective::allreduce,
       .name = "torus_recursive_doubling_multiport",
       .summary = "Whole slices exchanged at distance 1, 2, 4, … through all 2D ports, plain and mirrored.",
       .source = "[trivance] §2.4; [swing] §2.3.2",
       .needs = {.commutative = true, .grid = true},
       .rounds = {"Σ(⌊log2 dᵢ⌋, + 2 if dᵢ is no power of two)", vector_schedule_rounds},
       .bytes = {"Σ⌈log2 dᵢ⌉ · M", vector_schedule_bytes},
       .messages_a_round = formulas::message_per_port,
       .granule = formulas::element_per_port,
       .run = as_allreduce(torus_recursive_doubling_multiport),
       .tasks_share_credits = true}};
}

}  // namespace heddle::allreduce
