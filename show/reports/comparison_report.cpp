// SPDX-License-Identifier: Apache-2.0
#include "show/reports/study_reports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "core/read_number.hpp"
#include "lab/documents/fabric_report.hpp"

namespace heddle {

namespace {

using ComparedJson = nlohmann::ordered_json;

constexpr std::size_t kWidth = 100;

std::string file_text(std::string_view which, const ResultFile& file) {
  return fmt::format("# {}: {}: {} of 'heddle {}'{}\n", which, file.path, counted(std::ssize(file.cells), "result"),
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

std::string change_cell(const CellDifference& difference) {
  if (const auto slowdown = difference.slowdown()) return fmt::format("{:+.1f} %", *slowdown * 100);
  return difference.failure;
}

ComparedJson text_or_null(const std::string& text) { return text.empty() ? ComparedJson(nullptr) : ComparedJson(text); }

/// Sizes stay as people write them, which is how both files' cells are matched.
ComparedJson json_of_value(const std::string& name, const std::string& value) {
  if (name != "ranks" && name != "root") return text_or_null(value);
  const auto number = read_number<std::int64_t>(value);
  return number ? ComparedJson(*number) : text_or_null(value);
}

Document::Cell time_cell(const std::optional<Time>& time) {
  return time ? Document::Cell(seconds_for_json(*time), to_string(*time)) : Document::Cell(nullptr, "-");
}

/// A row for each cell that differs; for people without what all cells have in common.
Document differences_of(const Comparison& comparison) {
  Document document{.columns = {{"change", {"what", "", Table::Align::left}}}};
  for (std::size_t name = 0; name < cell_names().size(); ++name) {
    const std::string& key = cell_names()[name];
    const bool is_shown = comparison.varies[name] || key == "algorithm" || key == "size";
    document.columns.push_back(is_shown ? Document::Column{key, {key, "", Table::Align::left}} : for_programs(key));
  }
  document.columns.push_back({"old_s", {"old", ""}});
  document.columns.push_back({"new_s", {"new", ""}});
  document.columns.push_back(for_programs("slowdown"));
  document.columns.push_back(for_programs("failure"));
  document.columns.push_back(for_people({"change", ""}));
  for (const CellDifference& difference : comparison.differences) {
    std::vector<Document::Cell>& row = document.rows.emplace_back();
    row.emplace_back(to_string(difference.change));
    for (std::size_t name = 0; name < cell_names().size(); ++name) {
      const std::string& value = difference.values[name];
      row.emplace_back(json_of_value(cell_names()[name], value), value.empty() ? "-" : value);
    }
    row.push_back(time_cell(difference.before));
    row.push_back(time_cell(difference.now));
    row.emplace_back(or_null(difference.slowdown()), "");
    row.emplace_back(text_or_null(difference.failure), "");
    row.emplace_back(change_cell(difference));
  }
  return document;
}

/// How many cells there are of each change.
std::vector<std::pair<std::string, std::ptrdiff_t>> changes_of(const Comparison& comparison) {
  std::vector<std::pair<std::string, std::ptrdiff_t>> changes;
  for (const CellChange change :
       {CellChange::wrong, CellChange::slower, CellChange::missing, CellChange::added, CellChange::right, CellChange::faster})
    changes.emplace_back(to_string(change), std::ranges::count(comparison.differences, change, &CellDifference::change));
  return changes;
}

std::string summary_text(const Comparison& comparison, double tolerance) {
  std::string text =
      fmt::format("# {} of {} within {:g} %", comparison.unchanged, counted(comparison.matched, "result"), tolerance * 100);
  for (const auto& [change, many] : changes_of(comparison))
    if (many > 0) text += fmt::format(", {} {}", many, change);
  return text + '\n';
}

ComparedJson json_of_file(const ResultFile& file) {
  return {{"path", file.path},
          {"command", file.kind == ResultFile::Kind::sweep ? "heddle sweep" : "heddle run"},
          {"version", file.version},
          {"results", file.cells.size()},
          {"complete", file.is_complete}};
}

ComparedJson json_of_common(const ResultFile& file, const Comparison& comparison) {
  ComparedJson common = ComparedJson::object();
  for (std::size_t name = 0; name < cell_names().size(); ++name) {
    const bool is_context =
        std::ranges::find(comparison.context, cell_names()[name], &ContextDifference::name) != comparison.context.end();
    if (!comparison.varies[name] && !is_context)
      common[cell_names()[name]] = json_of_value(cell_names()[name], file.cells.front().values[name]);
  }
  return common;
}

}  // namespace

Document comparison_report(const ResultFile& before, const ResultFile& now, const Comparison& comparison, double tolerance) {
  Document document = differences_of(comparison);
  const std::string line = comparison.differences.empty() ? "" : "#\n";
  document.head = break_comments(
      file_text("old", before) + file_text("new", now) + context_text(comparison) + common_text(now, comparison) + line,
      kWidth);
  document.foot = line + summary_text(comparison, tolerance);
  ComparedJson not_the_same = ComparedJson::array();
  for (const ContextDifference& of : comparison.context)
    not_the_same.push_back({{"name", of.name}, {"old", text_or_null(of.before)}, {"new", text_or_null(of.now)}});
  document.context = {{"tolerance", tolerance},
                      {"old", json_of_file(before)},
                      {"new", json_of_file(now)},
                      {"all", json_of_common(now, comparison)},
                      {"not_the_same", std::move(not_the_same)}};
  ComparedJson changes = ComparedJson::object();
  for (const auto& [change, many] : changes_of(comparison)) changes[change] = many;
  document.facts = {{"matched", comparison.matched},
                    {"unchanged", comparison.unchanged},
                    {"changes", std::move(changes)},
                    {"is_worse", comparison.is_worse()}};
  document.rows_name = "differences";
  return document;
}

}  // namespace heddle
