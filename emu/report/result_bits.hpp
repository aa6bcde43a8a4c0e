// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace heddle {

/// A result of floats that round, on one rank after one call: two that differ in a bit have, but for a chance of 2^-64, different
/// numbers.
struct ResultBits {
  int group = 0;
  int call = 0;
  int rank = 0;  ///< of the group
  std::uint64_t hash = 0;

  friend constexpr bool operator==(const ResultBits&, const ResultBits&) = default;
};

}  // namespace heddle
