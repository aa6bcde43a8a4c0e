// SPDX-License-Identifier: Apache-2.0
// A ready-made operation that is associative but not commutative: with it a run shows whether an algorithm keeps rank order.
#pragma once

#include <cstdint>

#include "heddle/datatype.hpp"
#include "heddle/reduce_op.hpp"

namespace heddle {

/// The map x ↦ (2·half + 1)·x + offset over the integers modulo 2^64. Any bytes are a map. Its factor is odd, so it can be undone:
/// no contribution vanishes however many are composed. Even factors would soon multiply to zero.
struct AffineMap {
  std::uint64_t half = 0;
  std::uint64_t offset = 0;

  constexpr std::uint64_t factor() const { return 2 * half + 1; }
  constexpr std::uint64_t operator()(std::uint64_t x) const { return factor() * x + offset; }
  friend constexpr bool operator==(AffineMap, AffineMap) = default;
};

/// f ∘ g: first g, then f. Its factor is (2·f.half + 1)·(2·g.half + 1) = 2·(2·f.half·g.half + f.half + g.half) + 1.
constexpr AffineMap compose(AffineMap f, AffineMap g) {
  return {2 * f.half * g.half + f.half + g.half, f.factor() * g.offset + f.offset};
}

/// Elements are AffineMaps.
Datatype affine_type();

/// "affine": composes elements of affine_type(), the lower rank's map outermost. Throws UsageError for another type.
const ReduceOp& affine_op();

}  // namespace heddle
