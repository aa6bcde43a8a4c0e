// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/running/run_command.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <future>
#include <memory>
#include <optional>
#include <ostream>
#include <thread>
#include <utility>
#include <vector>

#include "cli/commands/commands.hpp"
#include "cli/commands/running/run_over.hpp"
#include "cli/commands/running/watched_runs.hpp"
#include "cli/flags/read_experiment.hpp"
#include "cli/flags/run_flags.hpp"
#include "cli/process/exit_status.hpp"
#include "cli/process/interrupt.hpp"
#include "core/errors.hpp"
#include "lab/experiment/run_algorithm.hpp"
#include "lab/work/run_cost.hpp"
#include "lab/work/tasks_ahead.hpp"
#include "lab/work/thread_supply.hpp"
#include "show/document/json_reporter.hpp"
#include "show/document/reporter.hpp"
#include "show/drawing/heatmap.hpp"
#include "show/drawing/picture_file.hpp"
#include "show/page/run_page.hpp"
#include "show/reports/run_table.hpp"
#include "show/terminal/run_progress.hpp"
#include "show/terminal/terminal.hpp"
#include "show/trace/trace.hpp"

namespace heddle {

namespace {

using Clock = std::chrono::steady_clock;

/// What was begun in a thread of its own. No value: a signal came, and a second later it still goes on, as it does while a rank
/// computes and calls nothing of its communicator. Its thread is left to itself then: the process must end at once.
std::optional<Outcome> run_until_interrupted(const Setup& plan, const Algorithm& algorithm, const RunFunction& run) {
  constexpr std::chrono::milliseconds kTick(20);
  std::packaged_task<Outcome()> task([&] { return run(plan, algorithm); });
  std::future<Outcome> outcome = task.get_future();
  std::thread thread(std::move(task));
  std::optional<Clock::time_point> interrupted;
  while (outcome.wait_for(kTick) != std::future_status::ready) {
    if (!interrupted && InterruptGuard::count() > 0) interrupted = Clock::now();
    if (!interrupted || Clock::now() - *interrupted < kPatience) continue;
    thread.detach();
    return std::nullopt;
  }
  thread.join();
  return outcome.get();
}

/// Ends the process, with what was finished before.
[[noreturn]] void give_up(const Setup& plan, const Algorithm& algorithm, std::span<Reporter* const> reporters,
                          std::ostream& err) {
  try {
    for (Reporter* reporter : reporters) reporter->end(plan);
  } catch (const OutputError& error) {
    err << fmt::format("heddle: {}\n", error.what());
  }
  err << fmt::format("heddle: interrupted; {} goes on: a rank runs without a call to its communicator\n", algorithm.name)
      << std::flush;
  std::_Exit(InterruptGuard::exit_status());
}

void explain(const std::vector<Outcome>& failed, std::ostream& err) {
  for (const Outcome& outcome : failed)
    err << fmt::format("heddle: {} failed: {}: {}\n", outcome.algorithm->name, to_string(outcome.failure()->kind),
                       outcome.failure()->explanation);
}

/// What repeats the run.
std::string command_of(const RunOptions& options) {
  Experiment experiment = read_experiment(options);
  experiment.algorithm = options.algorithms == "all" ? "" : options.algorithms;
  return "heddle run " + experiment.text();
}

/// Others' code may not be made for two runs at once, and where it ends the process, what was done before must have been shown.
/// Ranks that are kernel threads take the cores already, and nobody knows how much a timeline will take.
int workers_of(const RunOptions& options, const Setup& plan) {
  const bool side_by_side = options.plugins.empty() && plan.settings.threads == Threads::user && !plan.keep_timeline;
  return side_by_side && plan.algorithms.chosen.size() > 1 ? workers_to_be_had(0) : 1;
}

/// Of hundreds of variants nobody wants a picture each.
void require_no_pictures(const RunOptions& options, const std::optional<Tuning>& tuning) {
  if (!tuning || (!options.outputs.heatmap && !options.outputs.trace && !options.outputs.html)) return;
  throw InputError(fmt::format("{} and --tune: it would be one for each variant; tune first, then draw the best by its name",
                               options.outputs.heatmap ? "--heatmap"
                               : options.outputs.trace ? "--trace"
                                                       : "--html"));
}

}  // namespace

namespace {

/// The rows of a plan under the virtual clock, in their order.
class Outcomes {
 public:
  Outcomes(const Setup& plan, int workers, const RunFunction& run)
      : made_(plan.algorithms.chosen.size()), ahead_(tasks(plan, run), workers, kMemory) {}

  Outcome next() {
    std::optional<Outcome>& outcome = made_[next_++];
    ahead_.wait_for_next();
    return std::move(*std::exchange(outcome, std::nullopt));
  }

 private:
  /// A run that needs more has the machine for itself.
  static constexpr Bytes kMemory{std::int64_t{1} << 30};

