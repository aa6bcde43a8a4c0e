// SPDX-License-Identifier: Apache-2.0
#include "show/sweep/sweep_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lab/describe/equal_runs.hpp"
#include "show/text/table.hpp"

namespace heddle {

namespace {

constexpr std::size_t kTimeWidth = 9;   // of a time: "139.2us*", and the gap before it
constexpr std::size_t kRatioWidth = 7;  // of a ratio: "14.90x", and the gap before it
constexpr std::size_t kNames = 48;      // letters for the names of twins on a line

/// With a blank or a star behind it; "-" where the algorithm was left out.
std::string time_cell(const SweepResult* result, const SweepResult* best) {
  if (result == nullptr) return "- ";
  if (result->failure) return "FAILED ";
  if (!result->measured) return "not run ";
  return to_string(result->measured->time) + (best == result ? '*' : ' ');
}

std::string ratio_cell(const SweepTable& table, const SweepResult* result) {
  const auto ratio = result == nullptr ? table.ratio_to_base.end() : table.ratio_to_base.find(result->run);
  return ratio == table.ratio_to_base.end() ? "-" : fmt::format("{:.2f}x", ratio->second);
}

std::vector<std::string> cells_of(const SweepTable& table, const SweepSection& section, const SweepLine& line,
                                  const std::vector<const SweepResult*>& best, std::size_t begin) {
  std::vector<std::string> cells = section.values;
  cells.push_back(line_name(line));
  for (std::size_t i = 0; i < best.size(); ++i) {
    const SweepResult* result = line.results[begin + i];
    cells.push_back(time_cell(result, best[i]));
    if (table.has_base) cells.push_back(ratio_cell(table, result));
  }
  return cells;
}

/// The times at the sizes from `begin` on, so many of them.
std::string some_times_text(const SweepTable& table, std::size_t begin, std::size_t count) {
  std::vector<Table::Column> columns;
  for (const std::string& axis : table.axes) columns.push_back({axis, "", Table::Align::left});
  columns.push_back({"algorithm", "", Table::Align::left, 9});
  for (std::size_t size = begin; size < begin + count; ++size) {
    columns.push_back({to_string(Bytes(table.sizes[size])) + ' ', "", Table::Align::right, kTimeWidth - 1});
    if (table.has_base) columns.push_back({"x ", "", Table::Align::right, kRatioWidth - 1});
  }
  Table text_table(std::move(columns));
  std::vector<std::vector<std::string>> rows;
  for (const SweepSection& section : table.sections) {
    std::vector<const SweepResult*> best;
    for (std::size_t size = begin; size < begin + count; ++size) best.push_back(best_at(section, table.sizes[size]));
    for (const SweepLine& line : section.lines) {
      rows.push_back(cells_of(table, section, line, best, begin));
      for (std::size_t cell = 0; cell <= table.axes.size(); ++cell) text_table.fit(cell, rows.back()[cell]);
    }
  }
  std::string text = "#" + text_table.titles() + '\n';
  for (const std::vector<std::string>& row : rows) text += ' ' + text_table.row(row) + '\n';
  return text;
}

/// Letters before the first time.
std::size_t names_width(const SweepTable& table) {
  std::size_t algorithm = 9;
  std::vector<std::size_t> axes;
  for (const std::string& axis : table.axes) axes.push_back(axis.size());
  for (const SweepSection& section : table.sections) {
    for (const SweepLine& line : section.lines) algorithm = std::max(algorithm, line_name(line).size());
    for (std::size_t axis = 0; axis < axes.size(); ++axis) axes[axis] = std::max(axes[axis], section.values[axis].size());
  }
  for (const std::size_t axis : axes) algorithm += axis + 2;
  return algorithm;
}

}  // namespace

std::string line_name(const SweepLine& line) { return shared_name(line.names, kNames); }

std::string times_text(const SweepTable& table, std::size_t width) {
  const std::size_t names = names_width(table) + 2;
  const std::size_t of_size = kTimeWidth + 1 + (table.has_base ? kRatioWidth + 1 : 0);
  const std::size_t most = names < width ? std::max<std::size_t>(1, (width - names) / of_size) : 1;
  std::string text;
  for (std::size_t begin = 0; begin < table.sizes.size(); begin += most) {
    if (begin > 0) text += "#\n";
    text += some_times_text(table, begin, std::min(most, table.sizes.size() - begin));
  }
  return text;
}

std::string seeds_text(const SweepTable& sweep, std::size_t width, bool is_terminal) {
  std::vector<std::vector<std::string>> rows;
  for (const SweepSection& section : sweep.sections) {
    for (const SweepResult& result : section.shown) {
      if (!result.spread) continue;
      const SeedSpread& spread = *result.spread;
      std::vector<std::string> row = section.values;
      row.push_back(to_string(Bytes(result.bytes)));
      row.push_back(result.algorithm);
      row.push_back(fmt::format("{}", spread.seeds));
      for (const Time time : {spread.least, spread.first_quartile, spread.median, spread.third_quartile, spread.most})
        row.push_back(to_string(time));
      rows.push_back(std::move(row));
    }
  }
  if (rows.empty()) return "";
  std::vector<Table::Column> columns;
  for (const std::string& axis : sweep.axes) columns.push_back({axis, "", Table::Align::left});
  columns.push_back({"size", "", Table::Align::right, 7});
  columns.push_back({"algorithm", "", Table::Align::left, 9});
  for (const char* title : {"seeds", "least", "1st quarter", "median", "3rd quarter", "most"})
    columns.push_back({title, "", Table::Align::right, 9});
  Table table(std::move(columns));
  for (const std::vector<std::string>& row : rows)
    for (std::size_t cell = 0; cell < row.size(); ++cell) table.fit(cell, row[cell]);
  std::string text = "# over the seeds of ECMP, of which the times above are the medians\n";
  if (is_terminal) text += left_out_text(table.fit_into(width - 1));
  text += "#" + table.titles() + '\n';
  for (const std::vector<std::string>& row : rows) text += ' ' + table.row(row) + '\n';
  return text;
}

}  // namespace heddle
