// SPDX-License-Identifier: Apache-2.0
#include "core/block_partition.hpp"

#include <algorithm>
#include <string>

#include "core/errors.hpp"

namespace heddle {

void BlockPartition::refuse_blocks(std::int64_t first, std::int64_t n) const {
  const std::string which =
      n == 1 ? "block " + std::to_string(first) : std::to_string(n) + " blocks from block " + std::to_string(first) + " on";
  throw UsageError(which + " of a vector in " + std::to_string(blocks_) + ": blocks are 0 to " + std::to_string(blocks_ - 1));
}

void BlockPartition::refuse(std::int64_t count, std::int64_t blocks) {
  throw UsageError(std::to_string(count) + " elements in " + std::to_string(blocks) +
                   " blocks: a partition needs at least one block, and no fewer than 0 elements");
}

BlockPartition BlockPartition::of_sizes(std::span<const std::int64_t> sizes) {
  if (sizes.empty()) throw UsageError("a partition needs at least one block");
  std::vector<std::int64_t> offsets{0};
  offsets.reserve(sizes.size() + 1);
  std::int64_t longest = 0;
  for (const std::int64_t size : sizes) {
    if (size < 0) throw UsageError("a block of " + std::to_string(size) + " elements: it must not be negative");
    offsets.push_back(offsets.back() + size);
    longest = std::max(longest, size);
  }
  BlockPartition partition(offsets.back(), static_cast<std::int64_t>(sizes.size()));
  partition.given_ = std::make_shared<const Given>(Given{std::move(offsets), longest});
  return partition;
}

}  // namespace heddle
