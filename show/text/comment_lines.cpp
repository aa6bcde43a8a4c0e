// SPDX-License-Identifier: Apache-2.0
#include "show/text/comment_lines.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace heddle {

namespace {

bool begins_letter(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

/// Where a line may be broken, the best first.
enum Break : std::size_t { after_clause, after_item, at_blank, within_list, kBreaks };

/// What parting `text` before byte `at` > 0 would be.
std::optional<Break> break_of(std::string_view text, std::size_t at) {
  const char before = text[at - 1];
  if (text[at] == ' ') return before == ';' ? after_clause : before == ',' ? after_item : at_blank;
  return before == ',' || before == ';' || before == '+' ? std::optional(within_list) : std::nullopt;
}

/// How many bytes go on the first line, more than `from`: at most `room` letters, unless the first word is longer. At the best
/// place in the second half of the line, else at the last one. All where there is none.
std::size_t part_of(std::string_view text, std::size_t from, std::size_t room) {
  std::array<std::size_t, kBreaks> in_second_half = {};
  std::size_t last = 0;
  std::size_t length = letters(text.substr(0, from + 1));
  for (std::size_t at = from + 1; at < text.size() && (length <= room || last == 0); ++at) {
    if (const std::optional<Break> kind = break_of(text, at)) {
      last = at;
      if (length > room / 2) in_second_half[*kind] = at;
    }
    if (begins_letter(text[at])) ++length;
  }
  for (const std::size_t at : in_second_half)
    if (at > 0) return at;
  return last > 0 ? last : text.size();
}

std::string broken(std::string_view line, std::size_t columns) {
  std::size_t from = std::min(line.find_first_not_of("# "), line.size());
  const std::string indent = std::string(line.substr(0, from)) + "  ";
  std::string text;
  std::string_view rest = line;
  std::string begin;
  while (letters(begin) + letters(rest) > columns && from < rest.size()) {
    const std::size_t parted = part_of(rest, from, columns - std::min(columns, letters(begin)));
    if (parted == rest.size()) break;
    text += begin + std::string(rest.substr(0, parted)) + '\n';
    rest.remove_prefix(std::min(rest.find_first_not_of(' ', parted), rest.size()));
    begin = indent;
    from = 0;
  }
  return text + begin + std::string(rest);
}

}  // namespace

std::size_t letters(std::string_view text) { return static_cast<std::size_t>(std::ranges::count_if(text, begins_letter)); }

std::string break_comments(std::string_view lines, std::size_t columns) {
  std::string text;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    text += broken(lines.substr(0, end), columns);
    if (end < lines.size()) text += '\n';
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return text;
}

}  // namespace heddle
