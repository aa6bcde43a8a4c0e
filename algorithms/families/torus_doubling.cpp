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
// (executors/lattice.hpp). Without a grid: one dimension of p.
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

#include <cstdint>
#include <vector>

#include "algorithms/executors/lattice.hpp"
#include "algorithms/executors/vectors.hpp"
#include "algorithms/families/rabenseifner.hpp"
#include "algorithms/registry/entry.hpp"
#include "algorithms/registry/formulas.hpp"
#include "heddle/registry.hpp"

namespace heddle::allreduce {

namespace {

void one_doubling(Communicator& comm, const plans::Lattice& lattice, int first_dimension, bool mirrored, VectorView vector,
                  const ReduceOp& op) {
  const auto partner = [mirrored](int position, int step, int positions) {
    return plans::doubling_partner(position, step, positions, mirrored);
  };
  plans::exchange_vectors(comm, plans::vector_plan(lattice, first_dimension, comm.rank(), partner), vector, op);
}

void torus_recursive_doubling(Communicator& comm, VectorView inout, const ReduceOp& op) {
  one_doubling(comm, plans::Lattice(comm.grid(), comm.size()), 0, false, inout, op);
}

void torus_recursive_doubling_multiport(Communicator& comm, VectorView inout, const ReduceOp& op) {
  const plans::Lattice lattice(comm.grid(), comm.size());
  const int dimensions = lattice.dimensions();
  plans::on_ports(comm, 2 * dimensions, inout, [&](int port, Communicator& task, VectorView slice) {
    one_doubling(task, lattice, port % dimensions, port >= dimensions, slice, op);
  });
}

int vector_plan_rounds(const Shape& shape) {
  return formulas::sum_over_dimensions(shape, [](int size) { return formulas::floor_log2(size) + 2 * formulas::folds(size); });
}

std::int64_t vector_plan_bytes(const Shape& shape) {
  return formulas::sum_over_dimensions(shape, [](int size) { return formulas::floor_log2(size) + formulas::folds(size); }) *
         shape.bytes;
}

}  // namespace

std::vector<Algorithm> torus_recursive_doubling_entries() {
  return {
      entry({.name = "torus_recursive_doubling",
             .summary =
                 "Whole vectors exchanged at distance 1, 2, 4, …, the dimensions of the grid taking turns, through one port.",
             .source = "[swing] §2.3.2",
             .needs = {.commutative = true},
             .rounds = {"Σ(⌊log2 dᵢ⌋, + 2 if dᵢ is no power of two)", vector_plan_rounds},
             .bytes = {"Σ⌈log2 dᵢ⌉ · M", vector_plan_bytes},
             .block_count = formulas::one_element},
            torus_recursive_doubling),
      entry({.name = "torus_recursive_doubling_multiport",
             .summary = "Whole slices exchanged at distance 1, 2, 4, … through all 2D ports, plain and mirrored.",
             .source = "[trivance] §2.4; [swing] §2.3.2",
             .needs = {.commutative = true, .grid = true},
             .rounds = {"Σ(⌊log2 dᵢ⌋, + 2 if dᵢ is no power of two)", vector_plan_rounds},
             .bytes = {"Σ⌈log2 dᵢ⌉ · M", vector_plan_bytes},
             .messages_a_round = formulas::message_per_port,
             .block_count = formulas::element_per_port,
             .tasks_share_credits = true},
            torus_recursive_doubling_multiport)};
}

// torus_rabenseifner: a reduce-scatter by recursive halving, then an allgather by recursive doubling, whose steps take turns
// over the dimensions of a grid.
//
// The phases are those of `rabenseifner` (families/rabenseifner.hpp), the partners those of
// `torus_recursive_doubling`: distance 1 in every dimension, then 2 in every dimension, then 4. What is sent halves with each
// step, whereas the distance doubles only after a step in every dimension: the long ways are for the short messages.
//
// Picture: a 4x4 torus; blocks that the rank at (0,0) holds, and the share of the vector that it sends to whom.
//
//   start    0 … 15
//   step 0   0 … 7       1/2 to (1,0), distance 1        allgather: the same from the bottom up
//   step 1   0 … 3       1/4 to (0,1), distance 1
//   step 2   0 1         1/8 to (2,0), distance 2
//   step 3   0           1/16 to (0,2), distance 2
//
// Any size: in a dimension that is no power of two neighbours fold before the first step and unfold after the last
// (executors/lattice.hpp). Without a grid: one dimension of p, and this is `rabenseifner`.
//
// Rounds:  2·log2 p; in general 2·Σ⌊log2 dᵢ⌋ + 2F, F the number of dimensions whose size is no power of two.
// Bytes:   2(p-1)/p · M sent by each rank; with folds the rank that is a partner in all F of them sends 2(p'-1)/p' · M + F·M,
//          p' = Π 2^⌊log2 dᵢ⌋.
// Time:    2·log2 p · α + 2(2^D-1)/(2^D-2) · M·β at most on a square torus of D > 1, as step s has 2^⌊s/D⌋ flows on a link.
// Limits:  one port of 2D. The op must be commutative: sums are not over runs of ranks.
// Source:  Swing (De Sensi et al.) §2.3.3 (Sack and Gropp's order of steps), explainer 02 (Lu) App. A (one dimension after the
//          other).

namespace {

void torus_rabenseifner(Communicator& comm, VectorView inout, const ReduceOp& op) {
  const plans::Lattice lattice(comm.grid(), comm.size());
  const plans::VectorPlan mine = plans::vector_plan(lattice, 0, comm.rank(), [](int position, int step, int positions) {
    return plans::doubling_partner(position, step, positions, false);
  });
  std::vector<plans::HalvingDoubling::Step> steps;
  for (std::size_t i = 0; i < mine.partners.size(); ++i) steps.push_back({mine.partners[i], mine.is_upper[i]});

  plans::HalvingDoubling ranges(comm, std::move(steps), inout);
  Buffer scratch(inout.type(), ranges.longest_message());
  plans::with_folds(comm, mine.folds, inout, op, [&] {
    ranges.reduce_scatter(scratch.view(), op);
    ranges.allgather();
  });
}

int torus_rabenseifner_rounds(const Shape& shape) {
  return formulas::sum_over_dimensions(shape,
                                       [](int size) { return 2 * formulas::floor_log2(size) + 2 * formulas::folds(size); });
}

int positions(const Shape& shape) {
  int product = 1;
  for (const int size : formulas::long_dimensions(shape)) product *= plans::Fold(size).positions();
  return product;
}

std::int64_t torus_rabenseifner_bytes(const Shape& shape) {
  return formulas::scattered_and_gathered(shape.bytes, positions(shape)) +
         formulas::sum_over_dimensions(shape, formulas::folds) * shape.bytes;
}

}  // namespace

std::vector<Algorithm> torus_rabenseifner_entries() {
  return {entry(
      {.name = "torus_rabenseifner",
       .summary = "Recursive halving, then doubling, the dimensions of the grid taking turns: long messages go short ways.",
       .source = "[swing] §2.3.3; [explainer-02] App. A; [sack-2015]",
       .needs = {.commutative = true},
       .rounds = {"2Σ(⌊log2 dᵢ⌋, + 1 if dᵢ is no power of two)", torus_rabenseifner_rounds},
       .bytes = {"2(p'-1)/p' · M, + M for each dᵢ that is no power of two; p' = Π 2^⌊log2 dᵢ⌋", torus_rabenseifner_bytes},
       .block_count = [](const Shape& shape) { return std::int64_t{positions(shape)}; }},
      torus_rabenseifner)};
}

}  // namespace heddle::allreduce
