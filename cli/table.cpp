// SPDX-License-Identifier: Apache-2.0
#include "cli/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

namespace heddle {

namespace {

constexpr std::string_view kGap = "  ";

/// Letters, not bytes: formulas are written with ⌈ and ₂.
std::size_t letters(std::string_view text) {
  const auto begins_letter = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_letter));
}

std::string padded(std::string_view cell, const Table::Column& column) {
  const std::size_t length = letters(cell);
  const std::string blanks(column.width > length ? column.width - length : 0, ' ');
  return column.align == Table::Align::left ? std::string(cell) + blanks : blanks + std::string(cell);
}

}  // namespace

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    fit(i, columns_[i].title);
    fit(i, columns_[i].unit);
  }
}

void Table::fit(std::size_t column, std::string_view cell) {
  columns_[column].width = std::max(columns_[column].width, letters(cell));
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
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) line += kGap;
    line += padded(cells[i], columns_[i]);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace heddle
