// SPDX-License-Identifier: Apache-2.0
// A vector cut into consecutive blocks, one per rank, port or segment.
#pragma once

#include <cstdint>

namespace heddle {

/// Blocks 0 … blocks()-1 over [0, count). Cheap to copy; computes, stores nothing per block.
class BlockPartition {
 public:
  /// As evenly as it goes: the first count mod blocks blocks are one element longer. blocks ≥ 1, count ≥ 0.
  constexpr BlockPartition(std::int64_t count, std::int64_t blocks)
      : count_(count), blocks_(blocks), base_(count / blocks), longer_(count % blocks) {}

  constexpr std::int64_t count() const { return count_; }
  constexpr std::int64_t blocks() const { return blocks_; }
  /// Where block b begins; offset(blocks()) is count().
  constexpr std::int64_t offset(std::int64_t b) const { return b * base_ + (b < longer_ ? b : longer_); }
  constexpr std::int64_t size(std::int64_t b) const { return base_ + (b < longer_ ? 1 : 0); }
  /// Elements in blocks first … first + n - 1.
  constexpr std::int64_t size(std::int64_t first, std::int64_t n) const { return offset(first + n) - offset(first); }

  /// Block b of a vector of count() elements.
  template <class View>
  View block(View vector, std::int64_t b) const {
    return vector.slice(offset(b), size(b));
  }
  /// Blocks first … first + n - 1 of it.
  template <class View>
  View blocks(View vector, std::int64_t first, std::int64_t n) const {
    return vector.slice(offset(first), size(first, n));
  }

 private:
  std::int64_t count_;
  std::int64_t blocks_;
  std::int64_t base_;
  std::int64_t longer_;
};

}  // namespace heddle
