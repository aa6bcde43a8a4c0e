// SPDX-License-Identifier: Apache-2.0
#include "lab/fit/fabric_fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "core/errors.hpp"
#include "lab/experiment/run_algorithm.hpp"
#include "lab/experiment/setup.hpp"
#include "lab/fit/least_squares.hpp"
#include "lab/sweep/run/sweep_runner.hpp"
#include "lab/work/budgeted_tasks.hpp"
#include "topo/presets/preset_file.hpp"

namespace heddle {

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

/// The runs on one topology, whatever its speeds.
class Emulations {
 public:
  Emulations(std::shared_ptr<const Topology> topology, std::shared_ptr<const std::vector<Algorithm>> own)
      : topology_(std::move(topology)), own_(std::move(own)) {}

  /// Side by side; in the order of the runs.
  std::vector<Time> times(const std::vector<const MeasuredRun*>& runs, const FabricSettings& settings, Bytes payload) const {
    std::vector<Time> times(runs.size());
    const SweepWork work = usual_work();
    std::vector<BudgetedTask> tasks;
    for (std::size_t i = 0; i < runs.size(); ++i)
      tasks.push_back({.first = static_cast<double>(runs[i]->messages), .memory = payload * 4, .work = [&, i] {
                         times[i] = time(*runs[i], settings, payload);
                       }});
    run_within_budget(std::move(tasks), work.workers, work.memory, [] { return false; });
    return times;
  }

 private:
  Time time(const MeasuredRun& run, const FabricSettings& settings, Bytes payload) const {
    Experiment experiment = run.experiment;
    experiment.fabric.topology = topology_->spec();
    experiment.payload = payload;
    experiment.own = own_;
    Outcome outcome;
    try {
      const Setup plan = set_up(experiment, experiment.algorithm, Fabric(topology_, settings));
      outcome = run_algorithm(plan, plan.algorithms.chosen.front());
    } catch (const ResourceError&) {
      throw;
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: {}", run.place, error.what()));
    }
    if (const Failure* failure = outcome.failure())
      throw CheckError(failure->kind, fmt::format("{}: {}", run.place, failure->explanation));
    return outcome.report()->completion;
  }

  std::shared_ptr<const Topology> topology_;
  std::shared_ptr<const std::vector<Algorithm>> own_;
};

/// Near enough for the first step: the least time of a round, and the greatest rate that a rank sent at.
Candidate first_guess(const std::vector<const MeasuredRun*>& runs) {
  double round = runs.front()->time.seconds();
  double rate = 0;
  for (const MeasuredRun* run : runs) {
    round = std::min(round, run->time.seconds() / run->rounds);
    rate = std::max(rate, static_cast<double>(run->sent.count()) / run->time.seconds());
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
  FabricFitter(const Emulations& emulations, std::vector<const MeasuredRun*> runs)
      : emulations_(emulations), runs_(std::move(runs)) {}

  /// With the parameters that the runs determine.
  Fitted fit() const {
    Candidate guess = first_guess(runs_);
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
      const std::vector<Time> times = emulations_.times(runs_, settings_of({start.parameters, logs}), kSearchPayload);
      std::vector<double> differences;
      for (std::size_t i = 0; i < times.size(); ++i)
        differences.push_back(
            std::log(static_cast<double>(std::max<std::int64_t>(1, times[i].ps())) / static_cast<double>(runs_[i]->time.ps())));
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

std::optional<FitErrors> FabricFit::errors(bool of_fitted, std::string_view algorithm) const {
  std::vector<double> errors;
  for (const FittedRun& run : runs)
    if (run.is_fitted == of_fitted && (algorithm.empty() || run.run->experiment.algorithm == algorithm))
      errors.push_back(std::abs(run.error()));
  if (errors.empty()) return std::nullopt;
  std::ranges::sort(errors);
  return FitErrors{.median = (errors[(errors.size() - 1) / 2] + errors[errors.size() / 2]) / 2, .worst = errors.back()};
}

FabricFit fit_fabric(std::shared_ptr<const Topology> topology, std::span<const MeasuredRun> runs,
                     const std::vector<bool>& fitted, std::shared_ptr<const std::vector<Algorithm>> own) {
  constexpr std::size_t kFewest = 3;
  require_ranks(*topology, runs);
  std::vector<const MeasuredRun*> all;
  std::vector<const MeasuredRun*> chosen;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    all.push_back(&runs[i]);
    if (fitted[i]) chosen.push_back(&runs[i]);
  }
  const Emulations emulations(std::move(topology), std::move(own));
  emulations.times(all, {}, kPayload);  // refuses what cannot be, before the rest takes its time
  if (chosen.size() < kFewest)
    throw InputError(fmt::format("{} runs to fit, and {} are needed: measure more sizes, or name more algorithms with --algo",
                                 chosen.size(), kFewest));
  const FabricFitter fitter(emulations, std::move(chosen));
  const Fitted best = fitter.fit();

  FabricFit fit;
  fit.parameters = parameters_of(best, fitter.noise(best));
  fit.settings = settings_of(fit.parameters);
  const std::vector<Time> times = emulations.times(all, fit.settings, kPayload);
  for (std::size_t i = 0; i < all.size(); ++i) fit.runs.push_back({all[i], fitted[i], times[i]});
  return fit;
}

}  // namespace heddle
