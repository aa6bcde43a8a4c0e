// SPDX-License-Identifier: Apache-2.0
#include "heddle/grid.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "heddle/errors.hpp"

namespace heddle {

namespace {

int product(const std::vector<int>& dims) {
  if (dims.empty()) throw InputError("a grid without dimensions; give at least one, as in 8x8");
  std::int64_t size = 1;
  for (const int dim : dims) {
    if (dim < 1) throw InputError(fmt::format("grid {}: each dimension must be at least 1", fmt::join(dims, "x")));
    size *= dim;
    if (size > std::numeric_limits<int>::max())
      throw InputError(fmt::format("grid {}: more than {} nodes", fmt::join(dims, "x"), std::numeric_limits<int>::max()));
  }
  return static_cast<int>(size);
}

std::vector<int> row_major_strides(const std::vector<int>& dims) {
  std::vector<int> strides(dims.size(), 1);
  for (std::size_t d = dims.size() - 1; d > 0; --d) strides[d - 1] = strides[d] * dims[d];
  return strides;
}

/// Throws unless `table` is a permutation of 0 … size-1.
std::vector<int> inverse_permutation(const std::vector<int>& table, int size) {
  constexpr int kNone = -1;
  if (std::ssize(table) != size)
    throw InputError(fmt::format("a grid of {} nodes needs as many ranks in its placement, not {}", size, table.size()));
  std::vector<int> inverse(table.size(), kNone);
  for (std::size_t rank = 0; rank < table.size(); ++rank) {
    const int node = table[rank];
    if (node < 0 || node >= size)
      throw InputError(
          fmt::format("placement puts rank {} on node {} of a grid whose nodes are 0 to {}", rank, node, size - 1));
    int& rank_there = inverse[static_cast<std::size_t>(node)];
    if (rank_there != kNone)
      throw InputError(fmt::format("placement puts ranks {} and {} both on node {}", rank_there, rank, node));
    rank_there = static_cast<int>(rank);
  }
  return inverse;
}

}  // namespace

Grid::Grid(std::vector<int> dims, bool wraps) : dims_(std::move(dims)), wraps_(wraps), size_(product(dims_)) {
  strides_ = row_major_strides(dims_);
}

Grid::Grid(std::vector<int> dims, bool wraps, std::vector<int> node_of_rank) : Grid(std::move(dims), wraps) {
  rank_of_node_ = inverse_permutation(node_of_rank, size_);
  node_of_rank_ = std::move(node_of_rank);
}

std::vector<int> Grid::coordinates(Rank rank) const {
  const int at = node(rank);
  std::vector<int> coordinates(dims_.size());
  for (std::size_t d = 0; d < dims_.size(); ++d) coordinates[d] = at / strides_[d] % dims_[d];
  return coordinates;
}

int Grid::coordinate(Rank rank, int dimension) const {
  check_dimension(dimension);
  const auto d = static_cast<std::size_t>(dimension);
  return node(rank) / strides_[d] % dims_[d];
}

Rank Grid::rank_at(const std::vector<int>& coordinates) const {
  if (coordinates.size() != dims_.size())
    throw UsageError(fmt::format("({}) is no place on a grid of {}", fmt::join(coordinates, ","), fmt::join(dims_, "x")));
  int at = 0;
  for (std::size_t d = 0; d < dims_.size(); ++d) {
    check_coordinate(static_cast<int>(d), coordinates[d]);
    at += coordinates[d] * strides_[d];
  }
  return rank_of_node(at);
}

Rank Grid::neighbor(Rank rank, int dimension, int coordinate) const {
  const int from = this->coordinate(rank, dimension);
  check_coordinate(dimension, coordinate);
  return rank_of_node(node(rank) + (coordinate - from) * strides_[static_cast<std::size_t>(dimension)]);
}

int Grid::node(Rank rank) const {
  if (rank.value() < 0 || rank.value() >= size_)
    throw UsageError(fmt::format("rank {} is not on a grid of {} nodes", rank.value(), size_));
  return node_of_rank_.empty() ? rank.value() : node_of_rank_[static_cast<std::size_t>(rank.value())];
}

Rank Grid::rank_of_node(int node) const {
  return Rank(rank_of_node_.empty() ? node : rank_of_node_[static_cast<std::size_t>(node)]);
}

void Grid::check_dimension(int dimension) const {
  if (dimension < 0 || dimension >= dimensions())
    throw UsageError(fmt::format("a grid of {} has no dimension {}", fmt::join(dims_, "x"), dimension));
}

void Grid::check_coordinate(int dimension, int coordinate) const {
  const int length = dims_[static_cast<std::size_t>(dimension)];
  if (coordinate < 0 || coordinate >= length)
    throw UsageError(
        fmt::format("coordinate {} is outside dimension {} of a grid of {}", coordinate, dimension, fmt::join(dims_, "x")));
}

}  // namespace heddle
