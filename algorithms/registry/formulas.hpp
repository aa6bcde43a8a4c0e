// SPDX-License-Identifier: Apache-2.0
// The arithmetic that the entries' formulas for rounds and bytes share. Pure.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <iterator>
#include <numeric>
#include <vector>

#include "heddle/registry.hpp"

namespace heddle::plans {

/// The dimensions longer than 1 of a grid of `ranks` ranks; {ranks} where `dims` is empty, nothing for one rank.
inline std::vector<int> long_dimensions(const std::vector<int>& dims, int ranks) {
  std::vector<int> sizes;
  if (dims.empty() && ranks > 1) sizes.push_back(ranks);
  std::copy_if(dims.begin(), dims.end(), std::back_inserter(sizes), [](int size) { return size > 1; });
  return sizes;
}

}  // namespace heddle::plans

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

/// 1 where neighbours fold before the first step and unfold after the last (executors/lattice.hpp).
constexpr int folds(int members) { return is_power_of_two(members) ? 0 : 1; }

using Rounds = Formula<int>;
using BytesSent = Formula<std::int64_t>;

// Bytes.
inline BytesSent no_bytes() {
  return {"0", [](const Shape&) { return std::int64_t{0}; }};
}
/// Of who sends the vector once.
inline BytesSent vector_once() {
  return {"M", [](const Shape& shape) { return shape.ranks == 1 ? 0 : shape.bytes; }};
}
/// The vector in each of ⌈log2 p⌉ rounds.
inline BytesSent log2_vectors() {
  return {"⌈log2 p⌉ · M", [](const Shape& shape) { return ceil_log2(shape.ranks) * shape.bytes; }};
}
/// Every block but one's own once, the least that a collective on blocks can do.
inline BytesSent other_blocks_once() {
  return {"(p-1)/p · M", [](const Shape& shape) { return all_but_one_block(shape.bytes, shape.ranks); }};
}
/// The least of an allreduce: a reduce-scatter and an allgather.
inline BytesSent all_blocks_twice() {
  return {"2(p-1)/p · M", [](const Shape& shape) { return scattered_and_gathered(shape.bytes, shape.ranks); }};
}

// Rounds.
/// All messages at once.
inline Rounds one_round() {
  return {"1", [](const Shape& shape) { return shape.ranks > 1 ? 1 : 0; }};
}
inline Rounds round_per_peer() {
  return {"p-1", [](const Shape& shape) { return shape.ranks - 1; }};
}
inline Rounds two_rounds_per_peer() {
  return {"2(p-1)", [](const Shape& shape) { return 2 * (shape.ranks - 1); }};
}
inline Rounds log2_rounds() {
  return {"⌈log2 p⌉", [](const Shape& shape) { return ceil_log2(shape.ranks); }};
}
inline Rounds whole_log2_rounds() {
  return {"⌊log2 p⌋", [](const Shape& shape) { return floor_log2(shape.ranks); }};
}
/// A power of two runs, the others fold.
inline Rounds folded_log2_rounds() {
  return {"⌊log2 p⌋, + 2 if p is no power of two",
          [](const Shape& shape) { return floor_log2(shape.ranks) + 2 * folds(shape.ranks); }};
}
/// Up a binomial tree and down again.
inline Rounds up_and_down_rounds() {
  return {"⌊log2 p⌋ + ⌈log2 p⌉", [](const Shape& shape) { return floor_log2(shape.ranks) + ceil_log2(shape.ranks); }};
}

// Grids.
/// The sizes of the dimensions that lead anywhere; one of p where there is no grid.
inline std::vector<int> long_dimensions(const Shape& shape) { return plans::long_dimensions(shape.dims, shape.ranks); }

/// Σ of `term` over the long dimensions.
template <class Term>
int sum_over_dimensions(const Shape& shape, const Term& term) {
  const std::vector<int> sizes = long_dimensions(shape);
  return std::transform_reduce(sizes.begin(), sizes.end(), 0, std::plus<>{}, term);
}

/// A ring along each dimension.
inline Rounds ring_rounds() {
  return {"Σ(dᵢ-1)", [](const Shape& shape) { return sum_over_dimensions(shape, [](int size) { return size - 1; }); }};
}
inline Rounds two_ring_rounds() {
  return {"2Σ(dᵢ-1)", [](const Shape& shape) { return 2 * ring_rounds()(shape); }};
}
/// The same in step: along each dimension as many as the longest takes.
inline Rounds two_longest_ring_rounds() {
  return {"2D·(max dᵢ-1)", [](const Shape& shape) {
            const std::vector<int> sizes = long_dimensions(shape);
            return sizes.empty() ? 0 : 2 * static_cast<int>(sizes.size()) * (*std::max_element(sizes.begin(), sizes.end()) - 1);
          }};
}

/// 2D, the ports that a multi-port algorithm uses; 1 for a single rank.
inline int ports(const Shape& shape) { return std::max(1, 2 * static_cast<int>(long_dimensions(shape).size())); }

// Messages that a rank sends in a round, about.
inline double message_per_port(const Shape& shape) { return ports(shape); }
/// All at once.
inline double message_per_peer(const Shape& shape) { return shape.ranks - 1; }
/// Each block but one by itself, in ⌈log2 p⌉ rounds.
inline double message_per_block(const Shape& shape) {
  return static_cast<double>(shape.ranks - 1) / std::max(1, ceil_log2(shape.ranks));
}

// Granules.
inline std::int64_t one_element(const Shape&) { return 1; }
inline std::int64_t block_per_rank(const Shape& shape) { return shape.ranks; }
/// Of each channel's slice.
inline std::function<std::int64_t(const Shape&)> blocks_per_channel(int channels) {
  return [channels](const Shape& shape) { return std::int64_t{channels} * shape.ranks; };
}
inline std::int64_t element_per_port(const Shape& shape) { return ports(shape); }
inline std::int64_t element_per_dimension(const Shape& shape) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(long_dimensions(shape).size()));
}
inline std::int64_t block_per_rank_and_dimension(const Shape& shape) { return element_per_dimension(shape) * shape.ranks; }
inline std::int64_t block_per_rank_and_port(const Shape& shape) { return std::int64_t{ports(shape)} * shape.ranks; }

}  // namespace heddle::formulas