  std::vector<AheadTask> tasks(const Setup& plan, const RunFunction& run) {
    const std::vector<Shape> shapes = plan.shapes();
    std::vector<AheadTask> tasks;
    for (std::size_t i = 0; i < made_.size(); ++i) {
      const Algorithm& algorithm = plan.algorithms.chosen[i];
      tasks.push_back(
          {plan.memory(algorithm, shapes), [this, &plan, &algorithm, &run, i] { made_[i] = run(plan, algorithm); }});
    }
    return tasks;
  }

  std::vector<std::optional<Outcome>> made_;
  std::size_t next_ = 0;
  TasksAhead ahead_;
};

}  // namespace

int execute(const Setup& plan, std::span<Reporter* const> reporters, std::ostream& err, int workers, const RunFunction& run) {
  std::vector<Outcome> failed;
  std::exception_ptr stopped;
  int stopped_status = kExitOk;
  // Under the virtual clock Ctrl-C ends the process, as ever.
  const auto guard = plan.clock.is_wall && !plan.over ? std::make_unique<InterruptGuard>() : nullptr;
  for (Reporter* reporter : reporters) reporter->begin(plan);
  std::optional<Outcomes> outcomes;
  try {
    outcomes.emplace(plan, plan.clock.is_wall ? 1 : workers, run);
    for (const Algorithm& algorithm : plan.algorithms.chosen) {
      try {
        std::optional<Outcome> ended = guard ? run_until_interrupted(plan, algorithm, run) : std::optional(outcomes->next());
        if (!ended) give_up(plan, algorithm, reporters, err);
        Outcome& outcome = *ended;
        for (Reporter* reporter : reporters) reporter->add(plan, outcome);
        if (outcome.failure() != nullptr) failed.push_back(std::move(outcome));
        if (guard && InterruptGuard::count() > 0) {
          stopped_status = InterruptGuard::exit_status();
          break;
        }
      } catch (const RunStopped& error) {
        for (Reporter* reporter : reporters) reporter->add_stopped(plan, algorithm, error);
        err << fmt::format("heddle: {} was {}\n", algorithm.name, error.what());
        stopped_status = error.reason() == RunStopped::Reason::interrupted ? InterruptGuard::exit_status() : kExitCheckFailed;
        if (error.reason() == RunStopped::Reason::interrupted) break;
      }
    }
  } catch (...) {
    stopped = std::current_exception();  // what is done must not be lost
  }
  for (Reporter* reporter : reporters) {
    try {
      reporter->end(plan);
    } catch (const OutputError&) {
      if (!stopped) stopped = std::current_exception();
    }
  }
  explain(failed, err);
  if (stopped) std::rethrow_exception(stopped);
  if (stopped_status != kExitOk) return stopped_status;
  return failed.empty() ? kExitOk : kExitCheckFailed;
}

namespace {

int run_collective(const RunOptions& options, std::ostream& out, std::ostream& err) {
  if (options.over) return run_over(options, out, err);
  const std::optional<Tuning> tuning = read_tuning(options);
  require_no_pictures(options, tuning);
  const auto is_interrupted = [] { return InterruptGuard::count() > 0; };
  Setup plan = set_up(options);
  plan.keep_sample = options.outputs.html.has_value();
  plan.clock.interrupted = is_interrupted;
  WatchedRuns watched(options.plugins, 1);
  const RunOutputs outputs(plan, options.outputs, options.outputs.html ? command_of(options) : "", out, is_interrupted);
  const std::size_t columns = options.wide ? TableReporter::kWide : columns_of(out).value_or(TableReporter::kUsualWidth);
  TableReporter table(out, columns);
  BestOfRowsReporter best(table);
  WorkProgress progress(err, "runs", std::ssize(plan.algorithms.chosen));
  RunProgress first(progress);
  RunProgress::Resumed last(progress);
  std::vector<Reporter*> reporters = {&first};
  if (options.outputs.json != "-") reporters.push_back(tuning ? static_cast<Reporter*>(&best) : &table);
  for (const std::unique_ptr<Reporter>& reporter : outputs.reporters()) reporters.push_back(reporter.get());
  reporters.push_back(&last);
  if (tuning) err << fmt::format("{}\n", tuning_text(plan.algorithms.variants, *tuning)) << std::flush;
  const int workers = workers_of(options, plan);
  // Once and also into a pipe: nothing else says for how long it will be silent.
  if (const auto text = long_run_text(plan, workers))
    err << fmt::format("heddle: an estimate{}: {}\n", plan.clock.is_wall ? " for the virtual clock, which comes first" : "",
                       *text)
        << std::flush;
  return execute(plan, reporters, err, workers,
                 [&](const Setup& made, const Algorithm& algorithm) { return watched.run(made, algorithm); });
}

}  // namespace

Command add_run_command(CLI::App& app) {
  const auto options = std::make_shared<RunOptions>();
  const CLI::App* command = add_run_command(app, *options);
  return {command, [options](std::ostream& out, std::ostream& err) { return run_collective(*options, out, err); }, true};
}

}  // namespace heddle
