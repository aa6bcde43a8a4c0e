// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/butterflies/recursive_halving.hpp"

#include <vector>

#include "algorithms/schedule/butterflies/fold.hpp"

namespace heddle::schedule {

BlockSchedule recursive_halving_schedule(int ranks) {
  const Fold fold(ranks);
  const bool folds = fold.extra_ranks() > 0;
  const int steps = fold.position_bits() + (folds ? 2 : 0);
  const auto targets = [&](int rank, int step, std::vector<BlockSchedule::Target>& found) {
    if (folds && step == 0) {
      if (fold.is_extra(rank)) found.push_back({fold.other(rank)});
    } else if (folds && step == steps - 1) {
      if (fold.is_partner(rank)) found.push_back({fold.other(rank)});
    } else if (!fold.is_extra(rank)) {
      const int halvings = folds ? step : step + 1;
      found.push_back({fold.member_at(fold.position_of(rank) ^ (fold.positions() >> halvings))});
    }
  };
  return BlockSchedule(ranks, steps, targets, BlockSchedule::Layout::rank_order);
}

}  // namespace heddle::schedule
