// SPDX-License-Identifier: Apache-2.0
// torus_rabenseifner: a reduce-scatter by recursive halving, then an allgather by recursive doubling, whose steps take turns
// over the dimensions of a grid.
//
// The phases are those of `rabenseifner` (schedule/butterflies/halving_doubling.hpp), the partners those of
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
// (schedule/butterflies/fold.hpp). Without a grid: one dimension of p, and this is `rabenseifner`.
//
// Rounds:  2·log2 p; in general 2·Σ⌊log2 dᵢ⌋ + 2F, F the number of dimensions whose size is no power of two.
// Bytes:   2(p-1)/p · M sent by each rank; with folds the rank that is a partner in all F of them sends 2(p'-1)/p' · M + F·M,
//          p' = Π 2^⌊log2 dᵢ⌋.
// Time:    2·log2 p · α + 2(2^D-1)/(2^D-2) · M·β at most on a square torus of D > 1, as step s has 2^⌊s/D⌋ flows on a link.
// Limits:  one port of 2D. The op must be commutative: sums are not over runs of ranks.
// Source:  Swing (De Sensi et al.) §2.3.3 (Sack and Gropp's order of steps), explainer 02 (Lu) App. A (one dimension after the
//          other).
#include "algorithms/allreduce/allreduce.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/butterflies/fold.hpp"
#include "algorithms/schedule/butterflies/halving_doubling.hpp"
#include "algorithms/schedule/butterflies/vector_schedule.hpp"

namespace heddle::allreduce {

void torus_rabenseifner(Communicator& comm, VectorView inout, const ReduceOp& op) {
  require_commutative("torus_rabenseifner", op);
  if (comm.size() == 1 || inout.empty()) return;

  const schedule::Lattice lattice(comm.grid(), comm.size());
  const schedule::VectorSchedule mine = schedule::vector_schedule(
      lattice, 0, comm.rank(),
      [](int position, int step, int positions) { return schedule::doubling_partner(position, step, positions, false); });
  std::vector<schedule::HalvingDoubling::Step> steps;
  for (std::size_t i = 0; i < mine.partners.size(); ++i) steps.push_back({mine.partners[i], mine.is_upper[i]});
  const bool is_partner = std::any_of(mine.folds.begin(), mine.folds.end(), [](const schedule::FoldPart& part) {
    return part.role == schedule::FoldPart::Role::partner;
  });

  schedule::HalvingDoubling ranges(comm, std::move(steps), inout);
  Buffer scratch(inout.type(), is_partner ? inout.count() : ranges.longest_message());
  schedule::with_folds(comm, mine.folds, inout, scratch.view(), op, [&] {
    ranges.reduce_scatter(scratch.view(), op);
    ranges.allgather();
  });
}

namespace {

int torus_rabenseifner_rounds(const Shape& shape) {
  return formulas::sum_over_dimensions(shape,
                                       [](int size) { return 2 * formulas::floor_log2(size) + 2 * formulas::folds(size); });
}

int positions(const Shape& shape) {
  int product = 1;
  for (const int size : formulas::long_dimensions(shape)) product *= schedule::Fold(size).positions();
  return product;
}

std::int64_t torus_rabenseifner_bytes(const Shape& shape) {
  return formulas::scattered_and_gathered(shape.bytes, positions(shape)) +
         formulas::sum_over_dimensions(shape, formulas::folds) * shape.bytes;
}

}  // namespace

std::vector<Algorithm> torus_rabenseifner_rows() {
  return {{.collective = Collective::allreduce,
           .name = "torus_rabenseifner",
           .summary = "Recursive halving, then doubling, the dimensions of the grid taking turns: long messages go short ways.",
           .source = "[swing] §2.3.3; [explainer-02] App. A; [sack-2015]",
           .needs = {.commutative = true},
           .rounds = {"2Σ(⌊log2 dᵢ⌋, + 1 if dᵢ is no power of two)", torus_rabenseifner_rounds},
           .bytes = {"2(p'-1)/p' · M, + M for each dᵢ that is no power of two; p' = Π 2^⌊log2 dᵢ⌋", torus_rabenseifner_bytes},
           .granule = [](const Shape& shape) { return std::int64_t{positions(shape)}; },
           .run = as_allreduce(torus_rabenseifner)}};
}

}  // namespace heddle::allreduce
