// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "emu/check/checked_run.hpp"

namespace heddle {

namespace {

/// The largest divisor of n that is at most `most`. n, most ≥ 1. About √n steps at worst.
std::int64_t largest_divisor(std::int64_t n, std::int64_t most) {
  // Divisors pair up, d·e = n: the large ones are found by their small partners, from the least partner that makes d fit.
  std::int64_t partner = most >= n ? 1 : (n - 1) / most + 1;
  for (; partner <= n / partner; ++partner) {
    if (n % partner == 0) return n / partner;
  }
  // No divisor of √n or more fits.
  std::int64_t divisor = std::min(most, n / partner);
  while (n % divisor != 0) --divisor;
  return divisor;
}

}  // namespace

double vectors_held(Collective collective, int ranks, bool in_place) {
  const double p = ranks;
  const double roots = std::min(ranks, 2);  // of the two calls
  switch (collective) {
    case Collective::broadcast:
    case Collective::reduce:
      return in_place ? p : p + roots;
    case Collective::allreduce:
    case Collective::alltoall:
      return in_place ? p : 2 * p;
    case Collective::reduce_scatter:
    case Collective::allgather:
      return in_place ? p : p + 1;
    case Collective::gather:
    case Collective::scatter:
      return roots + 1;
    case Collective::barrier:
      return 0;
  }
  return 0;
}

std::int64_t choose_sampled(std::int64_t count, std::int64_t block_count, double vectors, std::size_t element_size,
                            Bytes budget) {
  const double per_vector = static_cast<double>(budget.count()) / std::max(1.0, vectors);
  const auto fits = static_cast<std::int64_t>(per_vector / static_cast<double>(element_size));
  if (count <= fits || count <= block_count) return count;
  if (fits < block_count) return block_count;
  if (count % block_count == 0) return block_count * largest_divisor(count / block_count, fits / block_count);
  return fits / block_count * block_count;
}

}  // namespace heddle
