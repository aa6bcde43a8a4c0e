// SPDX-License-Identifier: Apache-2.0
// How `heddle fuzz` fuzzes unless it is told otherwise.
#pragma once

#include <cstdint>
#include <optional>

#include "fuzz/fuzz.hpp"

namespace heddle {

/// The numbers, for those who say them.
struct UsualFuzzing {
  static constexpr std::int64_t kCases = 10'000;
  static constexpr int kMostRanks = 64;
  static constexpr int kFaultOnceIn = 16;
  static constexpr int kTwiceOnceIn = 16;    ///< of plugins: heddle's own have no state
  static constexpr int kComparedOnceIn = 8;  ///< of heddle's own rows: each would cost a tenth of the time
  // Large cases take a hundred times as long as others. Rows of a plugin are few, and each has some within seconds.
  static constexpr int kLargeOnceIn = 512;
  static constexpr int kLargeOnceInOfPlugins = 64;
  static constexpr int kMostLargeRanks = 256;

  // Of cases that are explored, each of which is many runs.
  static constexpr std::int64_t kExploredCases = 200;
  static constexpr int kExploredRanks = 6;
  static constexpr std::int64_t kMostOrders = 1000;  ///< of a case
  static constexpr std::int64_t kOrderSeeds = 20;
  static constexpr int kExploredShrinking = 200;
};

/// Of heddle's own rows or of plugins', whose state and bits are looked at more closely. `delays`: of ranks and messages in the orders of
/// events under which each case is explored; no value: each case is run in one order.
FuzzSettings usual_settings(bool of_plugins, std::optional<int> delays);

}  // namespace heddle
