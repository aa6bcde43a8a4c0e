// SPDX-License-Identifier: Apache-2.0
#include "show/reports/sweep_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/printable.hpp"
#include "heddle/registry.hpp"
#include "lab/decisions/decision_file.hpp"
#include "lab/describe/equal_runs.hpp"
#include "lab/documents/context.hpp"
#include "lab/sweep/sweep_axes.hpp"
#include "lab/sweep/sweep_document.hpp"
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

// A sweep's results as its table shows them: the fabrics one below the other, each with its values on the axes in which they
// differ.

/// One fabric's.
struct SweepSection {
  const nlohmann::ordered_json* fabric = nullptr;  ///< its member of context.fabrics
  std::vector<std::string> values = {};            ///< by axis of the table; none where there is one fabric alone
  std::vector<SweepResult> results = {};
  std::vector<SweepResult> shown = {};  ///< the results, or of a tuned sweep the best of each row
  std::vector<SweepLine> lines = {};    ///< of what is shown
  std::set<std::int64_t> open = {};     ///< sizes with runs that are missing: nobody knows the best; of a part of a sweep all
};

struct SweepTable {
  std::vector<std::string> axes = {};  ///< in which the fabrics differ
  std::vector<std::int64_t> sizes = {};
  std::vector<SweepSection> sections = {};   ///< those with runs, in the order of the sweep
  std::map<int, double> ratio_to_base = {};  ///< by number of the run
  bool has_base = false;
};

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

std::vector<const SweepResult*> at_size(const SweepSection& section, std::int64_t bytes) {
  std::vector<const SweepResult*> point;
  for (const SweepResult& result : section.shown)
    if (result.bytes == bytes) point.push_back(&result);
  return point;
}

/// The best of what the section shows at this size; nullptr: there is none, or it is not known.
const SweepResult* best_at(const SweepSection& section, std::int64_t bytes) {
  return section.open.contains(bytes) ? nullptr : best_of(at_size(section, bytes));
}

/// The document outlives it.
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

constexpr std::size_t kTimeWidth = 9;   // of a time: "139.2us*", and the gap before it
constexpr std::size_t kRatioWidth = 7;  // of a ratio: "14.90x", and the gap before it
constexpr std::size_t kNames = 48;      // letters for the names of equivalent algorithms on a line

/// How equivalent algorithms are called on these lines.
std::string line_name(const SweepLine& line) { return shared_name(line.names, kNames); }

bool takes_as_long(const SweepResult& a, const SweepResult& b) {
  return a.measured && b.measured && a.measured->time == b.measured->time;
}

