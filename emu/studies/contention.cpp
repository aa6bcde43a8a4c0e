// SPDX-License-Identifier: Apache-2.0
#include "emu/studies/further_runs.hpp"

#include <fmt/format.h>

#include "emu/check/checked_run.hpp"
#include "heddle/errors.hpp"

namespace heddle {

namespace {

std::optional<double> ratio(Time a, Time b) {
  if (a <= Time() || b <= Time()) return std::nullopt;
  return static_cast<double>(a.ps()) / static_cast<double>(b.ps());
}

/// Whether a group is one of `most`, evenly spread over all.
bool is_chosen(std::size_t group, std::size_t groups, std::size_t most) {
  return most >= groups || (group + 1) * most / groups > group * most / groups;
}

/// The time of a group's call where nobody else is on the fabric.
Time time_alone(const Fabric& fabric, const Placement& placement, const std::vector<int>& group, CollectiveCall call,
                EmulationSettings settings, std::size_t number) {
  Placement endpoints;
  for (const int rank : group) endpoints.push_back(placement[static_cast<std::size_t>(rank)]);
  call.seed += number;  // the data that it has together
  settings.background.clear();
  settings.faults = faults_among(settings.faults, group);
  try {
    return run_checked(fabric, endpoints, call, settings).completion;
  } catch (const CheckError& error) {
    throw CheckError(error.kind(), fmt::format("group {} alone: {}", number, error.what()), error.facts());
  }
}

}  // namespace

std::optional<double> Contention::slowdown() const { return ratio(together, alone); }
std::optional<double> Contention::eta_alpha() const { return ratio(latency_together, latency_alone); }
std::optional<double> Contention::eta_beta() const { return ratio(alone - latency_alone, together - latency_together); }

std::vector<std::optional<Contention>> measure_contention(const Fabric& fabric, const Placement& placement,
                                                          const std::vector<std::vector<int>>& groups,
                                                          const std::vector<CollectiveCall>& calls,
                                                          const EmulationSettings& settings, const std::vector<Time>& together,
                                                          std::size_t most) {
  std::vector<std::optional<Contention>> measured(groups.size());
  if (most == 0) return measured;
  EmulationSettings latency_only = settings;
  latency_only.latency_only = true;
  const std::vector<Time> latency = run_checked_groups(fabric, placement, groups, calls, latency_only).completion;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (!is_chosen(g, groups.size(), most)) continue;
    measured[g] = Contention{.together = together[g],
                             .alone = time_alone(fabric, placement, groups[g], calls[g], settings, g),
                             .latency_together = latency[g],
                             .latency_alone = time_alone(fabric, placement, groups[g], calls[g], latency_only, g)};
  }
  return measured;
}

}  // namespace heddle
