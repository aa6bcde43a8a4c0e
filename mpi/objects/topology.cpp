// SPDX-License-Identifier: Apache-2.0
#include "mpi/objects/topology.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
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

std::vector<int> divisors_of(int number) {
  std::vector<int> low;
  std::vector<int> high;
  for (long divisor = 1; divisor * divisor <= number; ++divisor) {
    if (number % divisor != 0) continue;
    low.push_back(static_cast<int>(divisor));
    if (divisor * divisor != number) high.push_back(static_cast<int>(number / divisor));
  }
  low.insert(low.end(), high.rbegin(), high.rend());
  return low;
}

/// The greatest whole number whose power is at most `number`.
int floor_root(int number, int exponent) {
  const auto is_at_most = [&](long base) {
    long power = 1;
    for (int i = 0; i < exponent; ++i) {
      power *= base;
      if (power > number) return false;
    }
    return true;
  };
  int root = static_cast<int>(std::pow(static_cast<double>(number), 1.0 / exponent));
  while (!is_at_most(root)) --root;
  while (is_at_most(root + 1L)) ++root;
  return root;
}

/// The factors of a number, not rising, that are as close to each other as can be (MPI 5.0, §8.5.2): the largest and the smallest differ
/// least. Of those, the ones whose smallest is the largest, then whose second smallest is, and so on, as MPICH has it.
class ClosestFactors {
 public:
  ClosestFactors(int number, int count) : divisors_(divisors_of(number)) { search(number, count, number); }

  const std::vector<int>& best() const { return best_; }

 private:
  bool may_be_better(int largest, int smallest) const {
    if (best_.empty()) return true;
    const int spread = largest - smallest;
    const int best_spread = best_.front() - best_.back();
    return spread < best_spread || (spread == best_spread && smallest >= best_.back());
  }
  bool is_better(std::span<const int> factors) const {
    if (best_.empty()) return true;
    const int spread = factors.front() - factors.back();
    const int best_spread = best_.front() - best_.back();
    return spread < best_spread || (spread == best_spread && std::lexicographical_compare(best_.rbegin(), best_.rend(),
                                                                                          factors.rbegin(), factors.rend()));
  }

  void search(int rest, int count, int most) {
    // The smallest that is to come is at most the root.
    const int root = floor_root(rest, count);
    if (!chosen_.empty() && !may_be_better(chosen_.front(), root)) return;
    if (count == 1) {
      if (rest > most) return;
      chosen_.push_back(rest);
      if (is_better(chosen_)) best_ = chosen_;
      chosen_.pop_back();
      return;
    }
    // The largest that is to come is at least the root.
    for (auto next = std::ranges::lower_bound(divisors_, root); next != divisors_.end() && *next <= most; ++next) {
      if (rest % *next != 0) continue;
      chosen_.push_back(*next);
      search(rest / *next, count - 1, *next);
      chosen_.pop_back();
    }
  }

  std::vector<int> divisors_;
  std::vector<int> chosen_;
  std::vector<int> best_;
};

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
  const ClosestFactors factors(left, open);
  auto next = factors.best().begin();
  for (int& dim : dims) {
    if (dim == 0) dim = *next++;
  }
  return true;
}

}  // namespace heddle::mpi
