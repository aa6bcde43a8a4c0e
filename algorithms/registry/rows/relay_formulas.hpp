// SPDX-License-Identifier: Apache-2.0
// Rounds and bytes of alltoalls in which blocks are passed on from neighbour to neighbour. Pure.
#pragma once

#include <cstdint>

#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/schedule/grids/relay.hpp"

namespace heddle::formulas {

/// Block-links per rank in a dimension, of as many blocks as it has coordinates: each block counts at every link that it takes.
constexpr std::int64_t links_taken(std::int64_t size, bool wraps) {
  return wraps ? size * size / 4 : size - 1 + 2 * ((size - 1) * (size - 1) / 4);
}

inline Rounds relay_rounds() {
  return {"Σ⌊dᵢ/2⌋; on a mesh Σ(dᵢ-1)", [](const Shape& shape) {
            return sum_over_dimensions(shape, [&](int size) { return schedule::Ways{size, shape.wraps}.longest(); });
          }};
}

inline BytesSent relay_bytes() {
  return {"Σ⌊dᵢ²/4⌋/dᵢ · M; on a mesh Σ((dᵢ-1) + 2⌊(dᵢ-1)²/4⌋)/dᵢ · M", [](const Shape& shape) {
            std::int64_t bytes = 0;
            for (const int size : long_dimensions(shape)) bytes += times(shape.bytes, links_taken(size, shape.wraps), size);
            return bytes;
          }};
}

/// Every part of a block has an element.
template <schedule::Turns turns>
std::int64_t block_per_part(const Shape& shape) {
  return std::int64_t{schedule::relay_parts(long_dimensions(shape), shape.wraps, turns)} * shape.ranks;
}

}  // namespace heddle::formulas
