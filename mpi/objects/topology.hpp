// SPDX-License-Identifier: Apache-2.0
// Virtual topologies (MPI 5.0, chapter 8): who is whose neighbour in a communicator. Pure functions and values.
#pragma once

#include <span>
#include <variant>
#include <vector>

namespace heddle::mpi {

/// A grid of processes in row-major order: the last coordinate changes fastest.
struct CartTopology {
  std::vector<int> dims;
  std::vector<bool> is_periodic;

  int size() const;
  /// Coordinates of a rank, 0 ≤ rank < size().
  std::vector<int> coordinates(int rank) const;
  /// The rank at these coordinates. Those of a periodic dimension may lie outside of it. MPI_PROC_NULL where others do.
  int rank(std::span<const int> coordinates) const;
  /// `displacement` places along a dimension from `rank`, or MPI_PROC_NULL.
  int shifted(int rank, int dimension, int displacement) const;
  /// Ranks that it gets from, and sends to, in the order of neighbour collectives: for each dimension the one below, the one above.
  std::vector<int> neighbours(int rank) const;
};

/// MPI_Graph_create: the same whole graph on every rank.
struct GraphTopology {
  std::vector<int> ends;   ///< of node i: the neighbours of all nodes up to i
  std::vector<int> edges;  ///< neighbours, node by node

  std::span<const int> neighbours(int rank) const;
};

/// MPI_Dist_graph_create: a rank's own neighbours.
struct DistGraphTopology {
  std::vector<int> sources = {};
  std::vector<int> source_weights = {};
  std::vector<int> destinations = {};
  std::vector<int> destination_weights = {};
  bool is_weighted = false;
};

using Topology = std::variant<std::monostate, CartTopology, GraphTopology, DistGraphTopology>;

/// MPI_Dims_create: fills in the zeros of `dims` so that their product is `nodes`, as near to each other as can be, the larger ones
/// first. False where what is set does not divide `nodes`.
bool fill_dims(int nodes, std::span<int> dims);

}  // namespace heddle::mpi