/// With a blank behind it, or a star: nothing is faster; "-" where the algorithm was left out.
std::string time_cell(const SweepResult* result, const SweepResult* best) {
  if (result == nullptr) return "- ";
  if (result->failure) return "FAILED ";
  if (!result->measured) return "not run ";
  return to_string(result->measured->time) + (best != nullptr && takes_as_long(*result, *best) ? '*' : ' ');
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

/// A line for each fabric and algorithm with its time at each size, * the best of its fabric and size, and the ratio to the base
/// if there is one: as many sizes beside each other as fit into `width` columns, the others below.
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

/// How far times lie apart over the seeds of ECMP: a line for each result that has a spread, with least and most, median and
/// quartiles. Empty: none has one.
std::string seeds_text(const SweepTable& sweep, std::size_t width, bool is_terminal) {
  Document document{.columns = axes_of(sweep)};
  document.columns.push_back(for_people({"size", "", Table::Align::right, 7}));
  document.columns.push_back(for_people({"algorithm", "", Table::Align::left, 9}));
  document.columns.push_back(for_people({"seeds", "", Table::Align::right, 9}));
  for (const SpreadPart& part : spread_parts())
    document.columns.push_back(for_people({part.title, "", Table::Align::right, 9}));
  for (const SweepSection& section : sweep.sections) {
    for (const SweepResult& result : section.shown) {
      if (!result.spread) continue;
      const SeedSpread& spread = *result.spread;
      std::vector<Document::Cell>& row = document.rows.emplace_back(section.values.begin(), section.values.end());
      row.emplace_back(to_string(Bytes(result.bytes)));
      row.emplace_back(result.algorithm);
      row.emplace_back(spread.seeds);
      for (const SpreadPart& part : spread_parts()) row.emplace_back(to_string(spread.*part.time));
    }
  }
  if (document.rows.empty()) return "";
  return "# over the seeds of ECMP, of which the times above are the medians\n" +
         report_text(document, is_terminal ? width : Table::kAnyWidth);
}

constexpr std::size_t kShortNames = 35;  // letters for the names of equivalent algorithms, of which two stand on a line

/// The names of `result` and of its equivalents at the point.
std::vector<std::string> equivalents_of(const SweepResult& result, const std::vector<const SweepResult*>& point) {
  std::vector<std::string> names = {result.algorithm};
  for (const SweepResult* other : point)
    if (other != &result && are_equivalent(*other, result)) names.push_back(other->algorithm);
  return names;
}

/// The best of those that take longer than `best`.
const SweepResult* next_to(const SweepResult& best, std::vector<const SweepResult*> point) {
  std::erase_if(point, [&](const SweepResult* other) { return takes_as_long(*other, best); });
  return best_of(point);
}

/// All that take as long as `best`, by what they do: "ring = bucket", "bruck". One alone: nothing else is as fast.
std::vector<std::string> as_fast_as(const SweepResult& best, const std::vector<const SweepResult*>& point) {
  std::vector<const SweepResult*> firsts = {&best};
  std::vector<std::string> names = {all_names(equivalents_of(best, point))};
  for (const SweepResult* other : point) {
    if (!takes_as_long(*other, best)) continue;
    const auto does_the_same = [&](const SweepResult* first) { return first == other || are_equivalent(*first, *other); };
    if (std::ranges::any_of(firsts, does_the_same)) continue;
    firsts.push_back(other);
    names.push_back(all_names(equivalents_of(*other, point)));
  }
  return names;
}

/// One fabric's at one size.
struct BestLine {
  std::vector<std::string> cells;
  std::string equivalents;  ///< names that it has no room for, of those that are as fast too, as comments
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
  /// One is no better than others that are as fast.
  const auto bests = [&] {
    const std::vector<std::string> tied = as_fast_as(best, point);
    if (tied.size() == 1) return names(best);
    const std::string both = fmt::format("{} or {}", tied.front(), tied.back());
    if (tied.size() == 2 && both.size() <= kShortNames) return both;
    line.equivalents += fmt::format("# as fast as each other at {}: {}\n", to_string(Bytes(best.bytes)), fmt::join(tied, ", "));
    return fmt::format("{} or {} more", best.algorithm, tied.size() - 1);
  };
  line.cells = {fmt::format("{}", best.bytes), bests(), microseconds(measured.time), gigabytes_per_second(measured.algbw),
                gigabytes_per_second(measured.busbw)};
  if (const SweepResult* next = next_to(best, point)) {
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

/// A line for each fabric and size: the best, its bandwidths, and how far the next is behind that does not do the same; below
/// them names that they have no room for, in comments of at most `width` columns. On a terminal of that width, columns that it has
/// no room for are left out.
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

using Json = nlohmann::ordered_json;

constexpr std::size_t kTableWidth = 128;  // where the output is no terminal

std::string size_text(std::int64_t bytes) { return to_string(Bytes(bytes)); }

/// The names that the lines of times had no room for.
std::string equivalents_text(std::span<const SweepLine> lines) {
  std::string text;
  for (const SweepLine& line : lines)
    if (const std::string all = all_names(line.names); line_name(line) != all)
      text += fmt::format("# the same messages: {}\n", all);
  return text;
}

/// Which variant of a row each time is of, where that is not the row as it is at all sizes.
std::string variants_text(std::span<const SweepLine> lines, std::span<const std::int64_t> sizes, std::string_view on) {
  std::string text;
  for (const SweepLine& line : lines) {
    std::string variants;
    bool has_options = false;
    for (std::size_t i = 0, end = 0; i < sizes.size(); i = end) {
      const SweepResult* first = line.results[i];
      for (end = i + 1; end < sizes.size(); ++end) {
        const SweepResult* next = line.results[end];
        if ((first == nullptr) != (next == nullptr) || (first != nullptr && first->algorithm != next->algorithm)) break;
      }
      if (first == nullptr || !first->measured) continue;
      has_options = has_options || first->algorithm != line.names.front();
      const std::string last = end > i + 1 ? " to " + size_text(sizes[end - 1]) : "";
      variants += fmt::format("{}{} at {}{}", variants.empty() ? "" : "; ", first->algorithm, size_text(sizes[i]), last);
    }
    if (has_options) text += fmt::format("{}the best of {}: {}\n", on, line.names.front(), variants);
  }
  return text;
}

std::string crossing_text(const Crossing& crossing) {
  const std::string where =
      crossing.at ? fmt::format(" from about {} on", rough_size_text(*crossing.at)) : "; where between them is not known";
  return fmt::format("the best changes between {} and {}: {} instead of {}{}\n", size_text(crossing.below),
                     size_text(crossing.above), crossing.to, crossing.from, where);
}

std::string member_text(const Json& fabric, const char* key) { return fabric.at(key).get<std::string>(); }

std::string speeds_text(const Json& fabric) {
  const Json& preset = fabric.at("preset");
  return (preset.is_null() ? "" : fmt::format("preset {}: ", preset.get<std::string>())) + member_text(fabric, "speeds");
}

/// Of one fabric alone.
std::string fabric_text(const Json& fabric) {
  return fmt::format("#\n# {}: {}, placement {}\n# {}\n", member_text(fabric, "fabric"),
                     counted(fabric.at("ranks").get<int>(), "rank"), member_text(fabric, "placement"), speeds_text(fabric));
}

/// What several have in common, and the speeds of each topology.
std::string fabrics_text(const SweepDocument& document) {
  const Json& fabrics = document.context.at("fabrics");
  std::string differing;
  const std::vector<SweepAxis> axes = varying_fabric_axes(document);
  for (const SweepAxis& axis : axes)
    differing += fmt::format("{}{} ({})", differing.empty() ? "" : " x ", axis.name, axis.values.size());
  std::string text = fmt::format("#\n# {} fabrics: {}", fabrics.size(), differing);
  for (const char* key : {"ranks", "placement"})
    if (std::ranges::find(axes, key, &SweepAxis::name) == axes.end())
      text += fmt::format("; {} {}", key, fabric_value(fabrics.at(0), key));
  text += '\n';
  std::set<std::string> known;
  for (const Json& fabric : fabrics) {
    const std::string line = fmt::format("# {}: {}\n", member_text(fabric, "topology"), speeds_text(fabric));
    if (known.insert(line).second) text += line;
  }
  return text;
}

std::string base_text(const SweepBase& base) {
  return fmt::format("# x: the time in proportion to that with {} {}\n", base.axis, base.value);
}

/// Something that holds for some runs of a section.
struct RunNote {
  std::string text;
  std::vector<const SweepResult*> runs = {};
};

void add_note(std::vector<RunNote>& notes, const std::string& text, const SweepResult& run) {
  auto note = std::ranges::find(notes, text, &RunNote::text);
  if (note == notes.end()) note = notes.insert(note, {text});
  note->runs.push_back(&run);
}

/// ", 2.1 times the best, rabenseifner": of what a library would take, beside all others of its point. Empty: nothing is to be said.
std::string behind_best(const SweepResult& result, std::span<const SweepResult> results) {
  if (!decisions::is_decision_name(result.algorithm) || !result.measured) return "";
  std::vector<const SweepResult*> others;
  for (const SweepResult& other : results)
    if (other.bytes == result.bytes && !decisions::is_decision_name(other.algorithm)) others.push_back(&other);
  const SweepResult* best = best_of(others);
  if (best == nullptr || best->measured->time == Time()) return "";
  if (result.measured->time <= best->measured->time) return ", the best";
  return fmt::format(", {:.3g} times the best, {}",
                     static_cast<double>(result.measured->time.ps()) / static_cast<double>(best->measured->time.ps()),
                     best->algorithm);
}

/// What else is to be said of an algorithm, with the sizes that it is said of.
std::string remarks_text(std::span<const SweepResult> results, std::string_view on) {
  std::vector<RunNote> notes;
  for (const SweepResult& result : results)
    if (!result.remark.empty())
      add_note(notes, fmt::format("{}: {}{}", result.algorithm, result.remark, behind_best(result, results)), result);
  std::string text;
  for (const RunNote& note : notes) {
    std::vector<std::string> sizes;
    for (const SweepResult* run : note.runs) sizes.push_back(size_text(run->bytes));
    text += fmt::format("{}at {}: {}\n", on, fmt::join(sizes, ", "), note.text);
  }
  return text;
}

/// A line for each algorithm with its errors at each size; empty where none were measured.
std::string errors_text(std::span<const SweepResult> results, std::string_view on) {
  std::vector<std::string> algorithms;
  for (const SweepResult& result : results)
    if (result.measured && result.measured->error_ulp_mean &&
        std::ranges::find(algorithms, result.algorithm) == algorithms.end())
      algorithms.push_back(result.algorithm);
  std::string text;
  for (const std::string& algorithm : algorithms) {
    std::vector<std::string> errors;
    for (const SweepResult& result : results)
      if (result.algorithm == algorithm && result.measured && result.measured->error_ulp_mean)
        errors.push_back(fmt::format("{:.3g} and {:.3g} at {}", *result.measured->error_ulp_mean,
                                     result.measured->error_ulp_worst.value_or(0), size_text(result.bytes)));
    text += fmt::format("{}errors of {} (ulp, mean and worst): {}\n", on, algorithm, fmt::join(errors, ", "));
  }
  return text;
}

/// Before what is said of a section.
std::string on_text(const SweepTable& table, const SweepSection& section) {
  return table.axes.empty() ? "# " : fmt::format("# on {}: ", section.fabric->at("fabric").get<std::string>());
}

/// What the lines of times have no room for: names of equivalent algorithms, variants, remarks, where the best changes.
std::string notes_text(const SweepTable& table, bool is_tuned) {
  std::string text;
  std::set<std::string> known;
  for (const SweepSection& section : table.sections) {
    const std::string on = on_text(table, section);
    if (const std::string equivalents = equivalents_text(section.lines); known.insert(equivalents).second) text += equivalents;
    if (is_tuned) text += variants_text(section.lines, table.sizes, on);
    if (const std::string remarks = remarks_text(section.results, on); known.insert(remarks).second) text += remarks;
    text += errors_text(section.results, on);
    std::vector<std::string> open;
    for (const std::int64_t bytes : section.open) open.push_back(size_text(bytes));
    if (!open.empty()) text += fmt::format("{}runs are missing: no best at {}\n", on, fmt::join(open, ", "));
  }
  return text;
}

/// "ring; bucket at 1KiB, 4KiB"; empty: of all runs that were measured.
std::string whose(const RunNote& note, const SweepSection& section) {
  const auto is_measured = [](const SweepResult& run) { return run.measured.has_value(); };
  if (note.runs.size() == static_cast<std::size_t>(std::ranges::count_if(section.results, is_measured))) return "";
  std::string text;
  std::vector<std::string> known;
  for (const SweepResult* run : note.runs) {
    if (std::ranges::find(known, run->algorithm) != known.end()) continue;
    known.push_back(run->algorithm);
    std::string sizes;
    std::size_t some = 0;
    for (const SweepResult* other : note.runs) {
      if (other->algorithm != run->algorithm) continue;
      sizes += fmt::format("{}{}", some++ == 0 ? "" : ", ", to_string(Bytes(other->bytes)));
    }
    const auto all = static_cast<std::size_t>(std::ranges::count_if(
        section.results, [&](const SweepResult& other) { return is_measured(other) && other.algorithm == run->algorithm; }));
    text += fmt::format("{}{}{}", text.empty() ? "" : "; ", run->algorithm, some == all ? "" : " at " + sizes);
  }
  return fmt::format(" ({})", text);
}

/// What became of faults: which changed nothing, and why; which link was the worst; which adaptive routing went round. Each with the
/// algorithms and sizes that it is of where it is not of all.
std::string faults_text(const SweepTable& table) {
  std::string text;
  for (const SweepSection& section : table.sections) {
    std::vector<RunNote> notes;
    for (const SweepResult& run : section.results) {
      if (!run.measured) continue;
      const SweepMeasurement& measured = *run.measured;
      for (std::size_t i = 0; i < measured.idle_faults.size(); ++i)
        add_note(notes, fmt::format("never struck: {} ({})", measured.idle_faults[i], measured.idle_reasons[i]), run);
      if (measured.worst_link) add_note(notes, fmt::format("the worst link: {}", *measured.worst_link), run);
      for (const std::string& fault : measured.faults_gone_round) add_note(notes, gone_round_text(fault), run);
    }
    const std::string on = on_text(table, section);
    for (const RunNote& note : notes) text += fmt::format("{}{}{}\n", on, note.text, whose(note, section));
  }
  return text;
}

std::string crossings_text(const SweepDocument& document, bool has_several_fabrics) {
  std::string text;
  for (const Crossing& crossing : crossings_of(document))
    text += (has_several_fabrics ? fmt::format("# on {}: ", crossing.fabric) : "# ") + crossing_text(crossing);
  return text;
}

/// Of the first size where it holds. Switches send nothing themselves.
std::string hint_text(const SweepTable& table) {
  for (const SweepSection& section : table.sections) {
    if (!section.fabric->at("groups").is_null()) continue;
    for (const std::int64_t bytes : table.sizes) {
      if (section.open.contains(bytes)) continue;
      std::vector<RunInBrief> runs;
      for (const SweepResult& run : section.shown)
        if (run.bytes == bytes && run.measured && run.algorithm != "in_network")
          runs.push_back(
              {run.algorithm, run.measured->time, run.measured->path.startup, run.measured->rounds, run.measured->messages});
      if (const std::string hint = free_messages_hint(runs, section.fabric->at("ranks").get<int>()); !hint.empty()) return hint;
    }
  }
  return "";
}

bool has_best(const SweepTable& table) {
  return std::ranges::any_of(table.sections, [&](const SweepSection& section) {
    return std::ranges::any_of(table.sizes, [&](std::int64_t bytes) { return best_at(section, bytes) != nullptr; });
  });
}

bool varies(const SweepDocument& document, std::string_view axis) {
  const std::vector<SweepAxis> axes = varying_fabric_axes(document);
  return std::ranges::find(axes, axis, &SweepAxis::name) != axes.end();
}

std::string head_text(const SweepDocument& document) {
  const Json& fabric = document.context.at("fabrics").at(0);
  std::string text = fmt::format("# heddle {}: sweep of {}, {}{}\n", document.context.at("version").get<std::string>(),
                                 member_text(fabric, "collective"), counted(document.planned, "run"),
                                 document.shard.is_whole() ? "" : fmt::format(", part {}", to_string(document.shard)));
  const std::string op = member_text(fabric, "op");
  const bool has_data = member_text(fabric, "collective") != to_string(Collective::barrier);
  const std::string data = has_data ? fmt::format("{}{}, ", member_text(fabric, "datatype"), op == "none" ? "" : " " + op) : "";
  text += fmt::format("# {}buffering {}, seed {}", data, member_text(fabric, "buffering"), fabric.at("seed").dump());
  for (const char* key : {"groups", "background", "skew", "counts"})
    if (fabric.contains(key) && !fabric.at(key).is_null()) text += fmt::format("; {} {}", key, member_text(fabric, key));
  if (const std::string fault = fabric_value(fabric, "fault"); !fault.empty() && !varies(document, "fault"))
    text += fmt::format("; fault {}", fault);
  if (const std::string model = fabric_value(fabric, "model"); model.starts_with("packets") && !varies(document, "model"))
    text += fmt::format("; model {}", model);
  return text + "; a time is printed only if every check passed; *: the best\n";
}

/// "(on ring:7, ring:9 and 3 more)"; nothing where it is all of them.
std::string where_text(const Json& fabrics, std::size_t all) {
  if (fabrics.size() == all) return "";
  return fmt::format(" (on {})", first_of(fabrics.get<std::vector<std::string>>(), 3, "; "));
}

/// Sizes that were asked for and are less than what can be run.
std::string rounded_up_text(const SweepDocument& document) {
  if (!document.context.contains("rounded_up")) return "";
  std::vector<std::string> texts;
  for (const Json& rounded : document.context.at("rounded_up"))
    texts.push_back(fmt::format("{} to {}", size_text(rounded.at("bytes_asked").get<std::int64_t>()),
                                size_text(rounded.at("bytes").get<std::int64_t>())));
  return fmt::format("# rounded up to one element, or one in each block: {}\n", fmt::join(texts, ", "));
}

std::string tail_text(const SweepDocument& document) {
  std::string text = "#\n";
  for (const Json& left : document.left_out)
    text += fmt::format("# left out: {}: {}{}\n", left.at("algorithm").get<std::string>(), left.at("reason").get<std::string>(),
                        where_text(left.at("fabrics"), document.context.at("fabrics").size()));
  if (document.context.contains("tuning"))
    text += break_comments(fmt::format("# {}\n", tuning_text(document.context.at("tuning"))), kTableWidth);
  const auto right = static_cast<int>(std::ranges::count_if(document.runs, [](const auto& run) { return !!run.measured; }));
  const auto failed = static_cast<int>(std::ranges::count_if(document.runs, [](const auto& run) { return !!run.failure; }));
  const int missing = runs_of(document.shard, document.planned) - right - failed;
  text += fmt::format("# {} right", counted(right, "result"));
  if (failed > 0) text += fmt::format(", {} FAILED", failed);
  if (missing > 0) text += fmt::format("; incomplete: {} not run", counted(missing, "run"));
  return text + '\n';
}

}  // namespace

std::string table_text_of(const SweepDocument& all, std::optional<std::size_t> columns) {
  const SweepDocument document = with_marked_names(over_seeds(all));
  const bool is_tuned = document.context.contains("tuning");
  const Json& fabrics = document.context.at("fabrics");
  const SweepTable table = sweep_table_of(document);
  std::string text = head_text(document);
  text += fabrics.size() == 1 ? fabric_text(fabrics.at(0)) : fabrics_text(document);
  if (const std::optional<SweepBase> base = base_of(document)) text += base_text(*base);
  text += break_comments(rounded_up_text(document), kTableWidth);
  if (table.sections.empty()) return text + "# no run\n" + tail_text(all);
  const std::size_t width = columns.value_or(kTableWidth);
  text += times_text(table, width) + break_comments(notes_text(table, is_tuned) + faults_text(table), kTableWidth);
  for (const std::string& note : part_run_notes(all)) text += break_comments(fmt::format("# {}\n", note), kTableWidth);
  if (const std::string seeds = seeds_text(table, width, columns.has_value()); !seeds.empty()) text += "#\n" + seeds;
  if (has_best(table))
    text += "#\n" + bests_text(table, width, columns.has_value()) +
            break_comments(crossings_text(document, !table.axes.empty()) + hint_text(table), kTableWidth);
  return text + tail_text(all);
}

}  // namespace heddle
