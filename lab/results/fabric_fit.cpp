// SPDX-License-Identifier: Apache-2.0
#include "lab/results/fabric_fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "heddle/errors.hpp"
#include "lab/run/run_algorithm.hpp"
#include "lab/run/setup.hpp"
#include "lab/run/tasks_ahead.hpp"
#include "lab/sweep/sweep_runner.hpp"
#include "topo/presets/preset_file.hpp"

namespace heddle {

namespace {

/// Each once, in the order of their first runs.
std::vector<std::string> names_in(std::span<const MeasuredRun> runs) {
  std::vector<std::string> names;
  for (const MeasuredRun& run : runs)
    if (std::ranges::find(names, run.experiment.algorithm) == names.end()) names.push_back(run.experiment.algorithm);
  return names;
}

/// Of names that may have commas themselves: "chain:segments=2,x=1,ring".
std::vector<std::string> names_of_list(std::string_view list, const std::vector<std::string>& known) {
  std::vector<std::string> names;
  while (!list.empty()) {
    std::string_view longest;
    for (const std::string& name : known)
      if (list.starts_with(name) && (list.size() == name.size() || list[name.size()] == ',') && name.size() > longest.size())
        longest = name;
    if (longest.empty())
      throw InputError(
          fmt::format("'{}': no run of it was measured; there are {}", list.substr(0, list.find(',')), fmt::join(known, ", ")));
    names.emplace_back(longest);
    list.remove_prefix(std::min(list.size(), longest.size() + 1));
  }
  return names;
}

/// What shows latency and bandwidth by themselves.
bool is_point_to_point(const MeasuredRun& run) { return run.experiment.ranks == 2 && (run.messages == 1 || run.rounds == 1); }

}  // namespace

std::vector<bool> choose_fitted(std::span<const MeasuredRun> runs, std::string_view algorithms) {
  constexpr std::size_t kUsual = 2;
  std::vector<std::string> names;
  if (algorithms.empty()) {
    std::vector<MeasuredRun> others;
    std::ranges::remove_copy_if(runs, std::back_inserter(others), is_point_to_point);
    names = names_in(others.empty() ? runs : others);
    names.resize(std::min(names.size(), kUsual));
  } else {
    names = names_of_list(algorithms, names_in(runs));
  }
  std::vector<bool> fitted;
  for (const MeasuredRun& run : runs)
    fitted.push_back(std::ranges::find(names, run.experiment.algorithm) != names.end() ||
                     (algorithms.empty() && is_point_to_point(run)));
  return fitted;
}

namespace {

/// Enough for all blocks of an algorithm to be there; time on the wire is that of the full size.
constexpr Bytes kPayload(1 << 20);

/// While values are searched for: blocks that do not divide take another time by one part in 10,000, less than noise is told apart.
constexpr Bytes kSearchPayload(1 << 16);

/// Some of the parameters and their values' logarithms: none becomes negative, and steps are parts of a value.
struct Candidate {
  std::vector<FabricParameter> parameters;
  std::vector<double> logs;

