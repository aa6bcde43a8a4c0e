// SPDX-License-Identifier: Apache-2.0
// The grid as an algorithm uses it: only the dimensions that lead anywhere, and one dimension where there is no grid.
#pragma once

#include <vector>

#include "core/grid.hpp"
#include "core/rank.hpp"

namespace heddle::schedule {

/// The dimensions longer than 1 of a grid of `ranks` ranks; {ranks} where `dims` is empty, nothing for one rank.
std::vector<int> long_dimensions(const std::vector<int>& dims, int ranks);

/// Ranks by coordinates in their long dimensions. Cheap to copy; refers to the grid.
class Lattice {
 public:
  /// `grid` may be nullptr: one dimension, a rank's coordinate is its number.
  Lattice(const Grid* grid, int ranks);

  int ranks() const { return ranks_; }
  int dimensions() const { return static_cast<int>(sizes_.size()); }
  const std::vector<int>& sizes() const { return sizes_; }
  int size(int dimension) const { return sizes_[static_cast<std::size_t>(dimension)]; }

  int coordinate(Rank rank, int dimension) const;
  /// The rank whose coordinate in `dimension` is `coordinate` and whose others are those of `rank`.
  Rank neighbor(Rank rank, int dimension, int coordinate) const;
  /// All ranks by coordinates in dimensions first_dimension, first_dimension + 1, … round, the last of these varying fastest;
  /// empty where that is 0 … p-1.
  std::vector<int> ranks_in_order(int first_dimension = 0) const;

 private:
  const Grid* grid_;
  int ranks_;
  std::vector<int> sizes_;
  std::vector<int> grid_dimension_;  ///< of each long dimension
};

}  // namespace heddle::schedule
