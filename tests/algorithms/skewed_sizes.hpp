// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::testing {

/// Blocks of which some are empty and one is long.
inline std::vector<std::int64_t> skewed_sizes(int ranks) {
  std::vector<std::int64_t> sizes;
  for (int b = 0; b < ranks; ++b) sizes.push_back(b % 3 == 1 ? 0 : b % 5 == 3 ? 40 : 1 + b % 4);
  return sizes;
}

}  // namespace heddle::testing
