// SPDX-License-Identifier: Apache-2.0
#include "show/reports/fit_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>
#include <vector>

#include "core/version.hpp"
#include "lab/documents/fabric_report.hpp"
#include "show/document/table.hpp"
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

void print_parameters(const FabricFit& fit, std::ostream& out) {
  for (const FittedParameter& of : fit.parameters) {
    const auto [name, key, meaning] = text_of(of.parameter);
    if (of.value)
      out << fmt::format("# {:10} {:>10} {}; standard error {}\n", name, value_text(of), meaning, percent_text(of.error));
    else
      out << fmt::format("# {:10} {:>10} is taken: the runs fitted do not determine it\n", name, value_text(of));
  }
}

Table table_of(const FabricFit& fit) {
  Table table({{"collective", "", Table::Align::left},
               {"algorithm", "", Table::Align::left},
               {"ranks", ""},
               {"size", "(B)", Table::Align::right, 7},
               {"measured", "(us)", Table::Align::right, 10},
               {"emulated", "(us)", Table::Align::right, 10},
               {"error", "(%)", Table::Align::right, 6},
               {"", "", Table::Align::left}});
  for (const FittedRun& run : fit.runs) {
    table.fit(0, to_string(run.run->experiment.collective));
    table.fit(1, run.run->experiment.algorithm);
    table.fit(3, fmt::format("{}", run.run->experiment.size.value_or(Bytes(0)).count()));
  }
  return table;
}

void print_runs(const FabricFit& fit, std::ostream& out) {
  const Table table = table_of(fit);
  out << "# " << table.titles() << "\n# " << table.units() << '\n';
  for (const FittedRun& of : fit.runs) {
    const Experiment& call = of.run->experiment;
    const std::vector<std::string> cells = {std::string(to_string(call.collective)),
                                            call.algorithm,
                                            fmt::format("{}", *call.ranks),
                                            fmt::format("{}", call.size.value_or(Bytes(0)).count()),
                                            fmt::format("{:.3f}", of.run->time.seconds() * 1e6),
                                            fmt::format("{:.3f}", of.emulated.seconds() * 1e6),
                                            error_text(of.error()),
                                            of.is_fitted ? "fitted" : "predicted"};
    out << "  " << table.row(cells) << '\n';
  }
}

void print_errors(const FabricFit& fit, std::ostream& out) {
  const auto print = [&](const std::string& what, const FitErrors& errors) {
    out << fmt::format("# {}: off by {} in the median, {} at worst\n", what, percent_text(errors.median),
                       percent_text(errors.worst));
  };
  if (const auto errors = fit.errors(true)) print("fitted", *errors);
  const std::vector<std::string> predicted = algorithms_of(fit, false);
  for (const std::string& algorithm : predicted) print("predicted " + algorithm, *fit.errors(false, algorithm));
  if (predicted.empty())
    out << "# no run is left to be predicted: measure more algorithms, or name those to fit with --algo\n";
  else if (predicted.size() > 1)
    print("all predicted", *fit.errors(false));
}

FitJson json_of_errors(const std::optional<FitErrors>& errors) {
  if (!errors) return nullptr;
  return {{"median", errors->median}, {"worst", errors->worst}};
}

}  // namespace

void print_fit(const FabricFit& fit, const std::string& topology, std::ostream& out) {
  out << fmt::format("# heddle {}: speeds of {} from {} of {} measured runs ({})\n", version(), topology, fitted_runs(fit),
                     fit.runs.size(), fmt::join(algorithms_of(fit, true), ", "));
  for (const std::string& network : networks_of(fit)) out << fmt::format("# over {}\n", network);
  out << "#\n";
  print_parameters(fit, out);
  out << "#\n";
  print_runs(fit, out);
  print_errors(fit, out);
}

std::string json_of_fit(const FabricFit& fit, const std::string& topology) {
  FitJson parameters = FitJson::object();
  FitJson errors = FitJson::object();
  for (const FittedParameter& of : fit.parameters) {
    parameters[text_of(of.parameter).key] = or_null(of.value);
    errors[text_of(of.parameter).key] = of.value ? or_null(of.error) : FitJson(nullptr);
  }
  FitJson runs = FitJson::array();
  for (const FittedRun& of : fit.runs) {
    const Experiment& call = of.run->experiment;
    runs.push_back({{"collective", to_string(call.collective)},
                    {"algorithm", call.algorithm},
                    {"ranks", *call.ranks},
                    {"bytes", call.size.value_or(Bytes(0)).count()},
                    {"fitted", of.is_fitted},
                    {"measured_s", seconds_for_json(of.run->time)},
                    {"emulated_s", seconds_for_json(of.emulated)},
                    {"error", of.error()}});
  }
  const FitJson document = {{"context", {{"version", version()}, {"topology", topology}, {"networks", networks_of(fit)}}},
                            {"parameters", std::move(parameters)},
                            {"standard_errors", std::move(errors)},
                            {"runs", std::move(runs)},
                            {"fitted", json_of_errors(fit.errors(true))},
                            {"predicted", json_of_errors(fit.errors(false))}};
  return document.dump(2, ' ', false, FitJson::error_handler_t::replace) + '\n';
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
