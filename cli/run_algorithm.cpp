// SPDX-License-Identifier: Apache-2.0
#include "cli/run_algorithm.hpp"

#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "emu/checked_run.hpp"

namespace heddle {

namespace {

std::vector<int> all_ranks(int count) {
  std::vector<int> ranks(static_cast<std::size_t>(count));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

}  // namespace

RunOutcome run_algorithm(const RunPlan& plan, const Algorithm& algorithm) {
  try {
    const CollectiveCall call = plan.call(algorithm);
    const std::vector<std::vector<int>> groups =
        plan.groups.empty() ? std::vector<std::vector<int>>{all_ranks(plan.ranks())} : plan.groups.members;
    EmulationSettings settings = plan.settings;
    auto timeline = plan.keep_timeline ? std::make_shared<Timeline>() : nullptr;
    settings.timeline = timeline.get();
    GroupsReport run = run_checked_groups(plan.fabric, plan.placement, groups, call, settings);
    RunOutcome outcome{&algorithm, std::move(run.report)};
    outcome.timeline = std::move(timeline);
    if (plan.has_contention())
      outcome.contention =
          measure_contention(plan.fabric, plan.placement, groups, call, plan.settings, run.completion, plan.alone);
    if (!plan.groups.empty()) outcome.group_completion = std::move(run.completion);
    return outcome;
  } catch (const CheckError& error) {
    return {&algorithm, Failure{error.kind(), error.what()}};
  }
}

}  // namespace heddle
