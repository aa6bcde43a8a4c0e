// SPDX-License-Identifier: Apache-2.0
// From a flag's text to its value, with errors that name the flag.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/errors.hpp"

namespace heddle {

/// "--size '-1': …" or "--preset: unknown preset …": an error's text with the flag in front.
std::string with_flag(std::string_view flag, std::string_view complaint);

/// parse(text); what it complains about gets the flag's name in front.
template <class Parse>
decltype(auto) read_flag(std::string_view flag, std::string_view text, Parse parse) {
  try {
    return parse(text);
  } catch (const InputError& error) {
    throw InputError(with_flag(flag, error.what()));
  }
}

/// A whole number from `least` to `most`. Throws InputError.
std::int64_t parse_integer(std::string_view text, std::int64_t least, std::int64_t most);

/// How many workers run side by side: 1 to 1,024. Throws InputError.
int parse_jobs(std::string_view text);

/// A seed: 0 … 2^64-1. Throws InputError.
std::uint64_t parse_seed(std::string_view text);

/// A number of seconds, above 0 and at most 10^9: "60", "0.5". Throws InputError.
double parse_number_of_seconds(std::string_view text);

}  // namespace heddle
