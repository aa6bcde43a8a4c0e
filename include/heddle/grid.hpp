// SPDX-License-Identifier: Apache-2.0
// Where a rank is, as plain values: coordinates on a grid, groups per tier. An algorithm learns of its fabric only this.
#pragma once

#include <memory>
#include <vector>

#include "heddle/vector_view.hpp"

namespace heddle {

/// The ranks of a communicator on a D-dimensional grid. Without a table, ranks count row-major: the last dimension varies
/// fastest. Immutable and shared; safe from any thread.
class Grid {
 public:
  /// `dims` are one or more, ≥ 1 each; `wraps` is true for a torus, false for a mesh. Throws InputError.
  Grid(std::vector<int> dims, bool wraps);
  /// With ranks placed otherwise: `node_of_rank[r]` is the row-major node of rank r, a permutation of 0 … size-1; else throws
  /// InputError.
  Grid(std::vector<int> dims, bool wraps, std::vector<int> node_of_rank);

  const std::vector<int>& dims() const { return dims_; }
  int dimensions() const { return static_cast<int>(dims_.size()); }
  bool wraps() const { return wraps_; }
  int size() const { return size_; }

  // What is not on the grid throws UsageError.

  std::vector<int> coordinates(Rank rank) const;
  int coordinate(Rank rank, int dimension) const;
  Rank rank_at(const std::vector<int>& coordinates) const;
  /// The rank whose coordinate in `dimension` is `coordinate` and whose others are those of `rank`.
  Rank neighbor(Rank rank, int dimension, int coordinate) const;

 private:
  int node(Rank rank) const;
  Rank rank_of_node(int node) const;
  void check_dimension(int dimension) const;
  void check_coordinate(int dimension, int coordinate) const;

  std::vector<int> dims_;
  std::vector<int> strides_;
  bool wraps_;
  int size_;
  std::vector<int> node_of_rank_;  ///< empty: the identity
  std::vector<int> rank_of_node_;  ///< its inverse
};

/// Groups of ranks per tier of the fabric, innermost first: group[t][r] is the group of rank r at tier t.
/// The outermost tier is one group. A flat fabric has one tier.
struct Tiers {
  std::vector<std::vector<int>> group;
};

}  // namespace heddle
