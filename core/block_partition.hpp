// SPDX-License-Identifier: Apache-2.0
// A vector cut into consecutive blocks, one per rank, port or segment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace heddle {

/// Blocks 0 … blocks()-1 over [0, count). Cheap to copy and immutable; even ones compute and store nothing per block.
class BlockPartition {
 public:
  /// One empty block.
  BlockPartition() : BlockPartition(0, 1) {}
  /// As evenly as it goes: the first count mod blocks blocks are one element longer. blocks ≥ 1, count ≥ 0; throws UsageError
  /// otherwise.
  BlockPartition(std::int64_t count, std::int64_t blocks)
      : count_(count), blocks_(possible(count, blocks)), base_(count / blocks_), longer_(count % blocks_) {}
  /// Blocks of any sizes, MPI's "v" collectives. One or more sizes ≥ 0; throws UsageError otherwise.
  static BlockPartition of_sizes(std::span<const std::int64_t> sizes);

  std::int64_t count() const { return count_; }
  std::int64_t blocks() const { return blocks_; }
  /// Where block b begins; offset(blocks()) is count().
  std::int64_t offset(std::int64_t b) const {
    if (given_) return given_->offsets[static_cast<std::size_t>(b)];
    return b * base_ + (b < longer_ ? b : longer_);
  }
  std::int64_t size(std::int64_t b) const {
    if (given_) return offset(b + 1) - offset(b);
    return base_ + (b < longer_ ? 1 : 0);
  }
  /// Elements in blocks first … first + n - 1.
  std::int64_t size(std::int64_t first, std::int64_t n) const { return offset(first + n) - offset(first); }
  /// The size of the longest block.
  std::int64_t longest() const { return given_ ? given_->longest : size(0); }
  /// Whether all blocks have the same size.
  bool all_equal() const { return longest() * blocks_ == count_; }

  /// Block b of a vector of count() elements. Throws UsageError where there is none.
  template <class View>
  View block(View vector, std::int64_t b) const {
    require_blocks(b, 1);
    return part(vector, offset(b), size(b));
  }
  /// Blocks first … first + n - 1 of it. Each message of several blocks asks for some.
  template <class View>
  [[gnu::always_inline]] View blocks(View vector, std::int64_t first, std::int64_t n) const {
    require_blocks(first, n);
    return part(vector, offset(first), size(first, n));
  }

 private:
  /// A slice. Blocks lie within count() elements, so a vector that has them has the block.
  template <class View>
  View part(View vector, std::int64_t first, std::int64_t elements) const {
    if (vector.count() < count_) [[unlikely]]
      return vector.slice(first, elements);
    return {vector.data() + static_cast<std::size_t>(first) * vector.type().size(), elements, vector.type()};
  }
  void require_blocks(std::int64_t first, std::int64_t n) const {
    if ((first | n) < 0 || first > blocks_ - n) [[unlikely]]
      refuse_blocks(first, n);
  }
  [[noreturn]] void refuse_blocks(std::int64_t first, std::int64_t n) const;
  /// `blocks`.
  static std::int64_t possible(std::int64_t count, std::int64_t blocks) {
    if (count < 0 || blocks < 1) [[unlikely]]
      refuse(count, blocks);
    return blocks;
  }
  [[noreturn]] static void refuse(std::int64_t count, std::int64_t blocks);

  std::int64_t count_;
  std::int64_t blocks_;
  std::int64_t base_;
  std::int64_t longer_;
  struct Given {
    std::vector<std::int64_t> offsets;  ///< blocks() + 1 of them
    std::int64_t longest;
  };
  std::shared_ptr<const Given> given_;  ///< of blocks of any sizes
};

}  // namespace heddle
