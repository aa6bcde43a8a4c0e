// SPDX-License-Identifier: Apache-2.0
#include "show/document/document.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>
#include <utility>

#include "core/printable.hpp"
#include "heddle/version.hpp"

namespace heddle {

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
