// SPDX-License-Identifier: Apache-2.0
// Flags with a value for each tier of links: "900GB/s,50GB/s".
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "lab/grammar/flag_value.hpp"
#include "topo/fabric/fabric.hpp"

namespace heddle {

/// The parts between commas, empty ones included.
std::vector<std::string_view> split_list(std::string_view text);

/// A number such as "1.2". Throws InputError.
double parse_factor(std::string_view text);

/// parse() of each part between commas.
template <class Parse>
auto parse_list(std::string_view text, Parse parse) {
  std::vector<decltype(parse(text))> values;
  for (const std::string_view part : split_list(text)) values.push_back(parse(part));
  return values;
}

/// A value per tier of links, innermost first. Throws InputError that names the flag.
template <class Parse>
auto read_tier_values(std::string_view flag, std::string_view text, Parse parse) {
  return read_flag(flag, text, [&](std::string_view list) { return parse_list(list, parse); });
}

/// Sets `member` of each tier to its value. The last value serves all tiers beyond; where there are more values than tiers, the
/// last tier is repeated.
template <class Value>
void set_by_tier(std::vector<LinkSpeed>& tiers, Value LinkSpeed::*member, const std::vector<Value>& values) {
  while (tiers.size() < values.size()) tiers.push_back(LinkSpeed(tiers.back()));
  for (std::size_t tier = 0; tier < tiers.size(); ++tier) tiers[tier].*member = values[std::min(tier, values.size() - 1)];
}

}  // namespace heddle
