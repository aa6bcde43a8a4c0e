// SPDX-License-Identifier: Apache-2.0
#include "cli/tier_values.hpp"

#include <fmt/format.h>

#include <charconv>

namespace heddle {

std::vector<std::string_view> split_list(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

double parse_factor(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) throw InputError(fmt::format("'{}': not a number; try 0.8", text));
  return value;
}

}  // namespace heddle
