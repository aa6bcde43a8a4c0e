// SPDX-License-Identifier: Apache-2.0
#include "emu/diagnosis/rank_list.hpp"

#include <fmt/format.h>

namespace heddle::emu {

std::string range_text(std::int64_t first, std::int64_t last) {
  return first == last ? fmt::to_string(first) : fmt::format("{}-{}", first, last);
}

std::string ranks_text(std::span<const Rank> ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  std::size_t ranges = 0;
  for (std::size_t begin = 0, end = 0; begin < ranks.size(); begin = end) {
    if (ranges++ == kMostRanges) return text + ", …";
    for (end = begin + 1; end < ranks.size() && ranks[end].value() == ranks[end - 1].value() + 1;) ++end;
    text += (begin == 0 ? "" : ", ") + range_text(ranks[begin].value(), ranks[end - 1].value());
  }
  return text;
}

}  // namespace heddle::emu
