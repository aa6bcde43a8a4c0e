// SPDX-License-Identifier: Apache-2.0
// reduce_scatter_gather: a reduce-scatter by recursive halving, then a binomial gather of the complete blocks to the root.
//
// Rabenseifner's reduce. The first phase is that of his allreduce (allreduce/rabenseifner.cpp): partners at distance 1, 2, 4, …
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
// Any p: neighbours fold into p' = 2^⌊log2 p⌋ positions first (schedule/butterflies/fold.hpp), the root always keeping its
// position, so that nothing has to be sent on to it at the end. Order: a sum is always over consecutive ranks and the partner's
// over the run beside it, for every root.
//
// Rounds:  2⌊log2 p⌋, + 1 for the fold if p is no power of two.
// Bytes:   (p'-1)/p' · M + M/2, sent by the rank next to the root's position; p' positions.
// Time:    2·log2 p · α + 2(p-1)/p · M·β for a power of two, where partners' routes share no links.
// Limits:  for long vectors. On a ring or torus the long steps share links, though with less data each.
// Source:  explainer 01 (Lu) App. B.2 has the first phase; Bine trees (De Sensi et al.) §4.5 describes the reduce.
#include "algorithms/reduce/reduce.hpp"

#include <cstdint>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/butterflies/fold.hpp"
#include "algorithms/schedule/butterflies/halving_doubling.hpp"

namespace heddle::reduce {

void reduce_scatter_gather(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root) {
  const int rank = comm.rank().value();
  if (comm.size() == 1 || inout.empty()) return;

  const schedule::Fold fold(comm.size());
  const int position = fold.position_of(rank);
  const int roots_position = fold.position_of(root.value());
  const auto rank_at = [&](int s) { return s == roots_position ? root : Rank(fold.member_at(s)); };
  const bool folds = fold.is_partner(rank) || fold.is_extra(rank);
  if (folds) comm.phase("fold");
  if (folds && rank_at(position) != comm.rank()) return comm.send(rank_at(position), inout);

  std::vector<schedule::HalvingDoubling::Step> steps;
  for (int distance = 1; distance < fold.positions(); distance *= 2)
    steps.push_back({rank_at(position ^ distance), (position & distance) != 0});
  schedule::HalvingDoubling ranges(comm, steps, inout);
  Buffer scratch(inout.type(), folds ? inout.count() : ranges.longest_message());
  if (folds) {
    const Rank extra(fold.other(rank));
    comm.recv(extra, scratch.view());
    comm.reduce_into(inout, scratch.view(), op, extra < comm.rank() ? Side::left : Side::right);
  }
  ranges.reduce_scatter(scratch.view(), op);
  ranges.gather([roots_position](std::size_t step) { return (roots_position >> step & 1) != 0; });
}

namespace {

int positions(const Shape& shape) { return schedule::Fold(shape.ranks).positions(); }

int reduce_scatter_gather_rounds(const Shape& shape) {
  return 2 * formulas::floor_log2(shape.ranks) + (formulas::is_power_of_two(shape.ranks) ? 0 : 1);
}

std::int64_t reduce_scatter_gather_bytes(const Shape& shape) {
  if (shape.ranks == 1) return 0;
  return formulas::all_but_one_block(shape.bytes, positions(shape)) + formulas::times(shape.bytes, 1, 2);
}

}  // namespace

std::vector<Algorithm> reduce_scatter_gather_rows() {
  return {{.collective = Collective::reduce,
           .name = "reduce_scatter_gather",
           .summary = "Reduce-scatter by recursive halving, then a binomial gather: for long vectors, keeps rank order.",
           .source = "[explainer-01] App. B.2; [bine] §4.5",
           .needs = {},
           .rounds = {"2⌊log2 p⌋, + 1 if p is no power of two", reduce_scatter_gather_rounds},
           .bytes = {"(p'-1)/p' · M + M/2; p' = 2^⌊log2 p⌋", reduce_scatter_gather_bytes},
           .granule = [](const Shape& shape) { return std::int64_t{positions(shape)}; },
           .run = as_reduce(reduce_scatter_gather)}};
}

}  // namespace heddle::reduce