  /// No value: it is not among them.
  std::optional<double> value(FabricParameter parameter) const {
    const auto found = std::ranges::find(parameters, parameter);
    if (found == parameters.end()) return std::nullopt;
    return std::exp(logs[static_cast<std::size_t>(found - parameters.begin())]);
  }
  Candidate without(FabricParameter parameter) const {
    Candidate fewer;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (parameters[i] == parameter) continue;
      fewer.parameters.push_back(parameters[i]);
      fewer.logs.push_back(logs[i]);
    }
    return fewer;
  }
};

/// `value` gives each parameter's, or none.
template <class Value>
FabricSettings settings_with(const Value& value) {
  FabricSettings settings;
  const std::optional<double> bandwidth = value(FabricParameter::bandwidth);
  settings.tiers = {{.bandwidth = bandwidth ? Bandwidth(*bandwidth) : Bandwidth::unlimited(),
                     .latency = Time::from_seconds(value(FabricParameter::latency).value_or(0))}};
  settings.send_overhead = Time::from_seconds(value(FabricParameter::overhead).value_or(0));
  settings.recv_overhead = settings.send_overhead;
  settings.gamma = value(FabricParameter::gamma).value_or(0);
  return settings;
}

FabricSettings settings_of(const Candidate& candidate) {
  return settings_with([&](FabricParameter parameter) { return candidate.value(parameter); });
}

FabricSettings settings_of(const std::vector<FittedParameter>& parameters) {
  return settings_with(
      [&](FabricParameter parameter) { return std::ranges::find(parameters, parameter, &FittedParameter::parameter)->value; });
}

/// As a preset's file says it.
double rounded(FabricParameter parameter, double value) {
  if (parameter == FabricParameter::bandwidth) return parse_bandwidth(to_string(Bandwidth(value))).bytes_per_second();
  if (parameter == FabricParameter::gamma) return parse_seconds(gamma_text(value));
  return parse_time(to_string(Time::from_seconds(value))).seconds();
}

/// What a run is on a fabric.
struct EmulatedRun {
  Time time;
  int rounds = 1;  ///< at most by any rank
  Bytes sent;      ///< by the rank that sends most
};

/// The runs on one topology, whatever its speeds.
class Emulations {
 public:
  Emulations(std::shared_ptr<const Topology> topology, std::shared_ptr<const std::vector<Algorithm>> own)
      : topology_(std::move(topology)), own_(std::move(own)) {}

  /// Side by side; in the order of the runs.
  std::vector<EmulatedRun> emulate(const std::vector<const MeasuredRun*>& runs, const FabricSettings& settings,
                                   Bytes payload) const {
    std::vector<EmulatedRun> emulated(runs.size());
    const SweepWork work = usual_work();
    std::vector<BudgetedTask> tasks;
    for (std::size_t i = 0; i < runs.size(); ++i)
      tasks.push_back({.first = static_cast<double>(runs[i]->messages), .memory = payload * 4, .work = [&, i] {
                         emulated[i] = emulate(*runs[i], settings, payload);
                       }});
    run_within_budget(std::move(tasks), work.workers, work.memory, [] { return false; });
    return emulated;
  }

 private:
  EmulatedRun emulate(const MeasuredRun& run, const FabricSettings& settings, Bytes payload) const {
    Experiment experiment = run.experiment;
    experiment.fabric.topology = topology_->spec();
    experiment.payload = payload;
    experiment.own = own_;
    Outcome outcome;
    try {
      const Setup setup = set_up(experiment, experiment.algorithm, Fabric(topology_, settings));
      outcome = run_algorithm(setup, setup.algorithms.chosen.front());
    } catch (const ResourceError&) {
      throw;
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: {}", run.place, error.what()));
    }
    if (const Failure* failure = outcome.failure())
      throw CheckError(failure->kind, fmt::format("{}: {}", run.place, failure->explanation));
    const Report& report = *outcome.report();
    return {report.completion, std::max(1, report.rounds_max()), report.sent_max()};
  }

  std::shared_ptr<const Topology> topology_;
  std::shared_ptr<const std::vector<Algorithm>> own_;
};

/// A run, and its rounds and bytes, which are the same at all speeds.
struct RunToFit {
  const MeasuredRun* run;
  EmulatedRun shape;
};

/// Near enough for the first step: the least time of a round, and the greatest rate that a rank sent at.
Candidate first_guess(const std::vector<RunToFit>& runs) {
  double round = runs.front().run->time.seconds();
  double rate = 0;
  for (const RunToFit& one : runs) {
    const double seconds = one.run->time.seconds();
    round = std::min(round, seconds / one.shape.rounds);
    rate = std::max(rate, static_cast<double>(one.shape.sent.count()) / seconds);
  }
  Candidate guess;
  const auto add = [&](FabricParameter parameter, double value) {
    guess.parameters.push_back(parameter);
    guess.logs.push_back(std::log(value));
  };
  add(FabricParameter::overhead, round / 8);
  if (rate > 0) add(FabricParameter::gamma, 0.1 / rate);
  add(FabricParameter::latency, round / 4);
  if (rate > 0) add(FabricParameter::bandwidth, rate * 1.2);
  return guess;
}

struct Fitted {
  Candidate candidate;
  LeastSquares squares;
};

class FabricFitter {
 public:
  FabricFitter(const Emulations& emulations, const std::vector<RunToFit>& runs)
      : emulations_(emulations), guess_(first_guess(runs)) {
    for (const RunToFit& one : runs) runs_.push_back(one.run);
  }

