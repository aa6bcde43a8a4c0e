// SPDX-License-Identifier: Apache-2.0
#include "mpi/objects/topology.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>

#include "mpi/image/table.hpp"

namespace heddle::mpi {

int CartTopology::size() const { return std::accumulate(dims.begin(), dims.end(), 1, std::multiplies<>()); }

std::vector<int> CartTopology::coordinates(int rank) const {
  std::vector<int> at(dims.size());
  for (std::size_t i = dims.size(); i-- > 0;) {
    at[i] = rank % dims[i];
    rank /= dims[i];
  }
  return at;
}

int CartTopology::rank(std::span<const int> coordinates) const {
  int rank = 0;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    int at = coordinates[i];
    if (at < 0 || at >= dims[i]) {
      if (!is_periodic[i]) return MPI_PROC_NULL;
      at = (at % dims[i] + dims[i]) % dims[i];
    }
    rank = rank * dims[i] + at;
  }
  return rank;
}

int CartTopology::shifted(int rank, int dimension, int displacement) const {
  std::vector<int> at = coordinates(rank);
  int& along = at[static_cast<std::size_t>(dimension)];
  // What an int cannot hold is outside of every dimension that does not wrap.
  const long moved = static_cast<long>(along) + displacement;
  const int size = dims[static_cast<std::size_t>(dimension)];
  if (!is_periodic[static_cast<std::size_t>(dimension)] && (moved < 0 || moved >= size)) return MPI_PROC_NULL;
  along = static_cast<int>((moved % size + size) % size);
  return this->rank(at);
}

std::vector<int> CartTopology::neighbours(int rank) const {
  std::vector<int> all;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    all.push_back(shifted(rank, static_cast<int>(i), -1));
    all.push_back(shifted(rank, static_cast<int>(i), 1));
  }
  return all;
}

std::span<const int> GraphTopology::neighbours(int rank) const {
  const int first = rank == 0 ? 0 : ends[static_cast<std::size_t>(rank) - 1];
  const int last = ends[static_cast<std::size_t>(rank)];
  return std::span(edges).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
}

namespace {

/// The factors of `nodes` in `count` dimensions, not rising, whose spread is the least: the largest as small as can be, and so on.
bool best_factors(int nodes, int count, int most, std::vector<int>& factors) {
  if (count == 1) {
    if (nodes > most) return false;
    factors.push_back(nodes);
    return true;
  }
  // The largest is at least the root.
  for (int first = 1; first <= std::min(most, nodes); ++first) {
    if (nodes % first != 0) continue;
    long power = 1;
    for (int i = 0; i < count && power < nodes; ++i) power *= first;
    if (power < nodes) continue;
    factors.push_back(first);
    if (best_factors(nodes / first, count - 1, first, factors)) return true;
    factors.pop_back();
  }
  return false;
}

}  // namespace

bool fill_dims(int nodes, std::span<int> dims) {
  int left = nodes;
  int open = 0;
  for (const int dim : dims) {
    if (dim == 0) {
      ++open;
    } else {
      if (left % dim != 0) return false;
      left /= dim;
    }
  }
  if (open == 0) return left == 1;
  std::vector<int> factors;
  best_factors(left, open, std::numeric_limits<int>::max(), factors);
  auto next = factors.begin();
  for (int& dim : dims) {
    if (dim == 0) dim = *next++;
  }
  return true;
}

}  // namespace heddle::mpi
