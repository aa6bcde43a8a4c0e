// SPDX-License-Identifier: Apache-2.0
// Logarithms by counting. The rows' formulas and the schedules share heddle's own: a mistake there shows only against others.
#pragma once

#include <cstdint>

namespace heddle::testing {

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
