// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/bine/bine_schedule.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <numeric>

#include "algorithms/schedule/blocks/index.hpp"
#include "algorithms/schedule/butterflies/fold.hpp"
#include "algorithms/schedule/grids/dimension_steps.hpp"

namespace heddle::schedule {

namespace {

bool is_odd(int size) { return size % 2 != 0; }
bool is_no_power_of_two(int size) { return !std::has_single_bit(static_cast<unsigned>(size)); }

/// Who sends to whom in a reduce-scatter: folds, one dimension after the other; butterflies among the positions; unfolds.
class Butterflies {
 public:
  Butterflies(const Lattice& lattice, BinePort port, Distances distances, bool (*folds)(int size))
      : lattice_(lattice), port_(std::move(port)) {
    std::vector<int> steps;
    for (int dimension = 0; dimension < lattice.dimensions(); ++dimension) {
      const int size = lattice.size(dimension);
      const bool is_folded = folds(size);
      if (is_folded) folded_.push_back(dimension);
      is_folded_.push_back(is_folded);
      steps.push_back(swing_steps(is_folded ? Fold(size).positions() : size));
      std::vector<int>& row = coordinates_.emplace_back();
      for (int rank = 0; rank < lattice.ranks(); ++rank) row.push_back(lattice.coordinate(Rank(rank), dimension));
    }
    exchanges_ = interleaved_steps(steps, port_.first_dimension);
    if (distances == Distances::halving) std::reverse(exchanges_.begin(), exchanges_.end());
  }

  int steps() const { return static_cast<int>(exchanges_.size() + 2 * folded_.size()); }

  void add_target(int rank, int step, std::vector<BlockSchedule::Target>& targets) const {
    const int folds = static_cast<int>(folded_.size());
    const int unfold = steps() - 1 - step;
    if (step < folds) return add_fold_target(rank, step, &Fold::is_extra, targets);
    if (unfold < folds) return add_fold_target(rank, unfold, &Fold::is_partner, targets);
    if (is_extra_before(rank, folds)) return;
    const DimensionStep& exchange = exchanges_[at(step - folds)];
    targets.push_back({neighbor(rank, exchange.dimension, partner(rank, exchange))});
  }

 private:
  int coordinate(int rank, int dimension) const { return coordinates_[at(dimension)][at(rank)]; }
  int neighbor(int rank, int dimension, int coordinate) const {
    return lattice_.neighbor(Rank(rank), dimension, coordinate).value();
  }
  Fold fold(int dimension) const { return Fold(lattice_.size(dimension)); }

  /// Whether a rank is an extra rank in one of the first `folds` folds: from there on it has no part until it is unfolded.
  bool is_extra_before(int rank, int folds) const {
    return std::any_of(folded_.begin(), folded_.begin() + folds,
                       [&](int dimension) { return fold(dimension).is_extra(coordinate(rank, dimension)); });
  }

  /// Extra ranks send to partners or partners to extra ranks.
  void add_fold_target(int rank, int number, bool (Fold::*sends)(int) const,
                       std::vector<BlockSchedule::Target>& targets) const {
    const int dimension = folded_[at(number)];
    const int mine = coordinate(rank, dimension);
    if (is_extra_before(rank, number) || !(fold(dimension).*sends)(mine)) return;
    targets.push_back({neighbor(rank, dimension, fold(dimension).other(mine))});
  }

  int partner(int rank, DimensionStep exchange) const {
    const int mine = coordinate(rank, exchange.dimension);
    const Swing swing = port_.swings[at(exchange.dimension)];
    if (!is_folded_[at(exchange.dimension)])
      return swing_partner(mine, exchange.step, lattice_.size(exchange.dimension), swing);
    const Fold folded = fold(exchange.dimension);
    return folded.member_at(swing_partner(folded.position_of(mine), exchange.step, folded.positions(), swing));
  }

  const Lattice& lattice_;
  BinePort port_;
  std::vector<int> folded_;  ///< dimensions
  std::vector<bool> is_folded_;
  std::vector<std::vector<int>> coordinates_;  ///< by dimension and rank
  std::vector<DimensionStep> exchanges_;
};

template <class Layout>
BlockSchedule make_schedule(const Lattice& lattice, const Butterflies& butterflies, Layout layout) {
  return BlockSchedule(
      lattice.ranks(), butterflies.steps(),
      [&](int rank, int step, std::vector<BlockSchedule::Target>& targets) { butterflies.add_target(rank, step, targets); },
      std::move(layout));
}

}  // namespace

BinePort bine_port(int port, int dimensions) {
  BinePort result{dimensions == 0 ? 0 : port % dimensions, {}};
  for (int dimension = 0; dimension < dimensions; ++dimension) {
    const int first_turn = (dimension - result.first_dimension + dimensions) % dimensions;
    const int direction = (port + first_turn) % (2 * dimensions);
    result.swings.push_back(direction < dimensions ? Swing::plain : Swing::mirrored);
  }
  return result;
}

BlockSchedule bine_block_schedule(const Lattice& lattice, const BinePort& port) {
  return make_schedule(lattice, Butterflies(lattice, port, Distances::doubling, is_odd), BlockSchedule::Layout::compact);
}

BlockSchedule bine_block_schedule(int ranks) { return bine_block_schedule(Lattice(nullptr, ranks), {}); }

BlockSchedule bine_halving_schedule(int ranks) {
  const Lattice circle(nullptr, ranks);
  return make_schedule(circle, Butterflies(circle, {}, Distances::halving, is_odd), BlockSchedule::Layout::rank_order);
}

BlockSchedule bine_by_ways_schedule(int ranks) {
  const Fold fold(ranks);
  std::vector<int> in_order(at(fold.positions()));
  for (int position = 0; position < fold.positions(); ++position)
    in_order[at(bine_position(position, fold.positions()))] = position;
  std::vector<int> order;
  for (const int position : in_order) {
    const int member = fold.member_at(position);
    order.push_back(member);
    if (fold.is_partner(member)) order.push_back(fold.other(member));
  }
  const Lattice circle(nullptr, ranks);
  return make_schedule(circle, Butterflies(circle, {}, Distances::doubling, is_no_power_of_two), std::move(order));
}

int bine_block_steps(int size) { return is_odd(size) && size > 1 ? Fold(size).position_bits() + 2 : swing_steps(size); }

int bine_by_ways_steps(int ranks) { return Fold(ranks).position_bits() + (is_no_power_of_two(ranks) ? 2 : 0); }

std::vector<std::int64_t> blocks_received(const BlockSchedule& schedule) {
  std::vector<std::int64_t> received(at(schedule.ranks()));
  for (int rank = 0; rank < schedule.ranks(); ++rank) {
    for (int step = 0; step < schedule.steps(); ++step) {
      for (const BlockTransfer& transfer : schedule.receives(rank, step)) {
        for (const Run& run : transfer.runs) received[at(rank)] += run.count;
      }
    }
  }
  return received;
}

BlockTree bine_block_tree(const BlockSchedule& schedule, int root) {
  const int ranks = schedule.ranks();
  BlockTree tree(bine_tree(ranks, root, Distances::doubling));
  std::vector<int> positions;
  for (RunSet& below : tree.subtrees) {
    positions.clear();
    for (const Run& run : below) {
      for (int rank = run.first; rank < run.end(); ++rank)
        positions.push_back(schedule.position((rank - root + ranks) % ranks));
    }
    std::sort(positions.begin(), positions.end());
    below.clear();
    for (const int position : positions) append(below, {position, 1});
  }
  return tree;
}

}  // namespace heddle::schedule
