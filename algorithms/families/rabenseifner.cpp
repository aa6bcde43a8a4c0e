// SPDX-License-Identifier: Apache-2.0
// Rabenseifner's algorithms: ranges of blocks are halved with one partner after another, then doubled.
#include "algorithms/families/rabenseifner.hpp"

#include <array>
#include <utility>

#include "algorithms/executors/lattice.hpp"
#include "algorithms/registry/entry.hpp"
#include "algorithms/registry/formulas.hpp"
#include "heddle/registry.hpp"

namespace heddle::plans {

HalvingDoubling::HalvingDoubling(Communicator& comm, std::vector<Step> steps, VectorView inout)
    : comm_(comm),
      steps_(std::move(steps)),
      inout_(inout),
      blocks_(inout.count(), std::int64_t{1} << steps_.size()),
      held_(blocks_.blocks()) {}

void HalvingDoubling::reduce_scatter(VectorView scratch, const ReduceOp& op) {
  comm_.phase("reduce-scatter");
  for (const Step& step : steps_) {
    held_ /= 2;
    const std::int64_t lower = first_;
    const std::int64_t upper = first_ + held_;
    first_ = step.is_upper ? upper : lower;
    const VectorView kept = range(first_);
    const ConstVectorView given = range(step.is_upper ? lower : upper);
    comm_.sendrecv_reduce(step.partner, std::span(&given, 1), step.partner, std::span(&kept, 1), scratch, op,
                          step.is_upper ? Side::left : Side::right);
  }
}

void HalvingDoubling::allgather() {
  comm_.phase("allgather");
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    const std::int64_t partners_first = step->is_upper ? first_ - held_ : first_ + held_;
    comm_.sendrecv(step->partner, range(first_), step->partner, range(partners_first));
    first_ = step->is_upper ? partners_first : first_;
    held_ *= 2;
  }
}

void HalvingDoubling::gather(const std::function<bool(std::size_t step)>& root_is_upper) {
  comm_.phase("gather");
  for (std::size_t s = steps_.size(); s-- > 0;) {
    const Step& step = steps_[s];
    if (step.is_upper != root_is_upper(s)) return comm_.send(step.partner, range(first_));
    const std::int64_t partners_first = step.is_upper ? first_ - held_ : first_ + held_;
    comm_.recv(step.partner, range(partners_first));
    first_ = step.is_upper ? partners_first : first_;
    held_ *= 2;
  }
}

}  // namespace heddle::plans

namespace heddle::allreduce {

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
// Any p: neighbours fold into p' = 2^⌊log2 p⌋ positions first (executors/lattice.hpp), and the positions run the steps
// on p' blocks.
// Order: partners at distance 1 first, so a sum is always over consecutive ranks and the partner's over the run beside it.
//
// Rounds:  2·log2 p; if p is not a power of two 2·⌊log2 p⌋ + 2, for the fold.
// Bytes:   2(p-1)/p · M sent by each rank; a partner of the fold sends 2(p'-1)/p' · M + M.
// Time:    2·log2 p · α + 2(p-1)/p · M·β where partners' routes share no links.
// Limits:  on a ring or torus the long steps share links, though with less data each.
// Source:  Swing (De Sensi et al.) §2.3.3, explainer 01 (Lu) App. B.2; the algorithm is Rabenseifner's.

namespace {

std::vector<plans::HalvingDoubling::Step> steps_of(const plans::Fold& fold, int rank) {
  std::vector<plans::HalvingDoubling::Step> steps;
  const int position = fold.position_of(rank);
  for (int distance = 1; distance < fold.positions(); distance *= 2)
    steps.push_back({Rank(fold.member_at(position ^ distance)), (position & distance) != 0});
  return steps;
}

}  // namespace

void rabenseifner(Communicator& comm, VectorView inout, const ReduceOp& op) {
  const int p = comm.size();
  const int rank = comm.rank().value();
  const plans::Fold fold(p);
  const std::array parts{plans::fold_part(fold, rank)};
  plans::HalvingDoubling ranges(comm, steps_of(fold, rank), inout);
  Buffer scratch(inout.type(), ranges.longest_message());
  plans::with_folds(comm, parts, inout, op, [&] {
    ranges.reduce_scatter(scratch.view(), op);
    ranges.allgather();
  });
}

namespace {

int rabenseifner_rounds(const Shape& shape) { return 2 * formulas::floor_log2(shape.ranks) + 2 * formulas::folds(shape.ranks); }

std::int64_t rabenseifner_bytes(const Shape& shape) {
  return formulas::scattered_and_gathered(shape.bytes, plans::Fold(shape.ranks).positions()) +
         formulas::folds(shape.ranks) * shape.bytes;
}

std::int64_t block_per_position(const Shape& shape) { return plans::Fold(shape.ranks).positions(); }

}  // namespace

std::vector<Algorithm> rabenseifner_entries() {
  return {entry({.name = "rabenseifner",
                 .summary = "Reduce-scatter by recursive halving, allgather by recursive doubling; keeps rank order.",
                 .source = "[swing] §2.3.3; [explainer-01] App. B.2; [rabenseifner-2004]",
                 .rounds = {"2⌊log2 p⌋, + 2 if p is no power of two", rabenseifner_rounds},
                 .bytes = {"2(p'-1)/p' · M, + M if p is no power of two; p' = 2^⌊log2 p⌋", rabenseifner_bytes},
                 .block_count = block_per_position},
                rabenseifner)};
}

}  // namespace heddle::allreduce

