// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/run_command.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <optional>
#include <ostream>
#include <utility>
#include <vector>

#include "cli/commands/commands.hpp"
#include "cli/commands/watched_runs.hpp"
#include "cli/process/interrupt.hpp"
#include "cli/process/process.hpp"
#include "core/printable.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/results/against_measured.hpp"
#include "lab/sweep/shards.hpp"
#include "lab/sweep/sweep_axes.hpp"
#include "lab/sweep/sweep_journal.hpp"
#include "lab/sweep/sweep_runner.hpp"
#include "net/study/network_ranks.hpp"
#include "show/outputs.hpp"
#include "show/reports/measured_report.hpp"
#include "show/terminal/progress.hpp"
#include "show/terminal/terminal.hpp"

namespace heddle {

namespace {

/// `processes_here`: of a spread sweep, which share the machine; 0: it is not spread.
SweepWork read_work(const SweepFlags& options, const RunFunction& run, int processes_here) {
  SweepWork work = usual_work();
  if (processes_here > 0) {
    work.workers = 1;
    work.memory = Bytes(work.memory.count() / processes_here);
  }
  if (options.jobs) work.workers = read_flag("--jobs", *options.jobs, parse_jobs);
  separate_heaps(work.workers);
  if (options.memory) work.memory = read_flag("--memory", *options.memory, parse_bytes);
  work.run = run;
  work.interruptions = [] { return InterruptGuard::count(); };
  work.patience = kPatience;
  return work;
}

/// Where no run fits, each would run alone, which is not what the flag asks for.
void require_room_for_a_run(const SweepFlags& options, const SweepWork& work, const SweepPlan& plan) {
  if (!options.memory || plan.runs.empty()) return;
  const Bytes least = std::ranges::min(plan.runs, {}, [](const PlannedRun& run) { return run.cost.memory; }).cost.memory;
  if (work.memory < least)
    throw InputError(fmt::format("--memory '{}': the smallest run of this sweep takes {}; give more, or leave --memory out",
                                 *options.memory, to_string(least)));
}

/// Before a sweep that takes long, once and also into a pipe: nothing else says for how long it will be silent.
void announce(const SweepPlan& plan, int workers, std::ostream& err) {
  std::vector<RunCost> left;
  for (const PlannedRun& run : plan.runs)
    if (!is_finished(plan.document.runs[run.run])) left.push_back(run.cost);
  if (const auto text = long_run_text(left, workers))
    err << fmt::format("heddle: {}, an estimate: {}\n", counted(std::ssize(left), "run"), *text) << std::flush;
}

/// From each other, and from the journal.
void require_outputs_apart(const std::optional<ResumedSweep>& resumed, const SweepOutputs& outputs) {
  std::vector<NamedOutput> names = outputs.names();
  if (resumed && resumed->is_journal())
    names.push_back({"--resume", resumed->path});
  else if (!outputs.first_file().empty())
    names.push_back({"the journal of finished runs", journal_path_of(outputs.first_file())});
  require_apart(names);
}

void explain_failures(const SweepDocument& document, std::ostream& err) {
  for (const SweepResult& run : document.runs)
    if (run.failure)
      err << fmt::format("heddle: {} failed on {} with {}: {}: {}\n", run.algorithm, run.fabric, to_string(Bytes(run.bytes)),
                         to_string(run.failure->kind), run.failure->explanation);
}

/// How to go on, in half a line.
std::string way_on(const SweepJournal* journal) {
  if (journal == nullptr) return "nothing but the table keeps them; --json or --csv would";
  return fmt::format("go on with: heddle sweep --resume {}", journal->path());
}

/// Writes all that there is and says what there is to say. Returns the exit status.
int finish(const SweepEnd& end, const SweepDocument& document, const SweepOutputs& outputs, SweepJournal* journal,
           std::ostream& out, std::ostream& err) {
  const std::vector<std::string> unwritten = outputs.write(document, out, columns_of(out));
  explain_failures(document, err);
  const std::string finished = fmt::format("{} of {} runs are finished", std::ranges::count_if(document.runs, is_finished),
                                           runs_of(document.shard, document.planned));
  for (const std::string& line : unwritten)
    err << fmt::format("heddle: {}{}\n", line, journal != nullptr ? "; " + way_on(journal) : "");
  if (!end.failure.empty()) err << fmt::format("heddle: {}; {}; {}\n", end.failure, finished, way_on(journal));
  const bool is_whole = is_complete(document);
  if (is_whole && unwritten.empty() && journal != nullptr) journal->remove();
  if (!end.failure.empty() && end.is_refused) return kExitBadInput;
  if (!end.failure.empty()) return kExitCheckFailed;
  if (end.is_interrupted && !is_whole) err << fmt::format("heddle: interrupted: {}; {}\n", finished, way_on(journal));
  const bool was_stopped = (end.is_interrupted && !is_whole) || (!unwritten.empty() && InterruptGuard::count() > 0);
  if (was_stopped) return InterruptGuard::exit_status();
  if (!unwritten.empty()) return kExitCheckFailed;
  return std::ranges::any_of(document.runs, [](const auto& run) { return run.failure.has_value(); }) ? kExitCheckFailed
                                                                                                     : kExitOk;
}

/// Below the table, unless standard output is taken. False: no measured run is of a call of the sweep.
bool write_measured(const MeasuredRuns& measured, const SweepDocument& document, const SweepOutputs& outputs, std::ostream& out,
                    std::ostream& err) {
  const ResultFile emulated = results_of(document, "this sweep");
  try {
    const Document report = measured_report(measured, emulated, hold_against(measured.runs, emulated));
    if (!outputs.is_standard_output_taken()) out << '\n' << report_text(report);
  } catch (const InputError& error) {
    err << fmt::format("heddle: --reference: {}\n", error.what());
    return false;
  }
  return true;
}

std::vector<MeasuredRun> runs_of(Collective collective, const MeasuredRuns& measured) {
  std::vector<MeasuredRun> runs;
  std::ranges::copy_if(measured.runs, std::back_inserter(runs),
                       [&](const MeasuredRun& run) { return run.experiment.collective == collective; });
  return runs;
}

/// What the environment says; the job array's part of each output has its number.
void take_array_shard(SweepFlags& flags, const Shard& shard) {
  flags.shard = to_string(shard);
  for (std::optional<std::string>* path : {&flags.csv, &flags.json, &flags.html, &flags.plot.plot, &flags.resume})
    if (*path) **path = path_of_part(**path, shard.index);
}

bool is_array(const SweepFlags& flags) { return flags.shard == "array"; }

Shard shard_of_environment(const SweepFlags& flags) {
  const auto variable = [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  };
  const LauncherRanks launchers = flags.spread ? LauncherRanks::are_no_parts : LauncherRanks::are_parts;
  return read_flag("--shard", *flags.shard, [&](std::string_view) { return shard_of_task(variable, launchers); });
}

/// What is to be run: flags that have been given here or that the journal holds.
struct AskedSweep {
  SweepFlags flags;
  std::optional<ResumedSweep> resumed = {};
  std::unique_ptr<CLI::App> parsed = {};  ///< the journal's words; the flags know it
};

/// With the flags of here that have no say in the results.
std::unique_ptr<CLI::App> parse_words_of(const std::vector<std::string>& words, const SweepFlags& here, SweepFlags& flags) {
  auto app = std::make_unique<CLI::App>();
  parse_sweep_words(*app, words, flags);
  if (here.jobs) flags.jobs = here.jobs;
  if (here.memory) flags.memory = here.memory;
  flags.spread = here.spread;
  return app;
}

AskedSweep asked_sweep(const SweepFlags& options) {
  AskedSweep asked{options};
  if (is_array(options)) take_array_shard(asked.flags, shard_of_environment(options));
  if (asked.flags.resume) asked.resumed = read_resumed(*asked.flags.resume);
  const bool takes_all_flags = options.run.collective().empty() && asked.resumed;
  if (!takes_all_flags) return asked;
  SweepFlags all;
  asked.parsed = parse_words_of(words_of(*asked.resumed), options, all);
  if (is_array(all)) take_array_shard(all, asked.resumed->file.document.shard);
  asked.flags = std::move(all);
  return asked;
}

/// From here on, for runs of plugins' algorithms.
void watch_plugins(const std::vector<std::string>& plugins, SweepWork& work, std::optional<WatchedRuns>& watched) {
  watched.emplace(plugins, work.workers);
  if (!plugins.empty())
    work.run = [&watched](const Setup& made, const Algorithm& algorithm) { return watched->run(made, algorithm); };
}

/// `processes`: of a spread sweep; nullptr: it is not spread.
int run_all(const SweepFlags& options, std::ostream& out, std::ostream& err, const RunFunction& run,
            SweepProcesses* processes) {
  const AskedSweep asked = asked_sweep(options);
  const SweepFlags& flags = asked.flags;
  const std::optional<ResumedSweep>& resumed = asked.resumed;
  const std::optional<MeasuredRuns> measured = read_references(flags);
  Sweep sweep = read_sweep(flags, measured);
  sweep.common.clock.interrupted = [] { return InterruptGuard::count() > 0; };
  if (processes != nullptr) processes->begin({flags.words, sweep.shard});
  SweepWork work = read_work(flags, run, processes != nullptr ? processes->processes_here() : 0);
  work.processes = processes;
  SweepPlan plan = plan_sweep(sweep);
  require_room_for_a_run(flags, work, plan);
  if (plan.variants) err << fmt::format("{}\n", tuning_text(*plan.variants, *flags.tune.read()));
  SweepOutputs outputs(flags.csv, flags.json, flags.html, [] { return InterruptGuard::count() > 0; });
  std::optional<pictures::PlotFiles> plots = flags.plot.open(over_seeds(plan.document).runs);
  if (plots && measured) plots->set_measured(runs_of(sweep.common.collective, *measured));
  outputs.add_plots(std::move(plots));
  require_outputs_apart(resumed, outputs);
  if (resumed) take_finished_runs(*resumed, plan.document);
  if (processes != nullptr) processes->agree(plan);
  const InterruptGuard guard;  // from here on, as a journal without its header could not be resumed
  std::optional<WatchedRuns> watched;
  watch_plugins(sweep.common.plugins, work, watched);
  std::optional<SweepJournal> journal = open_journal(resumed, outputs.first_file(), plan.document, flags.words);
  SweepJournal* const kept = journal ? &*journal : nullptr;
  int status = kExitOk;
  announce(plan, work.workers + (processes != nullptr ? processes->workers() : 0), err);
  SweepProgress progress(err);
  run_sweep(plan, kept, work, &progress, [&](const SweepEnd& end) {
    status = finish(end, plan.document, outputs, kept, out, err);
    if (measured && is_complete(plan.document) && !write_measured(*measured, plan.document, outputs, out, err))
      status = kExitBadInput;
    if (!end.has_abandoned) return;
    out << std::flush;
    err << std::flush;
    std::_Exit(status);  // threads are within runs that nobody waits for any more
  });
  return status;
}

/// A process of a spread sweep that is not the first, which speaks for all.
int serve(const SweepFlags& options, const RunFunction& run, ProcessMessages& messages) {
  std::unique_ptr<CLI::App> parsed;
  std::optional<InterruptGuard> guard;
  std::optional<WatchedRuns> watched;
  const auto plan = [&](const SweepCall& call) {
    SweepFlags flags;
    parsed = parse_words_of(call.words, options, flags);
    if (call.shard) flags.shard = to_string(*call.shard);
    const bool has_sizes = flags.sizes || flags.nccl_sizes.any();
    const Sweep asked = read_sweep(flags, has_sizes ? std::nullopt : read_references(flags));
    ServedSweep sweep{plan_sweep(asked), read_work(flags, run, messages.processes_here())};
    guard.emplace();
    watch_plugins(asked.common.plugins, sweep.work, watched);
    return sweep;
  };
  int status = kExitOk;
  serve_sweep(messages, plan, [&](const ServeEnd& end) {
    if (!end.failure.empty()) status = kExitCheckFailed;
    if (end.has_abandoned && end.is_interrupted) status = InterruptGuard::exit_status();
    if (end.has_abandoned) std::_Exit(status);
  });
  return status;
}

int spread_sweep(const SweepFlags& options, std::ostream& out, std::ostream& err, const RunFunction& run) {
  const std::unique_ptr<net::Transport> network =
      read_flag("--distribute", *options.spread, [](std::string_view name) { return net::open_network(name, "heddle sweep"); });
  net::NetworkMessages messages(*network);
  if (messages.rank() > 0) return serve(options, run, messages);
  SweepProcesses processes(messages);
  return run_all(options, out, err, run, &processes);
}

}  // namespace

int sweep_command(const SweepFlags& options, std::ostream& out, std::ostream& err, const RunFunction& run) {
  return options.spread ? spread_sweep(options, out, err, run) : run_all(options, out, err, run, nullptr);
}

Command add_sweep_command(CLI::App* command, const std::vector<std::string>& words) {
  const auto options = std::make_shared<SweepFlags>();
  options->words = words;
  add_sweep_flags(*command, *options);
  return {command, [options](std::ostream& out, std::ostream& err) { return sweep_command(*options, out, err); }, true};
}

}  // namespace heddle
