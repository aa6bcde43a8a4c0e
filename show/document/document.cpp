// SPDX-License-Identifier: Apache-2.0
#include "show/document/document.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "core/printable.hpp"

namespace heddle {

namespace {

std::string csv_cell(const Document::Json& value) {
  if (value.is_null()) return "";
  const std::string text = printable(value.is_string() ? value.get<std::string>() : value.dump());
  if (text.find_first_of(",\"\r\n") == text.npos) return text;
  std::string inside;
  for (const char c : text) inside += c == '"' ? std::string("\"\"") : std::string(1, c);
  return fmt::format("\"{}\"", inside);
}

/// A bar would end the cell.
std::string markdown_cell(std::string_view text) {
  std::string cell;
  for (const char c : text) cell += c == '|' ? std::string("\\|") : std::string(1, c);
  return cell;
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

std::string table_text(const Document& document, const Table& table, TableMargins margins) {
  std::string text = fmt::format("{}{}\n", margins.titles, table.titles());
  if (std::ranges::any_of(document.columns, [](const Document::Column& column) { return !column.shown.unit.empty(); }))
    text += fmt::format("{}{}\n", margins.titles, table.units());
  for (std::size_t i = 0; i < document.rows.size(); ++i) {
    std::vector<std::string> cells;
    for (const Document::Cell& cell : document.rows[i]) cells.push_back(cell.text);
    text += fmt::format("{}{}\n", margins.rows, table.row(cells));
    if (i < document.notes.size()) text += document.notes[i];
  }
  return text;
}

nlohmann::ordered_json json_rows(const Document& document) {
  Document::Json rows = Document::Json::array();
  for (const auto& row : document.rows) {
    Document::Json& object = rows.emplace_back(Document::Json::object());
    for (std::size_t i = 0; i < row.size(); ++i)
      if (!document.columns[i].key.empty()) object[document.columns[i].key] = row[i].value;
  }
  return rows;
}

std::string json_text(const nlohmann::ordered_json& whole) {
  return whole.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
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
