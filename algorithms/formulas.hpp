// SPDX-License-Identifier: Apache-2.0
// The arithmetic that the rows' formulas for rounds and bytes share. Pure.
#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "algorithms/registry.hpp"
#include "algorithms/schedule/lattice.hpp"

namespace heddle::formulas {

/// n ≥ 1.
constexpr int ceil_log2(int n) { return std::bit_width(static_cast<unsigned>(n - 1)); }
constexpr int floor_log2(int n) { return std::bit_width(static_cast<unsigned>(n)) - 1; }
constexpr bool is_power_of_two(int n) { return std::has_single_bit(static_cast<unsigned>(n)); }

/// numerator/denominator · M, rounded down; no product overflows for vectors that fit a machine.
constexpr std::int64_t times(std::int64_t bytes, std::int64_t numerator, std::int64_t denominator) {
  return bytes / denominator * numerator + bytes % denominator * numerator / denominator;
}

/// (n-1)/n · M: a reduce-scatter or an allgather over n blocks.
constexpr std::int64_t all_but_one_block(std::int64_t bytes, int blocks) { return times(bytes, blocks - 1, blocks); }
/// 2(n-1)/n · M: both.
constexpr std::int64_t scattered_and_gathered(std::int64_t bytes, int blocks) {
  return times(bytes, 2 * (std::int64_t{blocks} - 1), blocks);
}

// Bytes.
/// M, of who sends the vector once.
inline std::int64_t vector_once(const Shape& shape) { return shape.ranks == 1 ? 0 : shape.bytes; }
/// (p-1)/p · M: every block but one's own once, the least that a collective on blocks can do.
inline std::int64_t other_blocks_once(const Shape& shape) { return all_but_one_block(shape.bytes, shape.ranks); }

// Rounds.
/// p-1.
inline int round_per_peer(const Shape& shape) { return shape.ranks - 1; }

/// The sizes of the dimensions that lead anywhere; one of p where there is no grid.
inline std::vector<int> long_dimensions(const Shape& shape) { return schedule::long_dimensions(shape.dims, shape.ranks); }

/// Σ of `term` over the long dimensions.
template <class Term>
int sum_over_dimensions(const Shape& shape, const Term& term) {
  const std::vector<int> sizes = long_dimensions(shape);
  return std::transform_reduce(sizes.begin(), sizes.end(), 0, std::plus<>{}, term);
}

/// Σ(dᵢ-1): rounds of a ring along each dimension.
inline int ring_rounds(const Shape& shape) {
  return sum_over_dimensions(shape, [](int size) { return size - 1; });
}

/// 2D, the ports that a multi-port algorithm uses; 1 for a single rank.
inline int ports(const Shape& shape) { return std::max(1, 2 * static_cast<int>(long_dimensions(shape).size())); }

// Granules.
inline std::int64_t one_element(const Shape&) { return 1; }
inline std::int64_t block_per_rank(const Shape& shape) { return shape.ranks; }
inline std::int64_t element_per_port(const Shape& shape) { return ports(shape); }
inline std::int64_t element_per_dimension(const Shape& shape) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(long_dimensions(shape).size()));
}
inline std::int64_t block_per_rank_and_dimension(const Shape& shape) { return element_per_dimension(shape) * shape.ranks; }
inline std::int64_t block_per_rank_and_port(const Shape& shape) { return std::int64_t{ports(shape)} * shape.ranks; }

}  // namespace heddle::formulas
