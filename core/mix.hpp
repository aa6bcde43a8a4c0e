// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace heddle {

// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014, figure 5, with the constants of
// Stafford's variant 13).

/// By this its state grows at each step: odd, and close to 2^64 over the golden ratio.
inline constexpr std::uint64_t kGoldenGamma = 0x9e3779b97f4a7c15ULL;

/// Its finaliser: to each number another that shares no pattern with it, but 0 to 0.
constexpr std::uint64_t mix_bits(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// What it draws in the state x.
constexpr std::uint64_t mix(std::uint64_t x) { return mix_bits(x + kGoldenGamma); }

}  // namespace heddle
