// SPDX-License-Identifier: Apache-2.0
#include "show/sweep/sweep_bests.hpp"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <vector>

#include "lab/describe/equal_runs.hpp"
#include "show/text/comment_lines.hpp"
#include "show/text/table.hpp"

namespace heddle {

namespace {

constexpr std::size_t kShortNames = 35;  // letters for the names of twins, of which two stand on a line

std::vector<const SweepResult*> at_size(const SweepSection& section, std::int64_t bytes) {
  std::vector<const SweepResult*> point;
  for (const SweepResult& result : section.shown)
    if (result.bytes == bytes) point.push_back(&result);
  return point;
}

std::string rate_cell(const std::optional<double>& rate) { return rate ? fmt::format("{:.2f}", *rate / 1e9) : "-"; }

std::string time_in_us(Time time) { return fmt::format("{:.3f}", static_cast<double>(time.ps()) / 1e6); }

/// The names of `result` and of its twins at the point.
std::vector<std::string> twins_of(const SweepResult& result, const std::vector<const SweepResult*>& point) {
  std::vector<std::string> names = {result.algorithm};
  for (const SweepResult* other : point)
    if (other != &result && are_twins(*other, result)) names.push_back(other->algorithm);
  return names;
}

/// The best of those that do not do the same as `best`.
const SweepResult* next_to(const SweepResult* best, std::vector<const SweepResult*> point) {
  std::erase_if(point, [&](const SweepResult* other) { return other == best || are_twins(*other, *best); });
  return best_of(point);
}

/// One fabric's at one size.
struct BestLine {
  std::vector<std::string> cells;
  std::string twins;  ///< names that it has no room for, as comments
};

BestLine best_line(const std::vector<const SweepResult*>& point, const SweepResult& best) {
  const SweepMeasurement& measured = *best.measured;
  BestLine line;
  const auto names = [&](const SweepResult& result) {
    const std::vector<std::string> all = twins_of(result, point);
    std::string text = all.size() == 1 ? all.front() : all_names(all);
    if (all.size() == 1 || text.size() <= kShortNames) return text;
    line.twins += fmt::format("# the same messages at {}: {}\n", to_string(Bytes(result.bytes)), text);
    return fmt::format("{} = {} more", all.front(), all.size() - 1);
  };
  line.cells = {fmt::format("{}", best.bytes), names(best), time_in_us(measured.time), rate_cell(measured.algbw),
                rate_cell(measured.busbw)};
  if (const SweepResult* next = next_to(&best, point)) {
    const auto times = [&](const SweepResult& of) { return static_cast<double>(of.measured->time.ps()); };
    line.cells.push_back(names(*next));
    line.cells.push_back(times(best) > 0 ? fmt::format("+{:.1f} %", (times(*next) / times(best) - 1) * 100) : "");
  }
  return line;
}

std::vector<BestLine> best_lines(const SweepTable& table) {
  std::vector<BestLine> lines;
  for (const SweepSection& section : table.sections) {
    for (const std::int64_t bytes : table.sizes) {
      const SweepResult* best = best_at(section, bytes);
      if (best == nullptr) continue;
      lines.push_back(best_line(at_size(section, bytes), *best));
      lines.back().cells.insert(lines.back().cells.begin(), section.values.begin(), section.values.end());
    }
  }
  return lines;
}

}  // namespace

std::string bests_text(const SweepTable& sweep, std::size_t width, bool is_terminal) {
  std::vector<Table::Column> columns;
  for (const std::string& axis : sweep.axes) columns.push_back({axis, "", Table::Align::left});
  const std::vector<Table::Column> of_best = {
      {"size", "(B)", Table::Align::right, 11},       {"best", "", Table::Align::left, 9},
      {"time", "(us)", Table::Align::right, 12},      {"algbw", "(GB/s)", Table::Align::right, 8, 3},
      {"busbw", "(GB/s)", Table::Align::right, 8, 4}, {"next best", "", Table::Align::left, 9, 2},
      {"takes", "", Table::Align::right, 8, 1}};
  columns.insert(columns.end(), of_best.begin(), of_best.end());
  Table table(std::move(columns));
  for (const SweepSection& section : sweep.sections) {
    for (const SweepLine& line : section.lines) {
      for (const std::string& name : line.names) {
        table.fit(sweep.axes.size() + 1, name);
        table.fit(sweep.axes.size() + 5, name);
      }
    }
  }
  const std::vector<BestLine> lines = best_lines(sweep);
  for (const BestLine& line : lines)
    for (std::size_t cell = 0; cell < line.cells.size(); ++cell) table.fit(cell, line.cells[cell]);
  const std::string left_out = is_terminal ? left_out_text(table.fit_into(width - 1)) : "";
  std::string text = left_out + "#" + table.titles() + "\n#" + table.units() + '\n';
  std::string twins;
  for (const BestLine& line : lines) {
    text += ' ' + table.row(line.cells) + '\n';
    twins += line.twins;
  }
  return text + break_comments(twins, width);
}

}  // namespace heddle
