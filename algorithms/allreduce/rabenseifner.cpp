// SPDX-License-Identifier: Apache-2.0
// rabenseifner: a reduce-scatter by recursive halving, then an allgather by recursive doubling.
//
// The vector is cut into p blocks, and a rank holds a range of them, at first all. In each step it halves its range with the
// partner at distance 1, 2, 4, …: it sends the half that the partner keeps and adds what it gets to the half that it keeps
// itself, the lower one if its number has 0 in that bit. At the end it holds one complete block. The allgather takes the same
// steps backwards: partners swap their complete ranges, which doubles them.
//
// Picture, p = 4: the range that a rank holds; the allgather reads it from the bottom up.
//
//               0        1        2        3
//   start     b0…b3    b0…b3    b0…b3    b0…b3
//   step 0    b0 b1    b2 b3    b0 b1    b2 b3      with 1, 0, 3, 2: half of the vector sent
//   step 1    b0       b2       b1       b3         with 2, 3, 0, 1: a quarter
//
// Which half a rank keeps is free. Here rank r ends with the block whose number is r's bits reversed; the explainer's trace
// has ranks 1 and 3 the other way round, with the same messages.
//
// Any p: neighbours fold into p' = 2^⌊log2 p⌋ positions first (schedule/butterflies/fold.hpp), and the positions run the steps
// on p' blocks.
// Order: partners at distance 1 first, so a sum is always over consecutive ranks and the partner's over the run beside it.
//
// Rounds:  2·log2 p; if p is not a power of two 2·⌊log2 p⌋ + 2, for the fold.
// Bytes:   2(p-1)/p · M sent by each rank; a partner of the fold sends 2(p'-1)/p' · M + M.
// Time:    2·log2 p · α + 2(p-1)/p · M·β where partners' routes share no links.
// Limits:  on a ring or torus the long steps share links, though with less data each.
// Source:  Swing (De Sensi et al.) §2.3.3, explainer 01 (Lu) App. B.2; the algorithm is Rabenseifner's.
#include "algorithms/allreduce/allreduce.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/butterflies/fold.hpp"
#include "algorithms/schedule/butterflies/halving_doubling.hpp"

namespace heddle::allreduce {

namespace {

std::vector<schedule::HalvingDoubling::Step> steps_of(const schedule::Fold& fold, int rank) {
  std::vector<schedule::HalvingDoubling::Step> steps;
  const int position = fold.position_of(rank);
  for (int distance = 1; distance < fold.positions(); distance *= 2)
    steps.push_back({Rank(fold.member_at(position ^ distance)), (position & distance) != 0});
  return steps;
}

}  // namespace

void rabenseifner(Communicator& comm, VectorView inout, const ReduceOp& op) {
  const int p = comm.size();
  const int rank = comm.rank().value();
  if (p == 1 || inout.empty()) return;

  const schedule::Fold fold(p);
  const std::array parts{schedule::fold_part(fold, rank)};
  const bool is_partner = parts.front().role == schedule::FoldPart::Role::partner;
  schedule::HalvingDoubling ranges(comm, steps_of(fold, rank), inout);
  Buffer scratch(inout.type(), is_partner ? inout.count() : ranges.longest_message());
  schedule::with_folds(comm, parts, inout, scratch.view(), op, [&] {
    ranges.reduce_scatter(scratch.view(), op);
    ranges.allgather();
  });
}

namespace {

int rabenseifner_rounds(const Shape& shape) { return 2 * formulas::floor_log2(shape.ranks) + 2 * formulas::folds(shape.ranks); }

std::int64_t rabenseifner_bytes(const Shape& shape) {
  return formulas::scattered_and_gathered(shape.bytes, schedule::Fold(shape.ranks).positions()) +
         formulas::folds(shape.ranks) * shape.bytes;
}

std::int64_t block_per_position(const Shape& shape) { return schedule::Fold(shape.ranks).positions(); }

}  // namespace

std::vector<Algorithm> rabenseifner_rows() {
  return {{.collective = Collective::allreduce,
           .name = "rabenseifner",
           .summary = "Reduce-scatter by recursive halving, allgather by recursive doubling; keeps rank order.",
           .source = "[swing] §2.3.3; [explainer-01] App. B.2; [rabenseifner-2004]",
           .needs = {},
           .rounds = {"2⌊log2 p⌋, + 2 if p is no power of two", rabenseifner_rounds},
           .bytes = {"2(p'-1)/p' · M, + M if p is no power of two; p' = 2^⌊log2 p⌋", rabenseifner_bytes},
           .granule = block_per_position,
           .run = as_allreduce(rabenseifner)}};
}

}  // namespace heddle::allreduce
