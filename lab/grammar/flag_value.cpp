// SPDX-License-Identifier: Apache-2.0
#include "lab/grammar/flag_value.hpp"

#include <fmt/format.h>

#include "core/read_number.hpp"

namespace heddle {

std::string with_flag(std::string_view flag, std::string_view complaint) {
  return fmt::format("{}{} {}", flag, complaint.starts_with('\'') ? "" : ":", complaint);
}

std::int64_t parse_integer(std::string_view text, std::int64_t least, std::int64_t most) {
  const auto value = read_number<std::int64_t>(text);
  if (!value || *value < least || *value > most)
    throw InputError(fmt::format("'{}': not a whole number from {} to {}", text, least, most));
  return *value;
}

int parse_jobs(std::string_view text) { return static_cast<int>(parse_integer(text, 1, 1024)); }

std::uint64_t parse_seed(std::string_view text) {
  const auto value = read_number<std::uint64_t>(text);
  if (!value) throw InputError(fmt::format("'{}': not a seed; try a whole number from 0 to 2^64-1", text));
  return *value;
}

double parse_number_of_seconds(std::string_view text) {
  const auto seconds = read_number<double>(text);
  if (!seconds || !(*seconds >= 0) || *seconds > 1e9)
    throw InputError(fmt::format("'{}': a number of seconds is expected, e.g. 60 or 0.5", text));
  if (*seconds == 0) throw InputError(fmt::format("'{}': more than no time is needed, e.g. 60 or 0.5", text));
  return *seconds;
}

}  // namespace heddle
