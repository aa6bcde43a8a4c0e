// SPDX-License-Identifier: Apache-2.0
// The calls of all groups of a plan at once, in the row of one algorithm.
#pragma once

#include <numeric>
#include <vector>

#include "emu/check/checked_run.hpp"
#include "emu/studies/contention.hpp"
#include "emu/studies/run_to_run.hpp"
#include "lab/run/setup.hpp"

namespace heddle {

/// Not for several threads at once. The plan outlives it.
class CallOfGroups {
 public:
  CallOfGroups(const Setup& plan, const Algorithm& algorithm)
      : plan_(plan),
        groups_(groups_of(plan)),
        calls_(calls_of_groups(plan, algorithm)),
        runs_(plan_.fabric, plan_.placement, groups_, calls_) {}
  CallOfGroups(const CallOfGroups&) = delete;
  CallOfGroups& operator=(const CallOfGroups&) = delete;

  /// Checked, and held against the usual order of events (RunToRun).
  GroupsReport run(const EmulationSettings& settings) { return runs_.run(settings); }
  /// Checked, under these settings alone.
  GroupsReport run_once(const EmulationSettings& settings) const {
    return run_checked_groups(plan_.fabric, plan_.placement, groups_, calls_, settings);
  }
  std::vector<Time> run_in_memory() const {
    return run_checked_in_memory(plan_.fabric, plan_.placement, calls_.front(), plan_.settings.buffering);
  }
  /// For real, with all elements.
  std::vector<Time> run_over(ProcessRanks& processes) const {
    CollectiveCall call = calls_.front();
    call.held = call.count;
    return processes.run(call);
  }
  /// `together`: by group, how long it took.
  auto contention(const std::vector<Time>& together, const EmulationSettings& settings) const {
    return measure_contention(plan_.fabric, plan_.placement, groups_, calls_, settings, together, plan_.asked.alone);
  }

 private:
  static std::vector<std::vector<int>> groups_of(const Setup& plan) {
    if (!plan.groups.empty()) return plan.groups.members;
    std::vector<int> all(static_cast<std::size_t>(plan.ranks()));
    std::iota(all.begin(), all.end(), 0);
    return {all};
  }

  const Setup& plan_;
  std::vector<std::vector<int>> groups_;
  std::vector<CollectiveCall> calls_;  ///< by group
  RunToRun runs_;
};

}  // namespace heddle
