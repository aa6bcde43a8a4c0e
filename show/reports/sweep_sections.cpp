// SPDX-License-Identifier: Apache-2.0
#include "show/reports/sweep_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/printable.hpp"
#include "heddle/registry.hpp"
#include "lab/describe/equal_runs.hpp"
#include "lab/sweep/sweep_axes.hpp"
#include "show/document/document.hpp"
#include "show/reports/run_table.hpp"

namespace heddle {

namespace {

/// Both were left out at the same sizes, and at all others they did the same.
bool are_one_line(const SweepLine& a, const SweepLine& b) {
  bool has_equivalents = false;
  for (std::size_t size = 0; size < a.results.size(); ++size) {
    const SweepResult* of_a = a.results[size];
    const SweepResult* of_b = b.results[size];
    if (of_a == nullptr && of_b == nullptr) continue;
    if (of_a == nullptr || of_b == nullptr || !are_equivalent(*of_a, *of_b)) return false;
    has_equivalents = true;
  }
  return has_equivalents;
}

}  // namespace

std::vector<SweepLine> sweep_lines(std::span<const SweepResult> results, std::span<const std::int64_t> sizes, bool by_row) {
  std::vector<SweepLine> of_one;
  for (const SweepResult& result : results) {
    const std::string name(by_row ? bare_name(result.algorithm) : result.algorithm);
    auto line = std::ranges::find(of_one, name, [](const SweepLine& known) { return known.names.front(); });
    if (line == of_one.end())
      line = of_one.insert(line, {.names = {name}, .results = std::vector<const SweepResult*>(sizes.size())});
    const auto size = std::ranges::find(sizes, result.bytes);
    if (size != sizes.end()) line->results[static_cast<std::size_t>(size - sizes.begin())] = &result;
  }
  std::vector<SweepLine> lines;
  for (SweepLine& line : of_one) {
    const auto equivalent = std::ranges::find_if(lines, [&](const SweepLine& other) { return are_one_line(other, line); });
    if (equivalent == lines.end())
      lines.push_back(std::move(line));
    else
      equivalent->names.push_back(std::move(line.names.front()));
  }
  return lines;
}

namespace {

std::vector<std::int64_t> sizes_of(const std::vector<SweepSection>& sections) {
  std::set<std::int64_t> sizes;
  for (const SweepSection& section : sections)
    for (const SweepResult& result : section.results) sizes.insert(result.bytes);
  return {sizes.begin(), sizes.end()};
}

std::set<std::int64_t> open_sizes(const std::vector<SweepResult>& results, bool is_part) {
  std::set<std::int64_t> sizes;
  for (const SweepResult& result : results)
    if (is_part || !is_finished(result)) sizes.insert(result.bytes);
  return sizes;
}

}  // namespace

const SweepResult* best_at(const SweepSection& section, std::int64_t bytes) {
  if (section.open.contains(bytes)) return nullptr;
  std::vector<const SweepResult*> point;
  for (const SweepResult& result : section.shown)
    if (result.bytes == bytes) point.push_back(&result);
  return best_of(point);
}

SweepTable sweep_table_of(const SweepDocument& document) {
  const bool is_tuned = document.context.contains("tuning");
  SweepTable table;
  for (const SweepAxis& axis : varying_fabric_axes(document)) table.axes.push_back(axis.name);
  for (const auto& fabric : document.context.at("fabrics")) {
    SweepSection section{.fabric = &fabric};
    std::ranges::copy_if(document.runs, std::back_inserter(section.results),
                         [&](const SweepResult& run) { return fabric.at("fabric") == run.fabric; });
    if (section.results.empty()) continue;
    for (const std::string& axis : table.axes) section.values.push_back(fabric_value(fabric, axis));
    section.open = open_sizes(section.results, !document.shard.is_whole());
    section.shown = is_tuned ? best_of_rows(section.results) : section.results;
    table.sections.push_back(std::move(section));
  }
  table.sizes = sizes_of(table.sections);
  for (SweepSection& section : table.sections) section.lines = sweep_lines(section.shown, table.sizes, is_tuned);
  const std::vector<std::optional<double>> ratios = ratios_to_base(document);
  table.has_base = !ratios.empty();
  for (std::size_t i = 0; i < ratios.size(); ++i)
    if (ratios[i]) table.ratio_to_base.emplace(document.runs[i].run, *ratios[i]);
  return table;
}

namespace {

constexpr std::size_t kTimeWidth = 9;   // of a time: "139.2us*", and the gap before it
constexpr std::size_t kRatioWidth = 7;  // of a ratio: "14.90x", and the gap before it
constexpr std::size_t kNames = 48;      // letters for the names of equivalent algorithms on a line

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

std::vector<Document::Cell> cells_of(const SweepTable& table, const SweepSection& section, const SweepLine& line,
                                     const std::vector<const SweepResult*>& best, std::size_t begin) {
  std::vector<Document::Cell> cells(section.values.begin(), section.values.end());
  cells.emplace_back(line_name(line));
  for (std::size_t i = 0; i < best.size(); ++i) {
    const SweepResult* result = line.results[begin + i];
    cells.emplace_back(time_cell(result, best[i]));
    if (table.has_base) cells.emplace_back(ratio_cell(table, result));
  }
  return cells;
}

std::vector<Document::Column> axes_of(const SweepTable& table) {
  std::vector<Document::Column> columns;
  for (const std::string& axis : table.axes) columns.push_back(for_people({axis, "", Table::Align::left}));
  return columns;
}

/// The times at the sizes from `begin` on, so many of them.
std::string some_times_text(const SweepTable& table, std::size_t begin, std::size_t count) {
  Document document{.columns = axes_of(table)};
  document.columns.push_back(for_people({"algorithm", "", Table::Align::left, 9}));
  for (std::size_t size = begin; size < begin + count; ++size) {
    document.columns.push_back(
        {{}, {to_string(Bytes(table.sizes[size])) + ' ', "", Table::Align::right, kTimeWidth - 1}, false});
    if (table.has_base) document.columns.push_back({{}, {"x ", "", Table::Align::right, kRatioWidth - 1}, false});
  }
  for (const SweepSection& section : table.sections) {
    std::vector<const SweepResult*> best;
    for (std::size_t size = begin; size < begin + count; ++size) best.push_back(best_at(section, table.sizes[size]));
    for (const SweepLine& line : section.lines) document.rows.push_back(cells_of(table, section, line, best, begin));
  }
  return table_text(document);
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
  Document document{.columns = axes_of(sweep)};
  document.columns.push_back(for_people({"size", "", Table::Align::right, 7}));
  document.columns.push_back(for_people({"algorithm", "", Table::Align::left, 9}));
  for (const char* title : {"seeds", "least", "1st quarter", "median", "3rd quarter", "most"})
    document.columns.push_back(for_people({title, "", Table::Align::right, 9}));
  for (const SweepSection& section : sweep.sections) {
    for (const SweepResult& result : section.shown) {
      if (!result.spread) continue;
      const SeedSpread& spread = *result.spread;
      std::vector<Document::Cell>& row = document.rows.emplace_back(section.values.begin(), section.values.end());
      row.emplace_back(to_string(Bytes(result.bytes)));
      row.emplace_back(result.algorithm);
      row.emplace_back(spread.seeds);
      for (const Time time : {spread.least, spread.first_quartile, spread.median, spread.third_quartile, spread.most})
        row.emplace_back(to_string(time));
    }
  }
  if (document.rows.empty()) return "";
  return "# over the seeds of ECMP, of which the times above are the medians\n" +
         report_text(document, is_terminal ? width : Table::kAnyWidth);
}

namespace {

constexpr std::size_t kShortNames = 35;  // letters for the names of equivalent algorithms, of which two stand on a line

std::vector<const SweepResult*> at_size(const SweepSection& section, std::int64_t bytes) {
  std::vector<const SweepResult*> point;
  for (const SweepResult& result : section.shown)
    if (result.bytes == bytes) point.push_back(&result);
  return point;
}

/// The names of `result` and of its equivalents at the point.
std::vector<std::string> equivalents_of(const SweepResult& result, const std::vector<const SweepResult*>& point) {
  std::vector<std::string> names = {result.algorithm};
  for (const SweepResult* other : point)
    if (other != &result && are_equivalent(*other, result)) names.push_back(other->algorithm);
  return names;
}

/// The best of those that do not do the same as `best`.
const SweepResult* next_to(const SweepResult* best, std::vector<const SweepResult*> point) {
  std::erase_if(point, [&](const SweepResult* other) { return other == best || are_equivalent(*other, *best); });
  return best_of(point);
}

/// One fabric's at one size.
struct BestLine {
  std::vector<std::string> cells;
  std::string equivalents;  ///< names that it has no room for, as comments
};

BestLine best_line(const std::vector<const SweepResult*>& point, const SweepResult& best) {
  const SweepMeasurement& measured = *best.measured;
  BestLine line;
  const auto names = [&](const SweepResult& result) {
    const std::vector<std::string> all = equivalents_of(result, point);
    std::string text = all.size() == 1 ? all.front() : all_names(all);
    if (all.size() == 1 || text.size() <= kShortNames) return text;
    line.equivalents += fmt::format("# the same messages at {}: {}\n", to_string(Bytes(result.bytes)), text);
    return fmt::format("{} = {} more", all.front(), all.size() - 1);
  };
  line.cells = {fmt::format("{}", best.bytes), names(best), microseconds(measured.time), gigabytes_per_second(measured.algbw),
                gigabytes_per_second(measured.busbw)};
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
  Document document{.columns = axes_of(sweep)};
  // Wide enough for every name, whichever is the best.
  std::size_t longest = 9;
  for (const SweepSection& section : sweep.sections)
    for (const SweepLine& line : section.lines)
      for (const std::string& name : line.names) longest = std::max(longest, letters(printable(name)));
  const std::vector<Table::Column> of_best = {
      {"size", "(B)", Table::Align::right, 11},       {"best", "", Table::Align::left, longest},
      {"time", "(us)", Table::Align::right, 12},      {"algbw", "(GB/s)", Table::Align::right, 8, 3},
      {"busbw", "(GB/s)", Table::Align::right, 8, 4}, {"next best", "", Table::Align::left, longest, 2},
      {"takes", "", Table::Align::right, 8, 1}};
  for (const Table::Column& column : of_best) document.columns.push_back(for_people(column));
  std::string equivalents;
  for (const BestLine& line : best_lines(sweep)) {
    document.rows.emplace_back(line.cells.begin(), line.cells.end());
    equivalents += line.equivalents;
  }
  return report_text(document, is_terminal ? width : Table::kAnyWidth) + break_comments(equivalents, width);
}

}  // namespace heddle
