// SPDX-License-Identifier: Apache-2.0
#include "lab/grammar/tier_values.hpp"

#include <fmt/format.h>

#include "core/read_number.hpp"

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
  const auto value = read_number<double>(text);
  if (!value) throw InputError(fmt::format("'{}': not a number; try 0.8", text));
  return *value;
}

}  // namespace heddle
