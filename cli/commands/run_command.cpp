// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/run_command.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <future>
#include <limits>
#include <memory>
#include <ostream>
#include <utility>
#include <vector>

#include "cli/commands/commands.hpp"
#include "cli/commands/watched_runs.hpp"
#include "cli/process/interrupt.hpp"
#include "cli/process/process.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/describe/value_lists.hpp"
#include "lab/run/tasks_ahead.hpp"
#include "show/drawing/heatmap.hpp"
#include "show/drawing/picture_file.hpp"
#include "show/page/page.hpp"
#include "show/reports/run_table.hpp"
#include "show/terminal/progress.hpp"
#include "show/terminal/terminal.hpp"
#include "show/trace/trace.hpp"

namespace heddle {

namespace {

using Clock = std::chrono::steady_clock;

/// Whether a run that has a thread of its own ends. It does not: a signal came, and a second later it still goes on, as it does
/// while a rank computes and calls nothing of its communicator.
bool ends_in_time(const std::future<Outcome>& outcome) {
  constexpr std::chrono::milliseconds kTick(20);
  std::optional<Clock::time_point> interrupted;
  while (outcome.wait_for(kTick) == std::future_status::timeout) {
    if (!interrupted && InterruptGuard::count() > 0) interrupted = Clock::now();
    if (interrupted && Clock::now() - *interrupted >= kPatience) return false;
  }
  return true;
}

/// Ends the process at once, with what was finished before: the run's thread would be waited for otherwise.
[[noreturn]] void give_up(const Setup& setup, const Algorithm& algorithm, std::span<Reporter* const> reporters,
                          std::ostream& err) {
  if (ftrylockfile(stdout) == 0) fflush_unlocked(stdout);  // a program's
  try {
    for (Reporter* reporter : reporters) reporter->end(setup);
  } catch (const std::exception& error) {
    err << fmt::format("heddle: {}\n", error.what());
  }
  err << fmt::format("heddle: interrupted; {} goes on: a rank runs without a call to its communicator{}\n", algorithm.name,
                     setup.asked.clock.is_wall ? "" : ", or data is made or checked")
      << std::flush;
  std::_Exit(InterruptGuard::exit_status());
}

void explain(const std::vector<Outcome>& failed, std::ostream& err) {
  for (const Outcome& outcome : failed) {
    const std::string who = outcome.setup->program ? "" : outcome.algorithm->name + " failed: ";
    err << fmt::format("heddle: {}{}: {}\n", who, to_string(outcome.failure()->kind), outcome.failure()->explanation);
  }
}

/// The first is what the others are held against.
std::vector<Model> models_of(const RunFlags& flags) {
  if (!flags.experiment.has("--model")) return {Experiment().model};
  return read_flag("--model", flags.experiment.text("--model"), different_models);
}

/// What repeats the run.
std::string command_of(const RunFlags& flags) {
  Experiment experiment = flags.experiment.read({"--model"});
  const std::vector<Model> models = models_of(flags);
  if (models.size() == 1) experiment.model = models.front();
  if (flags.experiment.algorithms() != "all") experiment.algorithm = flags.experiment.algorithms();
  const std::string several = models.size() > 1 ? " --model " + flags.experiment.text("--model") : "";
  return "heddle run " + experiment.text() + several;
}

/// Others' code may not be made for two runs at once, and where it ends the process, what was done before must have been shown.
/// Ranks that are kernel threads take the cores already, and nobody knows how much a timeline will take. A check of positions
/// measures what memory the process fills.
int workers_of(const Setup& setup) {
  const bool side_by_side = setup.asked.plugins.empty() && setup.settings.threads == Threads::user &&
                            !setup.asked.keep_timeline && !setup.asked.positions;
  return side_by_side && setup.planned().size() > 1 ? workers_to_be_had(0) : 1;
}

/// Of hundreds of variants nobody wants a picture each.
void require_no_pictures(const RunFlags& options, const std::optional<Tuning>& tuning) {
  const std::vector<const RunOutput*> asked = options.outputs.outputs();
  if (!tuning || asked.empty()) return;
  throw InputError(fmt::format("{} and --tune: it would be one for each variant; tune first, then draw the best by its name",
                               asked.front()->flag));
}

/// The outcomes of a setup's algorithms, made side by side, in their order.
class OutcomesAhead {
 public:
  OutcomesAhead(const Setup& setup, int workers, const RunFunction& run)
      : runs_(setup.planned()), made_(runs_.size()), ahead_(tasks(setup, run), workers, kMemory) {}

  Outcome next() {
    ahead_.wait_for_next();
    return std::move(*std::exchange(made_[next_++], std::nullopt));
  }

 private:
  /// A run that needs more has the machine for itself.
  static constexpr Bytes kMemory{std::int64_t{1} << 30};