  /// With the parameters that the runs determine.
  Fitted fit() const {
    Candidate guess = guess_;
    // Of as many runs as parameters, any would do.
    while (guess.parameters.size() >= runs_.size()) guess = guess.without(guess.parameters.front());
    Fitted best = fit(std::move(guess));
    while (best.candidate.parameters.size() > 1) {
      std::optional<Fitted> simpler = without_undetermined(best);
      if (!simpler) break;
      best = std::move(*simpler);
    }
    return best;
  }

  /// The variance of a residual.
  double noise(const Fitted& fitted) const {
    // Below it the differences are those of rounding.
    constexpr double kLeast = 1e-8;
    const auto free = static_cast<double>(runs_.size() - fitted.candidate.parameters.size());
    return std::max(fitted.squares.sum / free, kLeast);
  }

 private:
  Fitted fit(Candidate start) const {
    constexpr double kStep = 1e-3;
    constexpr double kLongest = 1.5;
    const auto residuals = [&](const std::vector<double>& logs) {
      const std::vector<EmulatedRun> emulated =
          emulations_.emulate(runs_, settings_of({start.parameters, logs}), kSearchPayload);
      std::vector<double> differences;
      for (std::size_t i = 0; i < emulated.size(); ++i)
        differences.push_back(std::log(static_cast<double>(std::max<std::int64_t>(1, emulated[i].time.ps())) /
                                       static_cast<double>(runs_[i]->time.ps())));
      return differences;
    };
    LeastSquares squares = least_squares(residuals, start.logs, kStep, kLongest);
    return {.candidate = {start.parameters, squares.x}, .squares = squares};
  }

  /// The fit without the first parameter that it hardly needs: an F test at about one in a hundred.
  std::optional<Fitted> without_undetermined(const Fitted& fitted) const {
    constexpr double kSignificant = 10;
    for (const FabricParameter parameter : fitted.candidate.parameters) {
      Fitted simpler = fit(fitted.candidate.without(parameter));
      if (simpler.squares.sum - fitted.squares.sum < kSignificant * noise(fitted)) return simpler;
    }
    return std::nullopt;
  }

  const Emulations& emulations_;
  Candidate guess_;
  std::vector<const MeasuredRun*> runs_;
};

/// All of them; `noise` is the variance of a residual.
std::vector<FittedParameter> parameters_of(const Fitted& fitted, double noise) {
  std::vector<FittedParameter> parameters;
  for (const FabricParameter parameter : kFabricParameters) {
    FittedParameter& of = parameters.emplace_back(FittedParameter{parameter, fitted.candidate.value(parameter)});
    if (!of.value) continue;
    const auto place = std::ranges::find(fitted.candidate.parameters, parameter) - fitted.candidate.parameters.begin();
    of.value = rounded(parameter, *of.value);
    of.error = std::sqrt(noise * fitted.squares.spread[static_cast<std::size_t>(place)]);
  }
  return parameters;
}

/// That the topology is the one that was measured.
void require_ranks(const Topology& topology, std::span<const MeasuredRun> runs) {
  std::set<int> counts;
  for (const MeasuredRun& run : runs) {
    counts.insert(*run.experiment.ranks);
    if (*run.experiment.ranks > topology.endpoints())
      throw InputError(fmt::format("--topo {}: {} endpoints, and the run at {} has {} ranks", topology.spec(),
                                   topology.endpoints(), run.place, *run.experiment.ranks));
  }
  if (!counts.contains(topology.endpoints()))
    throw InputError(fmt::format("--topo {}: {} endpoints, and no run has as many ranks; runs have {}", topology.spec(),
                                 topology.endpoints(), fmt::join(counts, ", ")));
}

}  // namespace

double FittedRun::error() const { return static_cast<double>(emulated.ps()) / static_cast<double>(run->time.ps()) - 1; }

