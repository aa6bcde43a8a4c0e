// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/grids/lattice.hpp"

#include <algorithm>
#include <iterator>

namespace heddle::schedule {

std::vector<int> long_dimensions(const std::vector<int>& dims, int ranks) {
  std::vector<int> sizes;
  if (dims.empty() && ranks > 1) sizes.push_back(ranks);
  std::copy_if(dims.begin(), dims.end(), std::back_inserter(sizes), [](int size) { return size > 1; });
  return sizes;
}

Lattice::Lattice(const Grid* grid, int ranks)
    : grid_(grid), ranks_(ranks), sizes_(long_dimensions(grid ? grid->dims() : std::vector<int>{}, ranks)) {
  if (!grid_) return;
  for (int i = 0; i < grid_->dimensions(); ++i) {
    if (grid_->dims()[static_cast<std::size_t>(i)] > 1) grid_dimension_.push_back(i);
  }
}

int Lattice::coordinate(Rank rank, int dimension) const {
  return grid_ ? grid_->coordinate(rank, grid_dimension_[static_cast<std::size_t>(dimension)]) : rank.value();
}

std::vector<int> Lattice::ranks_in_order(int first_dimension) const {
  std::vector<int> ranks(static_cast<std::size_t>(ranks_));
  bool is_identity = true;
  for (int rank = 0; rank < ranks_; ++rank) {
    int position = 0;
    for (int i = 0; i < dimensions(); ++i) {
      const int dimension = (first_dimension + i) % dimensions();
      position = position * size(dimension) + coordinate(Rank(rank), dimension);
    }
    ranks[static_cast<std::size_t>(position)] = rank;
    is_identity = is_identity && position == rank;
  }
  if (is_identity) ranks.clear();
  return ranks;
}

Rank Lattice::neighbor(Rank rank, int dimension, int coordinate) const {
  return grid_ ? grid_->neighbor(rank, grid_dimension_[static_cast<std::size_t>(dimension)], coordinate) : Rank(coordinate);
}

}  // namespace heddle::schedule
