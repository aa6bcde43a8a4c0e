// SPDX-License-Identifier: Apache-2.0
// What readers of flags share: errors that name the flag, numbers, lists, and words as a shell has them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/errors.hpp"
#include "heddle/units.hpp"

namespace heddle {

/// "--size '-1': …" or "--preset: unknown preset …": an error's text with the flag in front.
std::string with_flag(std::string_view flag, std::string_view complaint);

/// parse(text); what it complains about gets the flag's name in front, unless the machine is to blame.
template <class Parse>
decltype(auto) read_flag(std::string_view flag, std::string_view text, Parse parse) {
  try {
    return parse(text);
  } catch (const ResourceError&) {
    throw;
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

/// Of a thread's stack: from the 16 KiB that user-level threads have at least to EmulationSettings::kLargestStack. Throws InputError.
Bytes parse_stack(std::string_view text);

/// The parts between separators, empty ones included.
std::vector<std::string_view> split_list(std::string_view text, char separator = ',');

/// A number such as "1.2". Throws InputError.
double parse_factor(std::string_view text);

/// parse() of each part between commas.
template <class Parse>
auto parse_list(std::string_view text, Parse parse) {
  std::vector<decltype(parse(text))> values;
  for (const std::string_view part : split_list(text)) values.push_back(parse(part));
  return values;
}

// A line as the words that a shell makes of it, as far as quotes go.

/// Words between blanks; quotes hold a word together and go. Throws InputError for a quote without an end.
std::vector<std::string> shell_words(std::string_view line);

/// A text as one word: in quotes where it needs them. It has quotes of one kind at most.
std::string shell_word(std::string_view text);

}  // namespace heddle
