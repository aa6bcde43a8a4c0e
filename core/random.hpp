// SPDX-License-Identifier: Apache-2.0
// Random numbers that are the same on every machine: the distributions of <random> differ between standard libraries.
#pragma once

#include <cstdint>

#include "core/mix.hpp"

namespace heddle {

/// SplitMix64 (core/mix.hpp).
class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() { return mix_bits(state_ += kGoldenGamma); }

  /// Uniform over 0 … bound-1. Draws past the last whole multiple of `bound` would favour the small numbers: drawn again.
  std::uint64_t below(std::uint64_t bound) {
    const std::uint64_t excess = -bound % bound;  // 2^64 mod bound
    for (;;) {
      const std::uint64_t draw = next();
      if (draw <= ~excess) return draw % bound;
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace heddle
