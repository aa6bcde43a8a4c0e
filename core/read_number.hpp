// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace heddle {

/// The whole of `text` as a number, as std::from_chars reads it: no blanks, no leading plus. None if it is not one, or not
/// within the type's range.
template <class Number>
std::optional<Number> read_number(std::string_view text) {
  Number number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

}  // namespace heddle
