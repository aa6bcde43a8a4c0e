// SPDX-License-Identifier: Apache-2.0
#include "algorithms/hierarchical/phase_candidates.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "algorithms/hierarchical/hierarchical_phases.hpp"
#include "algorithms/hierarchical/phase_plan.hpp"
#include "core/errors.hpp"

namespace heddle {

using schedule::Hierarchy;

namespace {

constexpr std::string_view kInner = "inner";
constexpr std::string_view kMiddle = "middle";

/// The place of the level that an option is for; no value: the hierarchy has none.
std::optional<int> level_of(std::string_view option, int levels) {
  if (option == kInner) return levels > 1 ? std::optional(0) : std::nullopt;
  if (option == kMiddle) return levels > 2 ? std::optional(1) : std::nullopt;
  return levels > 1 ? std::optional(levels - 1) : std::nullopt;
}

/// The composed algorithm with one option that is not at its default.
class Composed {
 public:
  Composed(Collective whole, std::span<const Parameter> parameters, std::string_view option, std::string_view value,
           const Shape& shape)
      : phases_(whole, Options(parameters, value.empty() ? "" : fmt::format("{}={}", option, value))),
        plan_(whole, phases_, shape) {}

  const PhasePlan& plan() const { return plan_; }

 private:
  HierarchicalPhases phases_;
  PhasePlan plan_;
};

/// Rows of that name, one for each collective; empty if one has none.
std::vector<const Algorithm*> rows_named(std::string_view name, const std::vector<Collective>& collectives) {
  std::vector<const Algorithm*> rows;
  for (const Collective collective : collectives) {
    const std::vector<const Algorithm*> all = algorithms_of(collective);
    const auto row = std::ranges::find(all, name, &Algorithm::name);
    if (row == all.end()) return {};
    rows.push_back(*row);
  }
  return rows;
}

/// Names that all of these collectives know, as the first one lists them. A phase is not composed itself.
std::vector<std::string> common_names(const std::vector<Collective>& collectives) {
  std::vector<std::string> names;
  for (const Algorithm* row : algorithms_of(collectives.front()))
    if (row->name != "hierarchical" && !rows_named(row->name, collectives).empty()) names.push_back(row->name);
  return names;
}

bool is_known(std::string_view name, const std::vector<Collective>& collectives) {
  try {
    for (const Collective collective : collectives) find_algorithm(collective, name);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

/// "chain/segments=8": with each value that tuning would try of one of the row's own options.
std::vector<std::string> with_own_options(const std::string& name, const std::vector<Collective>& collectives,
                                          const Shape& shape) {
  std::vector<std::string> texts;
  for (const Parameter& parameter : rows_named(name, collectives).front()->parameters) {
    if (parameter.candidates == nullptr) continue;
    for (const std::string& value : parameter.candidates(shape)) {
      const std::string option = fmt::format("{}={}", parameter.name, value);
      if (value != parameter.default_value && is_known(name + ':' + option, collectives)) texts.push_back(name + '/' + option);
    }
  }
  return texts;
}

}  // namespace

std::vector<std::string> phase_candidates(Collective whole, std::span<const Parameter> parameters, std::string_view level,
                                          const Shape& shape) {
  const Composed by_default(whole, parameters, level, "", shape);
  const int levels = by_default.plan().levels();
  const std::optional<int> place = level_of(level, levels);
  if (!place) return {};
  Shape largest;
  for (const Phase& phase : by_default.plan().phases())
    if (phase.level == *place && phase.shape.ranks > largest.ranks) largest = phase.shape;
  if (largest.ranks == 1) return {};

  const std::vector<Collective> collectives = collectives_on(whole, *place + 1 == levels);
  std::vector<std::pair<double, std::string>> promises;
  for (const std::string& name : common_names(collectives)) {
    const Composed composed(whole, parameters, level, name, shape);
    const PhasePlan& plan = composed.plan();
    if (!plan.refusal(ReduceOp::sum()).empty()) continue;
    promises.emplace_back(plan.rounds() * shape.cost.latency + static_cast<double>(plan.bytes()) * shape.cost.seconds_per_byte,
                          name);
  }
  std::ranges::stable_sort(promises, {}, &std::pair<double, std::string>::first);

  std::vector<std::string> candidates;
  for (const auto& [seconds, name] : promises) candidates.push_back(name);
  if (level == kMiddle) return candidates;
  for (const auto& [seconds, name] : promises) {
    for (std::string& text : with_own_options(name, collectives, largest)) candidates.push_back(std::move(text));
  }
  return candidates;
}

std::vector<std::string> tier_candidates(const Shape& shape) {
  std::vector<std::string> values;
  for (int levels = Hierarchy(shape.tiers, shape.ranks, std::numeric_limits<int>::max()).levels() - 1; levels > 1; --levels)
    values.push_back(std::to_string(levels));
  return values;
}

}  // namespace heddle