namespace {

/// With signs. No value: there are none.
std::optional<FitErrors> errors_of(std::vector<double> errors) {
  if (errors.empty()) return std::nullopt;
  for (double& error : errors) error = std::abs(error);
  std::ranges::sort(errors);
  return FitErrors{.median = (errors[(errors.size() - 1) / 2] + errors[errors.size() / 2]) / 2, .worst = errors.back()};
}

}  // namespace

std::optional<FitErrors> FabricFit::errors(bool of_fitted, std::string_view algorithm) const {
  std::vector<double> errors;
  for (const FittedRun& run : runs)
    if (run.is_fitted == of_fitted && (algorithm.empty() || run.run->experiment.algorithm == algorithm))
      errors.push_back(run.error());
  return errors_of(std::move(errors));
}

namespace {

struct FittedSpeeds {
  std::vector<FittedParameter> parameters;
  FabricSettings settings;
};

FittedSpeeds fit_speeds(const Emulations& emulations, const std::vector<RunToFit>& runs) {
  const FabricFitter fitter(emulations, runs);
  const Fitted best = fitter.fit();
  FittedSpeeds speeds{parameters_of(best, fitter.noise(best)), {}};
  speeds.settings = settings_of(speeds.parameters);
  return speeds;
}

/// How far sizes are off that a fit is not given: each part of the runs is predicted from the others. Sizes that are next to each
/// other are in different parts. No value: too few sizes.
std::optional<FitErrors> errors_of_left_out(const Emulations& emulations, const std::vector<RunToFit>& runs) {
  constexpr std::size_t kParts = 4;
  std::set<Bytes> sizes;
  for (const RunToFit& one : runs) sizes.insert(one.run->experiment.size.value_or(Bytes(0)));
  if (sizes.size() < 2 * kParts) return std::nullopt;
  std::vector<double> errors;
  for (std::size_t part = 0; part < kParts; ++part) {
    std::vector<RunToFit> given;
    std::vector<const MeasuredRun*> left_out;
    for (const RunToFit& one : runs) {
      const auto place = std::distance(sizes.begin(), sizes.find(one.run->experiment.size.value_or(Bytes(0))));
      if (static_cast<std::size_t>(place) % kParts == part)
        left_out.push_back(one.run);
      else
        given.push_back(one);
    }
    const std::vector<EmulatedRun> predicted =
        emulations.emulate(left_out, fit_speeds(emulations, given).settings, kSearchPayload);
    for (std::size_t i = 0; i < left_out.size(); ++i)
      errors.push_back(FittedRun{left_out[i], false, predicted[i].time}.error());
  }
  return errors_of(std::move(errors));
}

}  // namespace

FabricFit fit_fabric(std::shared_ptr<const Topology> topology, std::span<const MeasuredRun> runs,
                     const std::vector<bool>& fitted, std::shared_ptr<const std::vector<Algorithm>> own) {
  constexpr std::size_t kFewest = 3;
  require_ranks(*topology, runs);
  std::vector<const MeasuredRun*> all;
  for (const MeasuredRun& run : runs) all.push_back(&run);
  const Emulations emulations(std::move(topology), std::move(own));
  // Refuses what cannot be, before the rest takes its time.
  const std::vector<EmulatedRun> shapes = emulations.emulate(all, {}, kPayload);
  std::vector<RunToFit> chosen;
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (fitted[i]) chosen.push_back({all[i], shapes[i]});
  if (chosen.size() < kFewest)
    throw InputError(fmt::format("{} runs to fit, and {} are needed: measure more sizes, or name more algorithms with --algo",
                                 chosen.size(), kFewest));
  FittedSpeeds speeds = fit_speeds(emulations, chosen);
  FabricFit fit{.parameters = std::move(speeds.parameters), .settings = speeds.settings, .runs = {}};
  const std::vector<EmulatedRun> emulated = emulations.emulate(all, fit.settings, kPayload);
  for (std::size_t i = 0; i < all.size(); ++i) fit.runs.push_back({all[i], fitted[i], emulated[i].time});
  if (chosen.size() == all.size()) fit.left_out = errors_of_left_out(emulations, chosen);
  return fit;
}

