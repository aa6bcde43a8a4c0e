// SPDX-License-Identifier: Apache-2.0
#include "core/block_partition.hpp"

#include <algorithm>
#include <string>

#include "core/errors.hpp"

namespace heddle {

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
