// SPDX-License-Identifier: Apache-2.0
#include "show/text/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "core/printable.hpp"
#include "show/text/comment_lines.hpp"

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

}  // namespace heddle
