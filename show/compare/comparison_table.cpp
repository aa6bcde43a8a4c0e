// SPDX-License-Identifier: Apache-2.0
#include "show/compare/comparison_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "show/text/comment_lines.hpp"
#include "show/text/table.hpp"

namespace heddle {

namespace {

constexpr std::size_t kWidth = 100;

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string file_text(std::string_view which, const ResultFile& file) {
  return fmt::format("# {}: {}: {} of 'heddle {}'{}\n", which, file.path, counted(file.cells.size(), "result"),
                     file.kind == ResultFile::Kind::sweep ? "sweep" : "run", file.is_complete ? "" : ", incomplete");
}

/// What all cells have in common, of those names that say something.
std::string common_text(const ResultFile& file, const Comparison& comparison) {
  std::string text;
  for (std::size_t name = 0; name < cell_names().size(); ++name) {
    const std::string& value = file.cells.front().values[name];
    const bool is_context =
        std::ranges::find(comparison.context, cell_names()[name], &ContextDifference::name) != comparison.context.end();
    if (comparison.varies[name] || value.empty() || is_context) continue;
    text += fmt::format("{}{} {}", text.empty() ? "# all: " : ", ", cell_names()[name], value);
  }
  return text.empty() ? "" : text + '\n';
}

std::string context_text(const Comparison& comparison) {
  const auto shown = [](const std::string& value) { return value.empty() ? std::string("none") : value; };
  std::string text;
  for (const ContextDifference& of : comparison.context)
    text += fmt::format("# not the same: {}: {}, now {}\n", of.name, shown(of.before), shown(of.now));
  return text;
}

std::string time_cell_of(const std::optional<Time>& time) { return time ? to_string(*time) : "-"; }

std::string change_cell(const CellDifference& difference) {
  if (const auto slowdown = difference.slowdown()) return fmt::format("{:+.1f} %", *slowdown * 100);
  return difference.failure;
}

std::string differences_text(const Comparison& comparison) {
  if (comparison.differences.empty()) return "";
  std::vector<Table::Column> columns = {{"what", "", Table::Align::left}};
  for (std::size_t name = 0; name < cell_names().size(); ++name)
    if (comparison.varies[name] || cell_names()[name] == "algorithm" || cell_names()[name] == "size")
      columns.push_back({cell_names()[name], "", Table::Align::left});
  for (const char* title : {"old", "new", "change"}) columns.push_back({title, "", Table::Align::right});
  const std::size_t count = columns.size();
  Table table(std::move(columns));
  std::vector<std::vector<std::string>> rows;
  for (const CellDifference& difference : comparison.differences) {
    std::vector<std::string> row = {to_string(difference.change)};
    for (std::size_t name = 0; name < cell_names().size(); ++name)
      if (comparison.varies[name] || cell_names()[name] == "algorithm" || cell_names()[name] == "size")
        row.push_back(difference.values[name].empty() ? "-" : difference.values[name]);
    row.push_back(time_cell_of(difference.before));
    row.push_back(time_cell_of(difference.now));
    row.push_back(change_cell(difference));
    for (std::size_t cell = 0; cell < count; ++cell) table.fit(cell, row[cell]);
    rows.push_back(std::move(row));
  }
  std::string text = "#\n#" + table.titles() + '\n';
  for (const std::vector<std::string>& row : rows) text += ' ' + table.row(row) + '\n';
  return text + "#\n";
}

std::string summary_text(const Comparison& comparison, double tolerance) {
  std::string text = fmt::format("# {} of {} within {:g} %", comparison.unchanged,
                                 counted(static_cast<std::size_t>(comparison.matched), "result"), tolerance * 100);
  for (const CellChange change :
       {CellChange::wrong, CellChange::slower, CellChange::missing, CellChange::added, CellChange::right, CellChange::faster}) {
    const auto many = std::ranges::count(comparison.differences, change, &CellDifference::change);
    if (many > 0) text += fmt::format(", {} {}", many, to_string(change));
  }
  return text + '\n';
}

}  // namespace

std::string comparison_text(const ResultFile& before, const ResultFile& now, const Comparison& comparison, double tolerance) {
  const std::string head =
      file_text("old", before) + file_text("new", now) + context_text(comparison) + common_text(now, comparison);
  return break_comments(head, kWidth) + differences_text(comparison) + summary_text(comparison, tolerance);
}

}  // namespace heddle
