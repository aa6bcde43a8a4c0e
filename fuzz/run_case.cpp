// SPDX-License-Identifier: Apache-2.0
#include "fuzz/run_case.hpp"

#include <fmt/format.h>

#include <exception>

#include "emu/studies/explore.hpp"
#include "fuzz/promises.hpp"
#include "lab/experiment/run_algorithm.hpp"
#include "lab/experiment/setup.hpp"

namespace heddle {

std::vector<Algorithm> registry_copy() { return {registry().begin(), registry().end()}; }

namespace {

const Algorithm& served_by(const Setup& setup, const Experiment& what) {
  if (!setup.algorithms.left_out.empty())
    throw InputError(fmt::format("{} algorithm '{}' cannot serve the case: {}", to_string(what.collective), what.algorithm,
                                 setup.algorithms.left_out.front().reason));
  return setup.algorithms.chosen.front();
}

Report run_checked(const Setup& setup, const Algorithm& row, const EmulationSettings& settings) {
  Report report = run_call(setup, row, settings).report;
  check_promises(setup, row, report);
  return report;
}

FaultEnd end_of_right(const Faults& faults, const Report& report) {
  // A spec can be several faults: both ways of a cable.
  const std::size_t all =
      faults.links.size() + faults.ranks.size() + faults.messages.size() + (faults.unreliable ? 1 : 0) + faults.switches.size();
  return all > 0 && report.idle_faults.size() == all ? FaultEnd::never_struck : FaultEnd::right;
}

}  // namespace

Report run_case(const Experiment& what) {
  const Setup setup = set_up(what, Unfitting::left_out);
  return run_checked(setup, served_by(setup, what), setup.settings);
}

CaseEnd end_of(const Experiment& what) {
  const Setup setup = set_up(what, Unfitting::left_out);
  const Faults& faults = setup.settings.faults;
  CaseEnd end{.ranks = setup.group_sizes().front()};
  if (!faults.empty()) end.fault_kind = kind_of_faults(faults);
  try {
    end.fault_end = end_of_right(faults, run_checked(setup, served_by(setup, what), setup.settings));
  } catch (const CheckError& error) {
    end.fault_end = FaultEnd::named;
    if (faults.empty() || !names_cause(error, faults, setup.fabric.topology())) end.failure = {error.kind(), error.what()};
  } catch (const InputError& refusal) {
    end.fault_end = FaultEnd::refused;
    if (!names_cause(refusal, faults, setup.fabric.topology())) throw;
  } catch (const std::exception& error) {
    end.failure = {CheckError::Kind::exception, error.what()};
  }
  return end;
}

std::optional<Failure> failure_of(const Experiment& what) { return end_of(what).failure; }

CaseEnd explore_case(Experiment& what, const ExploreBound& bound) {
  const Setup setup = set_up(what, Unfitting::left_out);
  const Algorithm& row = served_by(setup, what);
  CaseEnd end{.ranks = setup.group_sizes().front()};
  Experiment ordered = what;
  const auto run = [&](const EmulationSettings& settings) {
    ordered.order_seed = settings.order_seed;
    ordered.order = settings.order;
    run_checked(setup, row, settings);
  };
  EmulationSettings settings = setup.settings;
  settings.order = {};
  try {
    const Exploration exploration = explore(run, settings, bound);
    if (exploration.passed()) return end;
    end.failure = exploration.failure->failure;
    for (const Deviation& delay : ordered.order.delays) end.failure->explanation += '\n' + describe(delay);
  } catch (const InputError&) {
    throw;
  } catch (const std::exception& error) {
    end.failure = {CheckError::Kind::exception, error.what()};
  }
  what = std::move(ordered);
  return end;
}

}  // namespace heddle
