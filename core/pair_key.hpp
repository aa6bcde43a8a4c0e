// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>

namespace heddle {

/// Two numbers of at most 32 bits as one. Where both are from 0, keys are in the order of the first, then of the second.
template <std::integral First, std::integral Second>
constexpr std::uint64_t pair_key(First first, Second second) {
  static_assert(sizeof(First) <= 4 && sizeof(Second) <= 4);
  return std::uint64_t{static_cast<std::uint32_t>(first)} << 32 | static_cast<std::uint32_t>(second);
}

/// The first of the two it was made of.
constexpr std::int32_t first_of_pair(std::uint64_t key) { return static_cast<std::int32_t>(key >> 32); }

}  // namespace heddle
