// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/butterflies/swing_schedule.hpp"

#include <algorithm>
#include <iterator>

#include "algorithms/schedule/grids/dimension_steps.hpp"

namespace heddle::schedule {

namespace {

using Target = BlockSchedule::Target;

/// Every rank's coordinate in every dimension: block sets of odd dimensions ask for them often.
class CoordinateTable {
 public:
  explicit CoordinateTable(const Lattice& lattice) {
    for (int dimension = 0; dimension < lattice.dimensions(); ++dimension) {
      std::vector<int>& row = rows_.emplace_back();
      for (int rank = 0; rank < lattice.ranks(); ++rank) row.push_back(lattice.coordinate(Rank(rank), dimension));
    }
  }

  /// By rank.
  const std::vector<int>& in(int dimension) const { return rows_[static_cast<std::size_t>(dimension)]; }

 private:
  std::vector<std::vector<int>> rows_;
};

/// Coordinates 0 … n-1 of an odd dimension of size n + 1 swing among themselves; they and coordinate n exchange directly. What
/// goes directly is only what ends there.
void add_targets_in_odd_dimension(const Lattice& lattice, const std::vector<int>& coordinates, DimensionStep at, Swing swing,
                                  Rank rank, std::vector<Target>& targets) {
  const int size = lattice.size(at.dimension);
  const int n = size - 1;
  const auto coordinate_of = [&coordinates](int block) { return coordinates[static_cast<std::size_t>(block)]; };
  const auto add_direct = [&](int coordinate) {
    targets.push_back({lattice.neighbor(rank, at.dimension, coordinate).value(),
                       [coordinate_of, coordinate](int block) { return coordinate_of(block) == coordinate; }});
  };

  const int mine = coordinate_of(rank.value());
  if (mine == n) {
    const DirectShare share = swing_direct_share(at.step, size);
    for (int i = 0; i < share.count; ++i) add_direct(share.first + i);
    return;
  }
  const int partner = swing_partner(mine, at.step, n, swing);
  targets.push_back({lattice.neighbor(rank, at.dimension, partner).value(),
                     [coordinate_of, n](int block) { return coordinate_of(block) != n; }});
  if (swing_direct_step(mine, size) == at.step) add_direct(n);
}

}  // namespace

BlockSchedule swing_block_schedule(const Lattice& lattice, SwingPort port, BlockSchedule::Layout layout) {
  std::vector<int> steps;
  std::transform(lattice.sizes().begin(), lattice.sizes().end(), std::back_inserter(steps), swing_steps);
  const std::vector<DimensionStep> order = interleaved_steps(steps, port.first_dimension);
  const CoordinateTable table(lattice);

  const auto targets = [&](int rank, int step, std::vector<Target>& found) {
    const DimensionStep& at = order[static_cast<std::size_t>(step)];
    const std::vector<int>& coordinates = table.in(at.dimension);
    const int size = lattice.size(at.dimension);
    if (size % 2 != 0) return add_targets_in_odd_dimension(lattice, coordinates, at, port.swing, Rank(rank), found);
    const int partner = swing_partner(coordinates[static_cast<std::size_t>(rank)], at.step, size, port.swing);
    found.push_back({lattice.neighbor(Rank(rank), at.dimension, partner).value()});
  };
  return BlockSchedule(lattice.ranks(), static_cast<int>(order.size()), targets, layout);
}

VectorSchedule swing_vector_schedule(const Lattice& lattice, SwingPort port, Rank rank, bool (*leaves_out)(int size)) {
  return vector_schedule(
      lattice, port.first_dimension, rank,
      [&port](int position, int step, int positions) { return swing_partner(position, step, positions, port.swing); },
      leaves_out);
}

}  // namespace heddle::schedule