namespace {

using Matrix = std::vector<std::vector<double>>;

double sum_of_squares(const std::vector<double>& values) {
  return std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
}

/// By part of x, then by residual.
Matrix jacobian(const Residuals& residuals, const std::vector<double>& x, const std::vector<double>& at_x, double step) {
  Matrix columns;
  for (std::size_t j = 0; j < x.size(); ++j) {
    std::vector<double> moved = x;
    moved[j] += step;
    std::vector<double> column = residuals(moved);
    for (std::size_t i = 0; i < column.size(); ++i) column[i] = (column[i] - at_x[i]) / step;
    columns.push_back(std::move(column));
  }
  return columns;
}

/// JᵀJ.
Matrix normal_matrix(const Matrix& columns) {
  Matrix normal(columns.size(), std::vector<double>(columns.size()));
  for (std::size_t j = 0; j < columns.size(); ++j)
    for (std::size_t k = 0; k < columns.size(); ++k)
      normal[j][k] = std::inner_product(columns[j].begin(), columns[j].end(), columns[k].begin(), 0.0);
  return normal;
}

/// Marquardt's: the diagonal grows by a factor, so that the units of x's parts have no say.
std::vector<double> damped_step(Matrix normal, const Matrix& columns, const std::vector<double>& residuals, double damping,
                                double longest) {
  std::vector<double> downhill;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    normal[j][j] += damping * std::max(normal[j][j], 1e-12);
    downhill.push_back(-std::inner_product(columns[j].begin(), columns[j].end(), residuals.begin(), 0.0));
  }
  std::vector<double> step = solve_positive(std::move(normal), std::move(downhill));
  for (double& part : step) part = std::clamp(part, -longest, longest);
  return step;
}

std::vector<double> diagonal_of_inverse(const Matrix& normal) {
  std::vector<double> diagonal;
  for (std::size_t j = 0; j < normal.size(); ++j) {
    std::vector<double> unit(normal.size());
    unit[j] = 1;
    const std::vector<double> column = solve_positive(normal, std::move(unit));
    diagonal.push_back(column.empty() ? std::numeric_limits<double>::infinity() : column[j]);
  }
  return diagonal;
}

}  // namespace

std::vector<double> solve_positive(Matrix a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t j = 0; j < n; ++j) {  // a = L·Lᵀ; L takes the lower half
    const double before = a[j][j];
    for (std::size_t k = 0; k < j; ++k) a[j][j] -= a[j][k] * a[j][k];
    if (!(a[j][j] > 1e-13 * before)) return {};
    a[j][j] = std::sqrt(a[j][j]);
    for (std::size_t i = j + 1; i < n; ++i) {
      for (std::size_t k = 0; k < j; ++k) a[i][j] -= a[i][k] * a[j][k];
      a[i][j] /= a[j][j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= a[k][i] * b[k];
    b[i] /= a[i][i];
  }
  return b;
}

LeastSquares least_squares(const Residuals& residuals, std::vector<double> start, double step, double longest) {
  constexpr int kMostSteps = 100;
  constexpr double kMostDamping = 1e9;
  constexpr double kSettled = 1e-9;  // of the sum
  LeastSquares best{.x = std::move(start), .residuals = {}, .sum = 0, .spread = {}};
  best.residuals = residuals(best.x);
  best.sum = sum_of_squares(best.residuals);
  double damping = 1e-3;
  Matrix columns = jacobian(residuals, best.x, best.residuals, step);
  for (int i = 0; i < kMostSteps && damping < kMostDamping; ++i) {
    const std::vector<double> move = damped_step(normal_matrix(columns), columns, best.residuals, damping, longest);
    std::vector<double> x = best.x;
    for (std::size_t j = 0; j < move.size(); ++j) x[j] += move[j];
    std::vector<double> there = residuals(x);
    const double sum = sum_of_squares(there);
    if (!(sum < best.sum)) {
      damping *= 10;
      continue;
    }
    const bool is_settled = best.sum - sum <= kSettled * best.sum;
    best.x = std::move(x);
    best.residuals = std::move(there);
    best.sum = sum;
    damping = std::max(damping / 10, 1e-9);
    columns = jacobian(residuals, best.x, best.residuals, step);
    if (is_settled) break;
  }
  best.spread = diagonal_of_inverse(normal_matrix(columns));
  return best;
}

}  // namespace heddle
