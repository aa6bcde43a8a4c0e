// SPDX-License-Identifier: Apache-2.0
#include "show/document/document.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>
#include <ostream>

#include "core/printable.hpp"
#include "heddle/version.hpp"

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

namespace {

std::string csv_cell(const Document::Json& value) {
  if (value.is_null() || value.is_discarded()) return "";
  const std::string text = printable(value.is_string() ? value.get<std::string>() : value.dump());
  if (text.find_first_of(",\"\r\n") == text.npos) return text;
  std::string inside;
  for (const char c : text) inside += c == '"' ? std::string("\"\"") : std::string(1, c);
  return fmt::format("\"{}\"", inside);
}

std::string line_of(const std::vector<std::string>& cells) { return fmt::format("{}\n", fmt::join(cells, ",")); }

}  // namespace

Document::Column for_programs(std::string key) { return {std::move(key), {.title = {}, .unit = {}, .shown = false}}; }

Document::Column for_people(Table::Column shown) { return {{}, std::move(shown)}; }

Table table_of(const Document& document) {
  std::vector<Table::Column> columns;
  for (const Document::Column& column : document.columns) columns.push_back(column.shown);
  Table table(std::move(columns));
  for (const auto& row : document.rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      if (document.columns[i].grows) table.fit(i, row[i].text);
  return table;
}

std::string table_text(const Document& document, const Table& table) {
  const auto has = [&](std::string Table::Column::*text) {
    return std::ranges::any_of(document.columns, [&](const Document::Column& column) { return !(column.shown.*text).empty(); });
  };
  std::string text;
  if (has(&Table::Column::title)) text += fmt::format("{}{}\n", document.margins.titles, table.titles());
  if (has(&Table::Column::unit)) text += fmt::format("{}{}\n", document.margins.titles, table.units());
  return text + rows_text(document, table);
}

std::string rows_text(const Document& document, const Table& table) {
  std::string text;
  for (std::size_t i = 0; i < document.rows.size(); ++i) {
    std::vector<std::string> cells;
    for (const Document::Cell& cell : document.rows[i]) cells.push_back(cell.text);
    text += fmt::format("{}{}\n", document.margins.rows, table.row(cells));
    if (i < document.notes.size()) text += document.notes[i];
  }
  return text;
}

std::string report_text(const Document& document, std::size_t columns) {
  if (document.rows.empty()) return document.head + document.foot;
  Table table = table_of(document);
  const std::string left_out = columns == Table::kAnyWidth ? "" : left_out_text(table.fit_into(columns - 1));
  return document.head + left_out + table_text(document, table) + document.foot;
}

nlohmann::ordered_json json_rows(const Document& document) {
  Document::Json rows = Document::Json::array();
  for (const auto& row : document.rows) {
    Document::Json& object = rows.emplace_back(Document::Json::object());
    for (std::size_t i = 0; i < row.size(); ++i)
      if (!document.columns[i].key.empty() && !row[i].value.is_discarded()) object[document.columns[i].key] = row[i].value;
  }
  return rows;
}

nlohmann::ordered_json json_of(const Document& document) {
  Document::Json whole = {{"context", {{"version", version()}}}};
  whole["context"].update(document.context);
  whole.update(document.facts);
  if (!document.rows_name.empty()) whole[document.rows_name] = json_rows(document);
  return whole;
}

std::string json_text(const nlohmann::ordered_json& whole) {
  return whole.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

void write_report(const Document& document, const ReportOutput& json, std::ostream& out, std::size_t columns) {
  if (!json.is_standard_output()) out << report_text(document, columns);
  if (json.is_wanted()) json.write(json_text(json_of(document)), out);
}

std::string csv_text(const Document& document) {
  std::vector<std::string> cells;
  for (const Document::Column& column : document.columns) cells.push_back(csv_cell(column.key));
  std::string text = line_of(cells);
  for (const auto& row : document.rows) {
    cells.clear();
    for (const Document::Cell& cell : row) cells.push_back(csv_cell(cell.value));
    text += line_of(cells);
  }
  return text;
}

std::string markdown_cell(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|') cell += '\\';
    cell += c == '\n' ? ' ' : c;
  }
  return cell;
}

std::string markdown_text(const Document& document) {
  std::string titles = "|";
  std::string rule = "|";
  for (const Document::Column& column : document.columns) {
    if (!column.shown.shown) continue;
    titles += fmt::format(" {} |", column.shown.title);
    rule += "---|";
  }
  std::string text = fmt::format("{}\n{}\n", titles, rule);
  for (const auto& row : document.rows) {
    text += '|';
    for (std::size_t i = 0; i < row.size(); ++i)
      if (document.columns[i].shown.shown) text += fmt::format(" {} |", markdown_cell(row[i].text));
    text += '\n';
  }
  return text;
}

}  // namespace heddle
