// SPDX-License-Identifier: Apache-2.0
#include "lab/describe/flag_value.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/read_number.hpp"
#include "emu/settings/emulation_settings.hpp"

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

Bytes parse_stack(std::string_view text) {
  constexpr Bytes kLeast(16 * 1024);
  constexpr Bytes kMost(EmulationSettings::kLargestStack);
  const Bytes stack = parse_bytes(text);
  if (stack < kLeast) throw InputError(fmt::format("'{}': a thread needs at least {}; try 64KiB", text, to_string(kLeast)));
  if (stack > kMost) throw InputError(fmt::format("'{}': a thread has at most {}", text, to_string(kMost)));
  return stack;
}

std::vector<std::string_view> split_list(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
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

std::vector<std::string> shell_words(std::string_view line) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  for (const char c : line) {
    const bool is_blank = c == ' ' || c == '\t' || c == '\n';
    if (quote != 0 ? c == quote : (c == '\'' || c == '"')) {
      quote = quote != 0 ? '\0' : c;
      if (!in_word) words.emplace_back();
      in_word = true;
    } else if (is_blank && quote == 0) {
      in_word = false;
    } else {
      if (!in_word) words.emplace_back();
      in_word = true;
      words.back() += c;
    }
  }
  if (quote != 0) throw InputError(fmt::format("{}: a quote has no end", line));
  return words;
}

std::string shell_word(std::string_view text) {
  const bool is_plain = text.find_first_of(" \t\n'\"<>()&;|*?$`\\!{}[]#~") == std::string::npos && !text.empty();
  if (is_plain) return std::string(text);
  if (text.find('\'') != std::string::npos && text.find_first_of("\"$`\\!") == std::string::npos)
    return fmt::format("\"{}\"", text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string(R"('"'"')") : std::string(1, c);
  return word + "'";
}

}  // namespace heddle