namespace heddle::reduce {

// reduce_scatter_gather: a reduce-scatter by recursive halving, then a binomial gather of the complete blocks to the root.
//
// Rabenseifner's reduce. The first phase is that of his allreduce: partners at distance 1, 2, 4, …
// halve the range of blocks that they hold. The second takes the same steps backwards, but in each only one of two partners
// needs the other's range: the one whose position agrees with the root's in that bit. The other is done.
//
// Picture, p = 4, root 0: the range that a rank holds, and what it gathers.
//
//                 0        1        2        3
//   start       b0…b3    b0…b3    b0…b3    b0…b3
//   distance 1  b0 b1    b2 b3    b0 b1    b2 b3
//   distance 2  b0       b2       b1       b3
//   distance 2  b0 b1    b2 b3    done     done        2->0 b1, 3->1 b3
//   distance 1  b0…b3    done                          1->0 b2 b3
//
// Any p: neighbours fold into p' = 2^⌊log2 p⌋ positions first (executors/lattice.hpp), the root always keeping its
// position, so that nothing has to be sent on to it at the end. Order: a sum is always over consecutive ranks and the partner's
// over the run beside it, for every root.
//
// Rounds:  2⌊log2 p⌋, + 1 for the fold if p is no power of two.
// Bytes:   (p'-1)/p' · M + M/2, sent by the rank next to the root's position; p' positions.
// Time:    2·log2 p · α + 2(p-1)/p · M·β for a power of two, where partners' routes share no links.
// Limits:  for long vectors. On a ring or torus the long steps share links, though with less data each.
// Source:  explainer 01 (Lu) App. B.2 has the first phase; Bine trees (De Sensi et al.) §4.5 describes the reduce.

namespace {

int positions(const Shape& shape) { return plans::Fold(shape.ranks).positions(); }

void reduce_scatter_gather(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root) {
  const int rank = comm.rank().value();
  const plans::Fold fold(comm.size());
  const int position = fold.position_of(rank);
  const int roots_position = fold.position_of(root.value());
  const auto rank_at = [&](int s) { return s == roots_position ? root : Rank(fold.member_at(s)); };
  const bool folds = fold.is_partner(rank) || fold.is_extra(rank);
  if (folds) comm.phase("fold");
  if (folds && rank_at(position) != comm.rank()) return comm.send(rank_at(position), inout);

  std::vector<plans::HalvingDoubling::Step> steps;
  for (int distance = 1; distance < fold.positions(); distance *= 2)
    steps.push_back({rank_at(position ^ distance), (position & distance) != 0});
  plans::HalvingDoubling ranges(comm, steps, inout);
  Buffer scratch(inout.type(), folds ? inout.count() : ranges.longest_message());
  if (folds) {
    const Rank extra(fold.other(rank));
    comm.recv(extra, scratch.view());
    comm.reduce_into(inout, scratch.view(), op, extra < comm.rank() ? Side::left : Side::right);
  }
  ranges.reduce_scatter(scratch.view(), op);
  ranges.gather([roots_position](std::size_t step) { return (roots_position >> step & 1) != 0; });
}

int reduce_scatter_gather_rounds(const Shape& shape) {
  return 2 * formulas::floor_log2(shape.ranks) + (formulas::is_power_of_two(shape.ranks) ? 0 : 1);
}

std::int64_t reduce_scatter_gather_bytes(const Shape& shape) {
  if (shape.ranks == 1) return 0;
  return formulas::all_but_one_block(shape.bytes, positions(shape)) + formulas::times(shape.bytes, 1, 2);
}

}  // namespace

std::vector<Algorithm> reduce_scatter_gather_entries() {
  return {entry({.name = "reduce_scatter_gather",
                 .summary = "Reduce-scatter by recursive halving, then a binomial gather: for long vectors, keeps rank order.",
                 .source = "[explainer-01] App. B.2; [bine] §4.5",
                 .rounds = {"2⌊log2 p⌋, + 1 if p is no power of two", reduce_scatter_gather_rounds},
                 .bytes = {"(p'-1)/p' · M + M/2; p' = 2^⌊log2 p⌋", reduce_scatter_gather_bytes},
                 .block_count = [](const Shape& shape) { return std::int64_t{positions(shape)}; }},
                reduce_scatter_gather)};
}

}  // namespace heddle::reduce
