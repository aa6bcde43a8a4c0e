// SPDX-License-Identifier: Apache-2.0
#include "cli/claims/lab.hpp"

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <CLI/App.hpp>
#include <utility>

#include "cli/run_algorithm.hpp"
#include "cli/run_options.hpp"
#include "cli/run_plan.hpp"
#include "cli/side_by_side.hpp"
#include "core/errors.hpp"

namespace heddle::claims {

namespace {

RunPlan plan_of(const std::string& arguments) {
  RunOptions options;
  CLI::App app;
  add_run_command(app, options);
  try {
    app.parse("run " + arguments);
  } catch (const CLI::ParseError& error) {
    throw InputError(fmt::format("heddle run {}: {}", arguments, error.what()));
  }
  RunPlan plan = plan_run(options);
  if (plan.algorithms.chosen.size() != 1) throw InputError(fmt::format("heddle run {}: --algo must name one", arguments));
  return plan;
}

std::shared_ptr<const Report> measure(const std::string& arguments) {
  const RunPlan plan = plan_of(arguments);
  RunOutcome outcome = run_algorithm(plan, plan.algorithms.chosen.front());
  if (const Failure* failure = outcome.failure())
    throw CheckError(failure->kind, fmt::format("heddle run {}: {}", arguments, failure->explanation));
  return std::make_shared<const Report>(std::get<Report>(std::move(outcome.result)));
}

}  // namespace

const Report& Lab::run(const std::string& arguments) {
  std::promise<std::shared_ptr<const Report>> promise;
  Result result;
  bool is_mine = false;
  {
    const std::lock_guard lock(mutex_);
    Result& known = results_[arguments];
    if (!known.valid()) {
      known = promise.get_future().share();
      is_mine = true;
    }
    result = known;
  }
  if (is_mine) {
    try {
      // Isolated: a thread that waits within a run for the run's own parts must not take up another claim meanwhile, which
      // might ask for this very run.
      promise.set_value(tbb::this_task_arena::isolate([&] { return measure(arguments); }));
    } catch (...) {
      promise.set_exception(std::current_exception());
    }
  }
  return *result.get();
}

double Lab::microseconds(const std::string& arguments) { return static_cast<double>(run(arguments).completion.ps()) / 1e6; }

void Lab::prepare(const std::vector<std::string>& arguments) {
  tbb::this_task_arena::isolate([&] { side_by_side(arguments.size(), [&](std::size_t i) { run(arguments[i]); }); });
}

}  // namespace heddle::claims
