// SPDX-License-Identifier: Apache-2.0
#include "lab/describe/tier_values.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/read_number.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/flag_value.hpp"

namespace heddle {

namespace {

constexpr std::string_view kAxes = "xyzw";

}  // namespace

std::optional<std::size_t> dimension_called(std::string_view name) {
  if (const std::size_t axis = name.size() == 1 ? kAxes.find(name.front()) : name.npos; axis != name.npos) return axis;
  return read_number<std::uint16_t>(name);
}

std::string dimension_name(std::size_t dimension) {
  return dimension < kAxes.size() ? std::string(1, kAxes[dimension]) : std::to_string(dimension);
}

TierValues<std::string_view> split_tier_values(std::string_view text) {
  std::vector<std::pair<std::size_t, std::string_view>> named;
  TierValues<std::string_view> values;
  for (const std::string_view part : split_list(text)) {
    const std::size_t equals = part.find('=');
    if (equals == part.npos) {
      values.values.push_back(part);
      continue;
    }
    const std::optional<std::size_t> dimension = dimension_called(part.substr(0, equals));
    if (!dimension)
      throw InputError(
          fmt::format("'{}': '{}' is no dimension; they are x, y, z, w, then 4, 5, …", part, part.substr(0, equals)));
    named.emplace_back(*dimension, part.substr(equals + 1));
  }
  if (named.empty()) return values;
  if (!values.values.empty())
    throw InputError(
        fmt::format("'{}': '{}' has no dimension, and others have; name all or none", text, values.values.front()));
  std::ranges::stable_sort(named, {}, &std::pair<std::size_t, std::string_view>::first);
  values.by_dimension = true;
  for (const auto& [dimension, value] : named) {
    const std::size_t expected = values.values.size();
    if (dimension < expected)
      throw InputError(fmt::format("'{}': {} is there twice; name each dimension once", text, dimension_name(dimension)));
    if (dimension > expected)
      throw InputError(fmt::format("'{}': {} is missing; name each dimension", text, dimension_name(expected)));
    values.values.push_back(value);
  }
  return values;
}

}  // namespace heddle
