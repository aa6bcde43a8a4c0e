// SPDX-License-Identifier: Apache-2.0
// Numbers that tests of algorithms reckon with: indices, uneven blocks, and logarithms by counting. The rows' formulas and the
// plans share heddle's own logarithms: a mistake there shows only against others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::testing {

constexpr std::size_t index_of(int number) { return static_cast<std::size_t>(number); }

/// Blocks of which some are empty and one is long.
inline std::vector<std::int64_t> skewed_sizes(int ranks) {
  std::vector<std::int64_t> sizes;
  for (int b = 0; b < ranks; ++b) sizes.push_back(b % 3 == 1 ? 0 : b % 5 == 3 ? 40 : 1 + b % 4);
  return sizes;
}

/// How often 1 doubles until it is p or more: with one message a round no fewer rounds bring one rank's word to p ranks, or p
/// ranks' contributions to one.
constexpr int doublings(std::int64_t p) {
  int n = 0;
  for (std::int64_t reached = 1; reached < p; reached *= 2) ++n;
  return n;
}

/// How often p can be halved until it is 1. Powers of two are those that halve as often as 1 doubles.
constexpr int halvings(std::int64_t p) {
  int n = 0;
  for (; p > 1; p /= 2) ++n;
  return n;
}

}  // namespace heddle::testing
