// SPDX-License-Identifier: Apache-2.0
#include "show/document/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>
#include <utility>

#include "core/printable.hpp"

namespace heddle {

namespace {

constexpr std::string_view kGap = "  ";

std::string padded(std::string_view cell, std::size_t width, Table::Align align) {
  const std::size_t length = letters(cell);
  const std::string blanks(width > length ? width - length : 0, ' ');
  return align == Table::Align::left ? std::string(cell) + blanks : blanks + std::string(cell);
}

}  // namespace

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    fit(i, columns_[i].title);
    fit(i, columns_[i].unit);
  }
}

void Table::fit(std::size_t column, std::string_view cell) {
  columns_[column].width = std::max(columns_[column].width, letters(printable(cell)));
}

void Table::leave_out(std::size_t column) { columns_[column].shown = false; }

std::size_t Table::width() const {
  std::size_t width = 0;
  for (const Column& column : columns_)
    if (column.shown) width += (width > 0 ? kGap.size() : 0) + column.width;
  return width;
}

std::vector<std::string> Table::fit_into(std::size_t columns) {
  std::vector<std::size_t> wanted;
  for (Column& column : columns_) {
    wanted.push_back(column.width);
    column.width = std::min(column.width, std::max({column.shrinks_to, letters(column.title), letters(column.unit)}));
  }
  std::vector<std::string> left_out;
  while (width() > columns) {
    const auto least_needed = std::ranges::max_element(
        columns_, {}, [](const Column& column) { return column.shown ? column.spared : Column::kNeeded; });
    if (least_needed == columns_.end() || !least_needed->shown || least_needed->spared == Column::kNeeded) break;
    least_needed->shown = false;
    left_out.insert(left_out.begin(), least_needed->title);
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (!columns_[i].shown) continue;
    const std::size_t now = width();
    const std::size_t room = columns > now ? columns - now : 0;
    columns_[i].width += std::min(room, wanted[i] - columns_[i].width);
  }
  return left_out;
}

std::string Table::titles() const {
  std::vector<std::string> cells;
  for (const Column& column : columns_) cells.push_back(column.title);
  return row(cells);
}

std::string Table::units() const {
  std::vector<std::string> cells;
  for (const Column& column : columns_) cells.push_back(column.unit);
  return row(cells);
}

std::string Table::row(std::span<const std::string> cells) const {
  assert(cells.size() <= columns_.size());
  std::string line;
  std::string_view gap;
  std::size_t too_long = 0;  // letters by which the line is ahead of its columns
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Column& column = columns_[i];
    if (!column.shown) continue;
    line += gap;
    const std::string cell = printable(cells[i]);
    line += padded(cell, column.width - std::min(too_long, column.width), column.align);
    too_long = std::max(too_long + letters(cell), column.width) - column.width;
    gap = kGap;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string left_out_text(const std::vector<std::string>& titles) {
  return titles.empty() ? "" : fmt::format("# not shown: {} (--wide)\n", fmt::join(titles, ", "));
}

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

std::string counted(std::int64_t count, std::string_view noun, std::string_view ending) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : ending);
}

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
