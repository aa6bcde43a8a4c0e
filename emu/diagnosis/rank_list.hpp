// SPDX-License-Identifier: Apache-2.0
// Ranks and elements in words.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/rank.hpp"

namespace heddle::emu {

/// Of a list, the most ranges that are shown.
inline constexpr std::size_t kMostRanges = 8;

/// "7", "4-9".
std::string range_text(std::int64_t first, std::int64_t last);

/// "rank 3", "ranks 0-2, 5", the first few ranges of it. `ranks` is ordered.
std::string ranks_text(std::span<const Rank> ranks);

}  // namespace heddle::emu
