// SPDX-License-Identifier: Apache-2.0
#include "lab/sweep/run/sweep_clock.hpp"

#include <algorithm>

namespace heddle {

std::string SweepClock::kind_of(const PlannedRun& run) const {
  const SweepResult& result = plan_.document.runs[run.run];
  return result.algorithm + '\n' + result.fabric;
}

void SweepClock::add(const PlannedRun& run, double seconds) {
  for (Spent* spent : {&all_, &by_kind_[kind_of(run)]}) {
    spent->seconds += seconds;
    spent->cost += run.cost.seconds;
  }
}

std::optional<double> SweepClock::seconds_left() const {
  if (all_.cost == 0) return std::nullopt;
  double seconds = 0;
  double longest = 0;
  for (const PlannedRun& run : plan_.runs) {
    if (is_finished(plan_.document.runs[run.run])) continue;
    const auto kind = by_kind_.find(kind_of(run));
    const Spent& spent = kind == by_kind_.end() ? all_ : kind->second;
    const double guess = run.cost.seconds * spent.seconds / spent.cost;
    seconds += guess;
    longest = std::max(longest, guess);
  }
  return std::max(longest, seconds / workers_);
}

}  // namespace heddle