  std::vector<AheadTask> tasks(const Setup& setup, const RunFunction& run) {
    const std::vector<Shape> shapes = setup.shapes();
    std::vector<AheadTask> tasks;
    for (std::size_t i = 0; i < made_.size(); ++i) {
      const auto [of, algorithm] = runs_[i];
      tasks.push_back({of->memory(*algorithm, shapes), [&, i] { made_[i] = run(*runs_[i].setup, *runs_[i].algorithm); }});
    }
    return tasks;
  }

  std::vector<PlannedAlgorithm> runs_;
  std::vector<std::optional<Outcome>> made_;
  std::size_t next_ = 0;
  TasksAhead ahead_;
};

}  // namespace

int execute(const Setup& setup, std::span<Reporter* const> reporters, std::ostream& err, int workers, const RunFunction& run) {
  std::vector<Outcome> failed;
  std::exception_ptr stopped;
  int stopped_status = kExitOk;
  const auto guard = setup.asked.over ? nullptr : std::make_unique<InterruptGuard>();
  for (Reporter* reporter : reporters) reporter->begin(setup);
  // Over a network this thread makes the runs: MPI may serve no other.
  const std::launch where = guard ? std::launch::async : std::launch::deferred;
  std::optional<OutcomesAhead> ahead;
  try {
    if (workers > 1 && !setup.asked.clock.is_wall) ahead.emplace(setup, workers, run);
    for (const auto [of, chosen] : setup.planned()) {
      const Algorithm& algorithm = *chosen;
      try {
        std::future<Outcome> begun = ahead ? std::async(where, &OutcomesAhead::next, &*ahead)
                                           : std::async(where, run, std::cref(*of), std::cref(algorithm));
        if (!ends_in_time(begun)) give_up(setup, algorithm, reporters, err);
        Outcome outcome = begun.get();
        for (Reporter* reporter : reporters) reporter->add(outcome);
        if (outcome.failure() != nullptr) failed.push_back(std::move(outcome));
        if (guard && InterruptGuard::count() > 0) {
          stopped_status = InterruptGuard::exit_status();
          break;
        }
      } catch (const RunStopped& error) {
        for (Reporter* reporter : reporters) reporter->add(outcome_with(*of, algorithm, error));
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
      reporter->end(setup);
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

int run_collective(const RunFlags& options, std::ostream& out, std::ostream& err) {
  const std::vector<Model> models = models_of(options);
  if (models.size() > 1 && (options.over || options.tune.what))
    throw InputError(fmt::format("--model '{}': {} goes with one model; run it once for each",
                                 options.experiment.text("--model"), options.over ? "--transport" : "--tune"));
  if (options.over) return run_over(options, out, err);
  const std::optional<Tuning> tuning = options.tune.read();
  require_no_pictures(options, tuning);
  const auto is_interrupted = [] { return InterruptGuard::count() > 0; };
  Experiment experiment = options.experiment.read({"--model"});
  experiment.clock.interrupted = is_interrupted;
  const auto under = [&](const Model& model) {
    experiment.model = model;
    Setup setup = set_up(options, experiment);
    setup.keep_sample = options.outputs.need_sample();
    return setup;
  };
  Setup setup = under(models.front());
  if (models.size() > 1) {
    std::vector<Setup> others;
    for (const Model& model : std::span(models).subspan(1)) others.push_back(under(model));
    hold_beside(setup, std::move(others));
  }
  WatchedRuns watched(setup.asked.plugins, 1);
  const auto outputs = run_outputs(setup, options.outputs, command_of(options), out, is_interrupted);
  const std::size_t columns = options.wide ? TableReporter::kWide : columns_of(out).value_or(TableReporter::kUsualWidth);
  TableReporter table(out, columns);
  BestOfRowsReporter best(table);
  WorkProgress progress(err, "runs", std::ssize(setup.planned()));
  RunProgress first(progress);
  RunProgress::Resumed last(progress);
  std::vector<Reporter*> reporters = {&first};
  if (options.outputs.json != "-") reporters.push_back(tuning ? static_cast<Reporter*>(&best) : &table);
  for (const std::unique_ptr<Reporter>& reporter : outputs) reporters.push_back(reporter.get());
  reporters.push_back(&last);
  if (tuning) err << fmt::format("{}\n", tuning_text(setup.algorithms.variants, *tuning)) << std::flush;
  const int workers = workers_of(setup);
  // Once and also into a pipe: nothing else says for how long it will be silent.
  if (const auto text = long_run_text(setup, workers))
    err << fmt::format("heddle: an estimate{}: {}\n",
                       setup.asked.clock.is_wall ? " for the virtual clock, which comes first" : "", *text)
        << std::flush;
  if (setup.asked.plugins.empty()) return execute(setup, reporters, err, workers);
  return execute(setup, reporters, err, workers,
                 [&](const Setup& made, const Algorithm& algorithm) { return watched.run(made, algorithm); });
}

void add_network_flags(CLI::App& command, RunFlags& options) {
  const FlagGroup group(command, "On a real network");
  group.add("--transport", options.over, "NETWORK",
            "Run for real, each rank a process: mpi (the one whose launcher started heddle: mpirun -n 4 heddle run …) "
            "or tcp (heddle launch -n 4 -- heddle run …); "
            "--size may then be several, 1KiB:64MiB:x4");
  group.add("--reference", options.beside, "SPEC",
            "The fabric that --transport is compared with, as --topo has it: its shape is what algorithms see; a star of all "
            "processes unless told otherwise");
}

void add_run_output_flags(CLI::App& command, RunFlags& options) {
  const FlagGroup group(command, "Output");
  group.add_switch("--explain", options.explain,
                   "Below each row: where its time went, which rounds cost most, and which messages met on which link");
  group.add_switch(
      "--wide", options.wide,
      "All columns, and lines as long as they are; otherwise lines of at most 100 columns, above which stands what all "
      "rows have in common and what there is no room for");
  group.add_json(options.outputs.json);
  group.add_with_default("--links", options.links, "N", "How many links the JSON report lists, most loaded first");
}

void add_picture_flags(CLI::App& command, RunFlags& options) {
  const FlagGroup group(command, "Pictures");
  for (const RunOutput& output : run_output_table()) {
    group.add(output.flag, options.outputs[output.flag], "PATH", output.help);
    if (!output.option.flag.empty())
      group.add(output.option.flag, options.outputs[output.option.flag], "WHAT", output.option.help);
  }
}

/// Parsing fills `options`, which must outlive `command`.
void add_flags(CLI::App& command, RunFlags& options) {
  ExperimentFlags& flags = options.experiment = ExperimentFlags(command);
  flags.add("--topo");
  flags.add("--size");
  flags.add_call();
  flags.add_group(flag_groups::kWhat);
  options.tune.add_to(command);
  for (const std::string_view group : {flag_groups::kFabric, flag_groups::kRanks, flag_groups::kOrder, flag_groups::kClock})
    flags.add_group(group);
  add_network_flags(command, options);
  flags.add_group(flag_groups::kFaults);
  flags.add_group(flag_groups::kData);
  add_run_output_flags(command, options);
  add_picture_flags(command, options);
  add_nccl_tests_flags(flags, command);
  command.footer(
      "Units: sizes 64KiB, 1.5MB, 4096 (bytes); rates 400Gbps, 900GB/s, inf; times 100ns, 0.5us, 1e-6s.\n"
      "\n"
      "Examples:\n"
      "  heddle run allreduce --topo torus:8x8 --size 1MiB --preset swing-nsdi24\n"
      "  heddle run allreduce --algo ring,rabenseifner --topo star:72 --size 64MiB --preset nvl72 --json report.json\n"
      "  heddle run allreduce --algo swing_bandwidth --topo torus:8x8 --size 1MiB --heatmap -\n"
      "  heddle run allreduce --algo recursive_doubling --topo ring:16 --size 1MiB --explain\n"
      "  heddle run allreduce --topo torus:4x4 --groups rows+columns --size 1MiB\n"
      "  heddle run allreduce --topo torus:8x8 --groups random:8,seed=3 --background '0->5@50%' --size 1MiB\n"
      "  heddle run allreduce --algo ring --topo ring:8 --size 1MiB --fault 'link:0<->1,down,at=50us' --fault rank:3,slow=2\n"
      "  heddle run allreduce --algo ring --topo ring:16 --size 4KiB --bw 100Gbps --latency 500ns --buffering 1\n"
      "  heddle run allreduce --algo ring --topo ring:4 --size 4KiB --explore 1\n"
      "  heddle run allreduce --algo ring --topo star:8 --size 1MiB --clock wall --time-scale 1000\n"
      "  heddle run allreduce --algo ring --topo star:4 --size 1MiB --bw inf --latency 0 --clock wall\n"
      "  heddle run gather --root 3 --topo torus:4x4 --size 64KiB --blocks random --out-of-place");
}

}  // namespace

Setup set_up(const RunFlags& flags, Experiment experiment) {
  if (flags.beside && !flags.over) throw InputError("--reference: nothing is compared with it; it goes with --transport");
  if (flags.experiment.has("--links") && !flags.outputs.json)
    throw InputError("--links: only the report of --json lists links; leave it out");
  flags.outputs.require_options();
  experiment.keep_timeline = flags.explain || flags.outputs.need_timeline();
  Setup setup = set_up(experiment, flags.experiment.algorithms(), flags.tune.read());
  setup.shown_links = static_cast<std::size_t>(read_flag("--links", flags.links, [](std::string_view text) {
    return parse_integer(text, 0, std::numeric_limits<LinkId>::max());
  }));
  setup.explain = flags.explain;
  return setup;
}

Command add_run_command(CLI::App* command) {
  const auto options = std::make_shared<RunFlags>();
  add_flags(*command, *options);
  return {command, [options](std::ostream& out, std::ostream& err) { return run_collective(*options, out, err); }, true};
}

}  // namespace heddle
