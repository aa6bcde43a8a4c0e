// SPDX-License-Identifier: Apache-2.0
#include "fuzz/run_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "emu/studies/explore.hpp"
#include "fuzz/placed_case.hpp"

namespace heddle {

std::vector<Algorithm> registry_copy() { return {registry().begin(), registry().end()}; }

namespace {

void require_served(const PlacedCase& placed, const FuzzCase& what) {
  if (const std::string reason = placed.refusal(what); !reason.empty())
    throw InputError(
        fmt::format("{} algorithm '{}' cannot serve the case: {}", to_string(what.collective), what.algorithm, reason));
}

Report run_placed(const PlacedCase& placed, const FuzzCase& what) {
  require_served(placed, what);
  return placed.run(what);
}

FaultEnd end_of_right(const FuzzCase& what, const PlacedCase& placed, const Report& report) {
  // A spec can be several faults: both ways of a cable.
  const std::size_t faults = placed.faults().links.size() + placed.faults().ranks.size() + placed.faults().messages.size() +
                             (placed.faults().unreliable ? 1 : 0) + placed.faults().switches.size();
  return !what.faults.empty() && report.idle_faults.size() == faults ? FaultEnd::never_struck : FaultEnd::right;
}

FuzzEnd end_of_placed(const PlacedCase& placed, const FuzzCase& what) {
  FuzzEnd end;
  if (!what.faults.empty()) end.fault_kind = kind_of_faults(placed.faults());
  try {
    end.fault_end = end_of_right(what, placed, run_placed(placed, what));
  } catch (const CheckError& error) {
    end.fault_end = FaultEnd::named;
    if (what.faults.empty() || !names_cause(error, placed.faults(), placed.topology()))
      end.failure = FuzzFailure{to_string(error.kind()), error.what()};
  } catch (const InputError& refusal) {
    end.fault_end = FaultEnd::refused;
    if (!names_cause(refusal, placed.faults(), placed.topology())) throw;
  } catch (const std::exception& error) {
    end.failure = FuzzFailure{"exception", error.what()};
  }
  return end;
}

}  // namespace

Report run_fuzz_case(const FuzzCase& what, std::span<const Algorithm> rows) { return run_placed(PlacedCase(what, rows), what); }

FuzzEnd end_of(const FuzzCase& what, std::span<const Algorithm> rows) { return end_of_placed(PlacedCase(what, rows), what); }

std::optional<FuzzFailure> failure_of(const FuzzCase& what, std::span<const Algorithm> rows) {
  return end_of(what, rows).failure;
}

std::optional<ExploredFailure> explore_case(const FuzzCase& what, std::span<const Algorithm> rows, const ExploreBound& bound) {
  const PlacedCase placed(what, rows);
  require_served(placed, what);
  FuzzCase ordered = what;
  const auto run = [&](const EmulationSettings& settings) {
    ordered.order_seed = settings.order_seed;
    ordered.order = settings.order;
    placed.run(ordered, settings.met_points);
  };
  EmulationSettings settings;
  settings.order_seed = what.order_seed;
  try {
    const Exploration exploration = explore(run, settings, bound);
    if (exploration.passed()) return std::nullopt;
    std::string explanation = exploration.failure->explanation;
    for (const Deviation& delay : ordered.order.delays) explanation += '\n' + describe(delay);
    return ExploredFailure{ordered, {to_string(exploration.failure->kind), std::move(explanation)}};
  } catch (const InputError&) {
    throw;
  } catch (const std::exception& error) {
    return ExploredFailure{ordered, {"exception", error.what()}};
  }
}

}  // namespace heddle
