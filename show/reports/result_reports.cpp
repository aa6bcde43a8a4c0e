// SPDX-License-Identifier: Apache-2.0
#include "show/reports/study_reports.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/printable.hpp"
#include "core/read_number.hpp"
#include "heddle/version.hpp"
#include "lab/documents/context.hpp"
#include "topo/presets/preset_file.hpp"

namespace heddle {

namespace {

using Json = nlohmann::ordered_json;

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

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

/// Sizes stay as people write them, which is how both files' cells are matched.
Json json_of_value(const std::string& name, const std::string& value) {
  if (name != "ranks" && name != "root") return text_or_null(value);
  const auto number = read_number<std::int64_t>(value);
  return number ? Json(*number) : text_or_null(value);
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

Json json_of_file(const ResultFile& file) {
  return {{"path", file.path},
          {"command", file.kind == ResultFile::Kind::sweep ? "heddle sweep" : "heddle run"},
          {"version", file.version},
          {"results", file.cells.size()},
          {"complete", file.is_complete}};
}

Json json_of_common(const ResultFile& file, const Comparison& comparison) {
  Json common = Json::object();
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
  Json not_the_same = Json::array();
  for (const ContextDifference& of : comparison.context)
    not_the_same.push_back({{"name", of.name}, {"old", text_or_null(of.before)}, {"new", text_or_null(of.now)}});
  document.context = {{"tolerance", tolerance},
                      {"old", json_of_file(before)},
                      {"new", json_of_file(now)},
                      {"all", json_of_common(now, comparison)},
                      {"not_the_same", std::move(not_the_same)}};
  Json changes = Json::object();
  for (const auto& [change, many] : changes_of(comparison)) changes[change] = many;
  document.facts = {{"matched", comparison.matched},
                    {"unchanged", comparison.unchanged},
                    {"changes", std::move(changes)},
                    {"is_worse", comparison.is_worse()}};
  document.rows_name = "differences";
  return document;
}

namespace {

struct ParameterText {
  const char* name;
  const char* key;  ///< of JSON
  const char* meaning;
};

ParameterText text_of(FabricParameter parameter) {
  switch (parameter) {
    case FabricParameter::overhead:
      return {"overhead", "overhead_s", "of each send and each receive"};
    case FabricParameter::gamma:
      return {"gamma", "gamma_s_per_byte", "of local work, per byte"};
    case FabricParameter::latency:
      return {"latency", "latency_s", "of each link"};
    case FabricParameter::bandwidth:
      return {"bandwidth", "bandwidth_Bps", "of each link, one way"};
  }
  return {};
}

std::string value_text(const FittedParameter& of) {
  if (!of.value) return of.parameter == FabricParameter::bandwidth ? "inf" : "0";
  if (of.parameter == FabricParameter::bandwidth) return to_string(Bandwidth(*of.value));
  if (of.parameter == FabricParameter::gamma) return gamma_text(*of.value);
  return to_string(Time::from_seconds(*of.value));
}

std::string percent_text(double part) { return fmt::format("{:.1f} %", 100 * part); }

/// Without a sign that nothing is behind: not -0.0.
std::string error_text(double part) { return fmt::format("{:+.1f}", std::round(1000 * part) / 10 + 0.0); }

/// What satisfies `is_meant`, each once, in the order of the runs.
template <class Of, class IsMeant>
std::vector<std::string> names_of_runs(const FabricFit& fit, Of of, IsMeant is_meant) {
  std::vector<std::string> names;
  for (const FittedRun& run : fit.runs)
    if (const std::string name = of(run); is_meant(run) && std::ranges::find(names, name) == names.end()) names.push_back(name);
  return names;
}

std::vector<std::string> algorithms_of(const FabricFit& fit, bool of_fitted) {
  return names_of_runs(
      fit, [](const FittedRun& run) { return run.run->experiment.algorithm; },
      [&](const FittedRun& run) { return run.is_fitted == of_fitted; });
}

std::vector<std::string> networks_of(const FabricFit& fit) {
  return names_of_runs(
      fit, [](const FittedRun& run) { return run.run->network; }, [](const FittedRun&) { return true; });
}

std::ptrdiff_t fitted_runs(const FabricFit& fit) { return std::ranges::count(fit.runs, true, &FittedRun::is_fitted); }

/// What was fitted, and a line for each parameter.
std::string head_text(const FabricFit& fit, const std::string& topology, const std::vector<std::string>& left_out) {
  std::string text = fmt::format("# heddle {}: speeds of {} from {} of {} measured runs ({})\n", version(), topology,
                                 fitted_runs(fit), fit.runs.size(), fmt::join(algorithms_of(fit, true), ", "));
  for (const std::string& network : networks_of(fit)) text += fmt::format("# over {}\n", network);
  for (const std::string& line : left_out) text += fmt::format("# left out: {}\n", line);
  text += "#\n";
  for (const FittedParameter& of : fit.parameters) {
    const auto [name, key, meaning] = text_of(of.parameter);
    if (of.value)
      text += fmt::format("# {:10} {:>10} {}; standard error {}\n", name, value_text(of), meaning, percent_text(of.error));
    else
      text += fmt::format("# {:10} {:>10} is taken: the runs fitted do not determine it\n", name, value_text(of));
  }
  return text + "#\n";
}

/// A row for each run, beside what it was measured to take.
Document runs_of(const FabricFit& fit) {
  Document document{.columns = {{"collective", {"collective", "", Table::Align::left}},
                                {"algorithm", {"algorithm", "", Table::Align::left}},
                                {"ranks", {"ranks", ""}, false},
                                {"bytes", {"size", "(B)", Table::Align::right, 7}},
                                for_programs("fitted"),
                                {"measured_s", {"measured", "(us)", Table::Align::right, 10}, false},
                                {"emulated_s", {"emulated", "(us)", Table::Align::right, 10}, false},
                                {"error", {"error", "(%)", Table::Align::right, 6}, false},
                                for_people({"", "", Table::Align::left})},
                    .margins = {.titles = "# ", .rows = "  "}};
  const auto time_cell = [](Time time) {
    return Document::Cell(seconds_for_json(time), fmt::format("{:.3f}", time.seconds() * 1e6));
  };
  for (const FittedRun& of : fit.runs) {
    const Experiment& call = of.run->experiment;
    document.rows.push_back({to_string(call.collective),
                             call.algorithm,
                             *call.ranks,
                             call.size.value_or(Bytes(0)).count(),
                             {of.is_fitted, ""},
                             time_cell(of.run->time),
                             time_cell(of.emulated),
                             {of.error(), error_text(of.error())},
                             of.is_fitted ? "fitted" : "predicted"});
  }
  return document;
}

std::string errors_text(const FabricFit& fit) {
  std::string text;
  const auto add = [&](const std::string& what, const FitErrors& errors) {
    text += fmt::format("# {}: off by {} in the median, {} at worst\n", what, percent_text(errors.median),
                        percent_text(errors.worst));
  };
  if (const auto errors = fit.errors(true)) add("fitted", *errors);
  const std::vector<std::string> predicted = algorithms_of(fit, false);
  for (const std::string& algorithm : predicted) add("predicted " + algorithm, *fit.errors(false, algorithm));
  if (fit.left_out)
    add("sizes left out in turn, a quarter each time, and predicted from the others", *fit.left_out);
  else if (predicted.empty())
    text += "# no run is left to be predicted: measure more algorithms, or name those to fit with --algo\n";
  else if (predicted.size() > 1)
    add("all predicted", *fit.errors(false));
  return text;
}

Json json_of_errors(const std::optional<FitErrors>& errors) {
  if (!errors) return nullptr;
  return {{"median", errors->median}, {"worst", errors->worst}};
}

}  // namespace

Document fit_report(const FabricFit& fit, const std::string& topology, const std::vector<std::string>& left_out) {
  Document document = runs_of(fit);
  document.head = head_text(fit, topology, left_out);
  document.foot = errors_text(fit);
  document.context = {{"topology", topology}, {"networks", networks_of(fit)}};
  Json parameters = Json::object();
  Json errors = Json::object();
  for (const FittedParameter& of : fit.parameters) {
    parameters[text_of(of.parameter).key] = or_null(of.value);
    errors[text_of(of.parameter).key] = of.value ? or_null(of.error) : Json(nullptr);
  }
  document.facts = {{"parameters", std::move(parameters)},
                    {"standard_errors", std::move(errors)},
                    {"runs", nullptr},
                    {"fitted", json_of_errors(fit.errors(true))},
                    {"predicted", json_of_errors(fit.errors(false))},
                    {"left_out", json_of_errors(fit.left_out)}};
  return document;
}

std::string preset_of_fit(const FabricFit& fit, const std::string& topology) {
  const std::string of =
      fmt::format("of {} over {}", fmt::join(algorithms_of(fit, true), ", "), fmt::join(networks_of(fit), "; "));
  FitRecord record{topology, fmt::format("{} of {} runs {}", fitted_runs(fit), fit.runs.size(), of), {}};
  const auto off = [](const FitErrors& errors) {
    return fmt::format("{} in the median, {} at worst", percent_text(errors.median), percent_text(errors.worst));
  };
  if (const auto errors = fit.errors(false))
    record.predicted = off(*errors);
  else if (fit.left_out)
    record.predicted = off(*fit.left_out) + ", of sizes left out in turn";
  return preset_file_text(
      fit.settings,
      fmt::format("Speeds of {} that heddle {} fitted to {} {}", topology, version(), counted(fitted_runs(fit), "run"), of),
      record);
}

}  // namespace heddle
