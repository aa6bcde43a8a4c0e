// SPDX-License-Identifier: Apache-2.0
#include "cli/run_command.hpp"

#include <fmt/format.h>

#include <exception>
#include <memory>
#include <ostream>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/flag_value.hpp"
#include "cli/json_reporter.hpp"
#include "cli/pictures/heatmap_reporter.hpp"
#include "cli/pictures/trace_reporter.hpp"
#include "cli/run_algorithm.hpp"
#include "cli/sweep/interrupt.hpp"
#include "cli/table_reporter.hpp"
#include "core/errors.hpp"

namespace heddle {

namespace {

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

/// Lays the picture out and opens its files, so that what cannot be drawn or written is refused before the run.
std::unique_ptr<Reporter> make_heatmap_reporter(const RunPlan& plan, std::ostream& out) {
  const std::string& path = *plan.heatmap_path;
  if (path == "-" && plan.json_path == "-")
    throw InputError("--heatmap -: standard output takes the JSON report of --json - already; name a file for one of them");
  if (path == "-") return std::make_unique<pictures::TextHeatmapReporter>(out);
  return read_flag("--heatmap", path, [&](std::string_view name) -> std::unique_ptr<Reporter> {
    if (!name.ends_with(".svg"))
      throw InputError(fmt::format("'{}': a picture's file ends in .svg; - writes letters to standard output", name));
    return std::make_unique<pictures::SvgHeatmapReporter>(plan, path);
  });
}

std::unique_ptr<Reporter> make_trace_reporter(const RunPlan& plan) {
  return read_flag("--trace", *plan.trace_path, [&](std::string_view name) {
    if (name == "-") throw InputError("'-': a trace is a file; try trace.json");
    return std::make_unique<pictures::TraceReporter>(plan, std::string(name));
  });
}

}  // namespace

int execute(const RunPlan& plan, std::span<Reporter* const> reporters, std::ostream& err) {
  std::vector<RunOutcome> failed;
  std::exception_ptr stopped;
  int stopped_status = kExitOk;
  // Under the virtual clock Ctrl-C ends the process, as ever.
  const auto guard = plan.clock.is_wall ? std::make_unique<InterruptGuard>() : nullptr;
  for (Reporter* reporter : reporters) reporter->begin(plan);
  try {
    for (const Algorithm& algorithm : plan.algorithms.chosen) {
      try {
        RunOutcome outcome = run_algorithm(plan, algorithm);
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
  for (Reporter* reporter : reporters) reporter->end(plan);
  explain(failed, err);
  if (stopped) std::rethrow_exception(stopped);
  if (stopped_status != kExitOk) return stopped_status;
  return failed.empty() ? kExitOk : kExitCheckFailed;
}

int run_command(const RunOptions& options, std::ostream& out, std::ostream& err) {
  const RunPlan plan = plan_run(options);
  std::vector<std::unique_ptr<Reporter>> owned;
  const std::size_t columns = options.wide ? TableReporter::kWide : TableReporter::kUsualWidth;
  if (plan.json_path != "-") owned.push_back(std::make_unique<TableReporter>(out, columns));
  if (plan.json_path) owned.push_back(make_json_reporter(*plan.json_path, out));
  if (plan.heatmap_path) owned.push_back(make_heatmap_reporter(plan, out));
  if (plan.trace_path) owned.push_back(make_trace_reporter(plan));
  std::vector<Reporter*> reporters;
  for (const std::unique_ptr<Reporter>& reporter : owned) reporters.push_back(reporter.get());
  return execute(plan, reporters, err);
}

}  // namespace heddle
