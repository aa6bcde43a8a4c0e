// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "emu/checked_run.hpp"

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

std::int64_t choose_held(std::int64_t count, std::int64_t granule, int ranks, std::size_t element_size, Bytes budget) {
  const std::int64_t per_rank = budget.count() / std::max(1, ranks);
  const std::int64_t fits = per_rank / static_cast<std::int64_t>(element_size);
  if (count <= fits || count <= granule) return count;
  if (fits < granule) return granule;
  if (count % granule == 0) return granule * largest_divisor(count / granule, fits / granule);
  return fits / granule * granule;
}

}  // namespace heddle
