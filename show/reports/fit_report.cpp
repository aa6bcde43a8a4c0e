// SPDX-License-Identifier: Apache-2.0
#include "show/reports/study_reports.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "heddle/version.hpp"
#include "lab/documents/fabric_report.hpp"
#include "topo/presets/preset_file.hpp"

namespace heddle {

namespace {

using FitJson = nlohmann::ordered_json;

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
std::string head_text(const FabricFit& fit, const std::string& topology) {
  std::string text = fmt::format("# heddle {}: speeds of {} from {} of {} measured runs ({})\n", version(), topology,
                                 fitted_runs(fit), fit.runs.size(), fmt::join(algorithms_of(fit, true), ", "));
  for (const std::string& network : networks_of(fit)) text += fmt::format("# over {}\n", network);
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
  if (predicted.empty())
    text += "# no run is left to be predicted: measure more algorithms, or name those to fit with --algo\n";
  else if (predicted.size() > 1)
    add("all predicted", *fit.errors(false));
  return text;
}

FitJson json_of_errors(const std::optional<FitErrors>& errors) {
  if (!errors) return nullptr;
  return {{"median", errors->median}, {"worst", errors->worst}};
}

}  // namespace

Document fit_report(const FabricFit& fit, const std::string& topology) {
  Document document = runs_of(fit);
  document.head = head_text(fit, topology);
  document.foot = errors_text(fit);
  document.context = {{"topology", topology}, {"networks", networks_of(fit)}};
  FitJson parameters = FitJson::object();
  FitJson errors = FitJson::object();
  for (const FittedParameter& of : fit.parameters) {
    parameters[text_of(of.parameter).key] = or_null(of.value);
    errors[text_of(of.parameter).key] = of.value ? or_null(of.error) : FitJson(nullptr);
  }
  document.facts = {{"parameters", std::move(parameters)},
                    {"standard_errors", std::move(errors)},
                    {"runs", nullptr},
                    {"fitted", json_of_errors(fit.errors(true))},
                    {"predicted", json_of_errors(fit.errors(false))}};
  return document;
}

std::string preset_of_fit(const FabricFit& fit, const std::string& topology) {
  const std::string of =
      fmt::format("of {} over {}", fmt::join(algorithms_of(fit, true), ", "), fmt::join(networks_of(fit), "; "));
  FitRecord record{topology, fmt::format("{} of {} runs {}", fitted_runs(fit), fit.runs.size(), of), {}};
  if (const auto errors = fit.errors(false))
    record.predicted = fmt::format("{} in the median, {} at worst", percent_text(errors->median), percent_text(errors->worst));
  return preset_file_text(
      fit.settings, fmt::format("Speeds of {} that heddle {} fitted to {} runs {}", topology, version(), fitted_runs(fit), of),
      record);
}

}  // namespace heddle
