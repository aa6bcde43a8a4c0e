// SPDX-License-Identifier: Apache-2.0
#include "cli/run_command.hpp"

#include <fmt/format.h>

#include <exception>
#include <memory>
#include <numeric>
#include <ostream>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/flag_value.hpp"
#include "cli/json_reporter.hpp"
#include "cli/table_reporter.hpp"
#include "emu/checked_run.hpp"

namespace heddle {

namespace {

std::vector<int> all_ranks(int count) {
  std::vector<int> ranks(static_cast<std::size_t>(count));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

RunOutcome run_one(const RunPlan& plan, const Algorithm& algorithm) {
  try {
    const CollectiveCall call = plan.call(algorithm);
    const std::vector<std::vector<int>> groups =
        plan.groups.empty() ? std::vector<std::vector<int>>{all_ranks(plan.ranks())} : plan.groups.members;
    GroupsReport run = run_checked_groups(plan.fabric, plan.placement, groups, call, plan.settings);
    RunOutcome outcome{&algorithm, std::move(run.report)};
    if (plan.has_contention())
      outcome.contention =
          measure_contention(plan.fabric, plan.placement, groups, call, plan.settings, run.completion, plan.alone);
    if (!plan.groups.empty()) outcome.group_completion = std::move(run.completion);
    return outcome;
  } catch (const CheckError& error) {
    return {&algorithm, Failure{error.kind(), error.what()}};
  }
}

void explain(const std::vector<RunOutcome>& failed, std::ostream& err) {
  for (const RunOutcome& outcome : failed)
    err << fmt::format("heddle: {} failed: {}: {}\n", outcome.algorithm->name, to_string(outcome.failure()->kind),
                       outcome.failure()->explanation);
}

/// Opens --json's file, so that one that cannot be written is refused before the run.
std::unique_ptr<Reporter> make_json_reporter(const std::string& path, std::ostream& out) {
  if (path == "-") return std::make_unique<JsonReporter>(out);
  return std::make_unique<JsonReporter>(
      read_flag("--json", path, [](std::string_view name) { return std::make_unique<OutputFile>(std::string(name)); }));
}

}  // namespace

int execute(const RunPlan& plan, std::span<Reporter* const> reporters, std::ostream& err) {
  std::vector<RunOutcome> failed;
  std::exception_ptr stopped;
  for (Reporter* reporter : reporters) reporter->begin(plan);
  try {
    for (const Algorithm& algorithm : plan.algorithms.chosen) {
      RunOutcome outcome = run_one(plan, algorithm);
      for (Reporter* reporter : reporters) reporter->add(plan, outcome);
      if (outcome.failure() != nullptr) failed.push_back(std::move(outcome));
    }
  } catch (...) {
    stopped = std::current_exception();  // what is done must not be lost
  }
  for (Reporter* reporter : reporters) reporter->end(plan);
  explain(failed, err);
  if (stopped) std::rethrow_exception(stopped);
  return failed.empty() ? kExitOk : kExitCheckFailed;
}

int run_command(const RunOptions& options, std::ostream& out, std::ostream& err) {
  const RunPlan plan = plan_run(options);
  std::vector<std::unique_ptr<Reporter>> owned;
  if (plan.json_path != "-") owned.push_back(std::make_unique<TableReporter>(out));
  if (plan.json_path) owned.push_back(make_json_reporter(*plan.json_path, out));
  std::vector<Reporter*> reporters;
  for (const std::unique_ptr<Reporter>& reporter : owned) reporters.push_back(reporter.get());
  return execute(plan, reporters, err);
}

}  // namespace heddle
