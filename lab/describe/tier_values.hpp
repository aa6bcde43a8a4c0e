// SPDX-License-Identifier: Apache-2.0
// Flags with a value for each tier of links, "900GB/s,50GB/s", or for each dimension of a grid, "x=100GB/s,y=25GB/s".
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topo/fabric/fabric.hpp"

namespace heddle {

/// A value for each tier of links, innermost first; the last serves all tiers beyond. Empty: not set.
template <class T>
struct TierValues {
  TierValues() = default;
  TierValues(std::initializer_list<T> by_tier) : values(by_tier) {}

  std::vector<T> values = {};
  bool by_dimension = false;  ///< named by the dimensions of a grid, which has as many

  bool operator==(const TierValues&) const = default;
};

/// The dimension of a grid that is called so: x, y, z and w are 0 to 3, any is its number.
std::optional<std::size_t> dimension_called(std::string_view name);

/// "x", …, "w", "4", ….
std::string dimension_name(std::size_t dimension);

/// The values' texts, in the order of their dimensions where they have names. Throws InputError for names that are not x, y, … up
/// to some dimension, each once.
TierValues<std::string_view> split_tier_values(std::string_view text);

/// parse() of each value. Throws InputError.
template <class Parse>
auto parse_tier_values(std::string_view text, Parse parse) {
  const TierValues<std::string_view> texts = split_tier_values(text);
  TierValues<decltype(parse(text))> parsed;
  parsed.by_dimension = texts.by_dimension;
  for (const std::string_view value : texts.values) parsed.values.push_back(parse(value));
  return parsed;
}

/// Sets `member` of each tier to its value, if there are some. Where there are more values than tiers, the last tier is repeated.
template <class T>
void set_by_tier(std::vector<LinkSpeed>& tiers, T LinkSpeed::*member, const TierValues<T>& by_tier) {
  const std::vector<T>& values = by_tier.values;
  if (values.empty()) return;
  while (tiers.size() < values.size()) tiers.push_back(LinkSpeed(tiers.back()));
  for (std::size_t tier = 0; tier < tiers.size(); ++tier) tiers[tier].*member = values[std::min(tier, values.size() - 1)];
}

}  // namespace heddle
