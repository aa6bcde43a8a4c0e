// SPDX-License-Identifier: Apache-2.0
#include "cli/flag_value.hpp"

#include <fmt/format.h>

#include <charconv>

namespace heddle {

namespace {

/// Reads all of `text`; false if it is not a number of this type.
template <class Integer>
bool read_whole(std::string_view text, Integer& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::string with_flag(std::string_view flag, std::string_view complaint) {
  return fmt::format("{}{} {}", flag, complaint.starts_with('\'') ? "" : ":", complaint);
}

std::int64_t parse_integer(std::string_view text, std::int64_t least, std::int64_t most) {
  std::int64_t value = 0;
  if (!read_whole(text, value) || value < least || value > most)
    throw InputError(fmt::format("'{}': not a whole number from {} to {}", text, least, most));
  return value;
}

std::uint64_t parse_seed(std::string_view text) {
  std::uint64_t value = 0;
  if (!read_whole(text, value)) throw InputError(fmt::format("'{}': not a seed; try a whole number from 0 to 2^64-1", text));
  return value;
}

}  // namespace heddle
