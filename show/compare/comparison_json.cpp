// SPDX-License-Identifier: Apache-2.0
#include "show/compare/comparison_json.hpp"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "core/read_number.hpp"
#include "core/version.hpp"
#include "lab/documents/fabric_report.hpp"

namespace heddle {

namespace {

using ComparedJson = nlohmann::ordered_json;

ComparedJson json_of_file(const ResultFile& file) {
  return {{"path", file.path},
          {"command", file.kind == ResultFile::Kind::sweep ? "heddle sweep" : "heddle run"},
          {"version", file.version},
          {"results", file.cells.size()},
          {"complete", file.is_complete}};
}

ComparedJson text_or_null(const std::string& text) { return text.empty() ? ComparedJson(nullptr) : ComparedJson(text); }

/// Sizes stay as people write them, which is how both files' cells are matched.
ComparedJson json_of_value(const std::string& name, const std::string& value) {
  if (name != "ranks" && name != "root") return text_or_null(value);
  const auto number = read_number<std::int64_t>(value);
  return number ? ComparedJson(*number) : text_or_null(value);
}

ComparedJson seconds_or_null(const std::optional<Time>& time) {
  return time ? ComparedJson(seconds_for_json(*time)) : ComparedJson(nullptr);
}

ComparedJson json_of_difference(const CellDifference& difference) {
  ComparedJson json = {{"change", to_string(difference.change)}};
  for (std::size_t name = 0; name < cell_names().size(); ++name)
    json[cell_names()[name]] = json_of_value(cell_names()[name], difference.values[name]);
  json["old_s"] = seconds_or_null(difference.before);
  json["new_s"] = seconds_or_null(difference.now);
  json["slowdown"] = or_null(difference.slowdown());
  json["failure"] = text_or_null(difference.failure);
  return json;
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

std::string comparison_json(const ResultFile& before, const ResultFile& now, const Comparison& comparison, double tolerance) {
  ComparedJson not_the_same = ComparedJson::array();
  for (const ContextDifference& of : comparison.context)
    not_the_same.push_back({{"name", of.name}, {"old", text_or_null(of.before)}, {"new", text_or_null(of.now)}});
  ComparedJson changes = ComparedJson::object();
  for (const CellChange change :
       {CellChange::wrong, CellChange::slower, CellChange::missing, CellChange::added, CellChange::right, CellChange::faster})
    changes[to_string(change)] = std::ranges::count(comparison.differences, change, &CellDifference::change);
  ComparedJson differences = ComparedJson::array();
  for (const CellDifference& difference : comparison.differences) differences.push_back(json_of_difference(difference));
  const ComparedJson document = {{"context",
                                  {{"version", version()},
                                   {"tolerance", tolerance},
                                   {"old", json_of_file(before)},
                                   {"new", json_of_file(now)},
                                   {"all", json_of_common(now, comparison)},
                                   {"not_the_same", std::move(not_the_same)}}},
                                 {"matched", comparison.matched},
                                 {"unchanged", comparison.unchanged},
                                 {"changes", std::move(changes)},
                                 {"is_worse", comparison.is_worse()},
                                 {"differences", std::move(differences)}};
  return document.dump(2, ' ', false, ComparedJson::error_handler_t::replace) + '\n';
}

}  // namespace heddle
