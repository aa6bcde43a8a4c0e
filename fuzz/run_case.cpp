// SPDX-License-Identifier: Apache-2.0
#include "fuzz/run_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "core/nearest_name.hpp"
#include "fuzz/placed_case.hpp"

namespace heddle {

std::vector<Algorithm> registry_copy() { return {registry().begin(), registry().end()}; }

Algorithm find_row(std::span<const Algorithm> rows, Collective collective, std::string_view name) {
  const std::size_t colon = name.find_first_of(":,");
  const std::string_view bare = name.substr(0, colon);
  const auto found =
      std::ranges::find_if(rows, [&](const Algorithm& row) { return row.collective == collective && row.name == bare; });
  if (found == rows.end()) {
    std::vector<std::string_view> names;
    for (const Algorithm& row : rows) {
      if (row.collective == collective) names.push_back(row.name);
    }
    throw InputError(unknown_name_message(to_string(collective) + " algorithm", bare, names));
  }
  if (colon == std::string_view::npos) return *found;
  if (found->parameters.empty() || found->configured == nullptr)
    throw InputError(fmt::format("{} algorithm '{}' has no options", to_string(collective), bare));
  const Options options(found->parameters, name.substr(colon + 1));
  Algorithm row = found->configured(options);
  row.name = found->name + options.suffix();
  return row;
}

namespace {

void require_served(const PlacedCase& placed, const FuzzCase& what) {
  if (const std::string reason = placed.refusal(what); !reason.empty())
    throw InputError(
        fmt::format("{} algorithm '{}' cannot serve the case: {}", to_string(what.collective), what.algorithm, reason));
}

}  // namespace

Report run_fuzz_case(const FuzzCase& what, std::span<const Algorithm> rows) {
  const PlacedCase placed(what, rows);
  require_served(placed, what);
  return placed.run(what);
}

std::optional<FuzzFailure> failure_of(const FuzzCase& what, std::span<const Algorithm> rows) {
  try {
    run_fuzz_case(what, rows);
    return std::nullopt;
  } catch (const CheckError& error) {
    return FuzzFailure{to_string(error.kind()), error.what()};
  } catch (const InputError&) {
    throw;
  } catch (const std::exception& error) {
    return FuzzFailure{"exception", error.what()};
  }
}

std::optional<ExploredFailure> explore_case(const FuzzCase& what, std::span<const Algorithm> rows, const ExploreBound& bound) {
  const PlacedCase placed(what, rows);
  require_served(placed, what);
  FuzzCase scheduled = what;
  const auto run = [&](const EmulationSettings& settings) {
    scheduled.schedule_seed = settings.schedule_seed;
    scheduled.schedule = settings.schedule;
    placed.run(scheduled, settings.met_points);
  };
  EmulationSettings settings;
  settings.schedule_seed = what.schedule_seed;
  try {
    const Exploration exploration = explore(run, settings, bound);
    if (exploration.passed()) return std::nullopt;
    std::string explanation = exploration.failure->explanation;
    for (const Deviation& delay : scheduled.schedule.delays) explanation += '\n' + describe(delay);
    return ExploredFailure{scheduled, {to_string(exploration.failure->kind), std::move(explanation)}};
  } catch (const InputError&) {
    throw;
  } catch (const std::exception& error) {
    return ExploredFailure{scheduled, {"exception", error.what()}};
  }
}

}  // namespace heddle
