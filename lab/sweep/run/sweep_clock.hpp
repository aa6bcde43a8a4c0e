// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "lab/sweep/sweep_plan.hpp"

namespace heddle {

/// How far a sweep is. What is left is guessed from how long each algorithm took on the same fabric, and for one that has not
/// ended yet from its cost. Not thread-safe.
class SweepClock {
 public:
  SweepClock(const SweepPlan& plan, int workers) : plan_(plan), workers_(workers) {}

  void add(const PlannedRun& run, double seconds);
  /// Of the runs without a result, in seconds, run by all workers; no value before the first has ended.
  std::optional<double> seconds_left() const;

 private:
  struct Spent {
    double seconds = 0;
    double cost = 0;
  };
  std::string kind_of(const PlannedRun& run) const;

  const SweepPlan& plan_;
  int workers_;
  Spent all_;
  std::unordered_map<std::string, Spent> by_kind_;
};

}  // namespace heddle
