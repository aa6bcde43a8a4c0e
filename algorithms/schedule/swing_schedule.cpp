// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/swing_schedule.hpp"

#include <algorithm>
#include <iterator>

namespace heddle::schedule {

namespace {

using Target = BlockSchedule::Target;

/// Coordinates 0 … n-1 of an odd dimension of size n + 1 swing among themselves; they and coordinate n exchange directly. What
/// goes directly is only what ends there.
void add_targets_in_odd_dimension(const Lattice& lattice, DimensionStep at, Swing swing, Rank rank,
                                  std::vector<Target>& targets) {
  const int size = lattice.size(at.dimension);
  const int n = size - 1;
  const auto lies_at = [&lattice, dimension = at.dimension](int block, int coordinate) {
    return lattice.coordinate(Rank(block), dimension) == coordinate;
  };
  const auto add_direct = [&](int coordinate) {
    targets.push_back({lattice.neighbor(rank, at.dimension, coordinate).value(),
                       [lies_at, coordinate](int block) { return lies_at(block, coordinate); }});
  };

  const int mine = lattice.coordinate(rank, at.dimension);
  if (mine == n) {
    const DirectShare share = swing_direct_share(at.step, size);
    for (int i = 0; i < share.count; ++i) add_direct(share.first + i);
    return;
  }
  const int partner = swing_partner(mine, at.step, n, swing);
  targets.push_back(
      {lattice.neighbor(rank, at.dimension, partner).value(), [lies_at, n](int block) { return !lies_at(block, n); }});
  if (swing_direct_step(mine, size) == at.step) add_direct(n);
}

}  // namespace

BlockSchedule swing_block_schedule(const Lattice& lattice, SwingPort port) {
  std::vector<int> steps;
  std::transform(lattice.sizes().begin(), lattice.sizes().end(), std::back_inserter(steps), swing_steps);
  const std::vector<DimensionStep> order = interleaved_steps(steps, port.first_dimension);

  const auto targets = [&](int number, int step, std::vector<Target>& found) {
    const Rank rank(number);
    const DimensionStep& at = order[static_cast<std::size_t>(step)];
    const int size = lattice.size(at.dimension);
    if (size % 2 != 0) return add_targets_in_odd_dimension(lattice, at, port.swing, rank, found);
    const int partner = swing_partner(lattice.coordinate(rank, at.dimension), at.step, size, port.swing);
    found.push_back({lattice.neighbor(rank, at.dimension, partner).value()});
  };
  return BlockSchedule(lattice.ranks(), static_cast<int>(order.size()), targets);
}

SwingVectorSchedule swing_vector_schedule(const Lattice& lattice, SwingPort port, Rank rank) {
  SwingVectorSchedule mine;
  std::vector<int> steps;
  for (int i = 0; i < lattice.dimensions(); ++i) {
    const Fold fold(lattice.size(i));
    FoldPart part = fold_part(fold, lattice.coordinate(rank, i));
    part.partner = lattice.neighbor(rank, i, part.partner.value());
    mine.folds.push_back(part);
    if (part.role == FoldPart::Role::guest) return mine;
    steps.push_back(fold.seat_bits());
  }
  for (const DimensionStep& at : interleaved_steps(steps, port.first_dimension)) {
    const Fold fold(lattice.size(at.dimension));
    const int seat = fold.seat_of(lattice.coordinate(rank, at.dimension));
    const int partner_seat = swing_partner(seat, at.step, fold.seats(), port.swing);
    mine.partners.push_back(lattice.neighbor(rank, at.dimension, fold.member_at(partner_seat)));
  }
  return mine;
}

}  // namespace heddle::schedule
