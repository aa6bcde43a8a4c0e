// SPDX-License-Identifier: Apache-2.0
// `heddle mpirun`: a whole MPI program on emulated ranks, in virtual time.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/commands/commands.hpp"
#include "cli/commands/explored_program.hpp"
#include "cli/commands/run_command.hpp"
#include "cli/flags/experiment_flags.hpp"
#include "cli/process/held_output.hpp"
#include "cli/process/interrupt.hpp"
#include "cli/process/process.hpp"
#include "core/printable.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/run/run_algorithm.hpp"
#include "mpi/compiler/compiler_call.hpp"
#include "mpi/run/chosen_algorithm.hpp"
#include "mpi/run/function_algorithm.hpp"
#include "mpi/run/program_ranks.hpp"
#include "show/outputs.hpp"
#include "show/reports/program_report.hpp"

namespace heddle {

namespace {

struct MpirunOptions {
  ExperimentFlags run = {};
  int ranks = 1;
  std::string collectives = "auto";
  std::optional<std::string> eager_limit = {};
  std::string compute = "none";
  RunOutputTexts outputs = {};
  bool report = false;
  bool explain = false;
  bool guards_heap = false;
  bool synchronizes_collectives = false;
  CLI::App* command = nullptr;
  std::vector<std::string> words = {};  ///< of the command line
};

/// By how much a measured second counts; no value: computing takes no time.
std::optional<double> read_compute(std::string_view text) {
  constexpr std::string_view kMeasured = "measured";
  if (text == "none") return std::nullopt;
  if (text == kMeasured) return 1;
  if (text.starts_with("measured:")) return parse_factor(text.substr(kMeasured.size() + 1));
  throw InputError(fmt::format("'{}': none, measured, or measured:FACTOR as in measured:0.5", text));
}

// ---- a program that ends the process ----

// What a function for exit() can reach is global.
pid_t process_that_runs = 0;  ///< 0: none

/// Neither a library's exit() nor one in a thread of the program is the end of a rank: nobody would hear of the others.
void say_what_ended() {
  if (process_that_runs != getpid()) return;
  HeldOutput::let_through();
  std::fflush(nullptr);
  constexpr std::string_view kLine =
      "heddle: ended: the program has ended the process of all ranks: it called exit() in a library, in a constructor or on a "
      "thread of its own\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kLine.data(), kLine.size());
  _exit(kExitCheckFailed);
}

class ProgramEndGuard {
 public:
  ProgramEndGuard() {
    [[maybe_unused]] static const int registered = std::atexit(say_what_ended);
    process_that_runs = getpid();
  }
  ProgramEndGuard(const ProgramEndGuard&) = delete;
  ProgramEndGuard& operator=(const ProgramEndGuard&) = delete;
  ~ProgramEndGuard() { process_that_runs = 0; }
};

// ---- the run ----

/// What repeats a run under an order that was explored: what was given, with the order in place of --explore.
std::string command_of(const MpirunOptions& options, const FailingOrder& failing) {
  const std::size_t own = options.words.size() - options.command->remaining().size();
  std::vector<std::string> words = {"heddle", options.words.front()};
  for (std::size_t i = 1; i < options.words.size(); ++i) {
    const std::string& word = options.words[i];
    if (i < own && word.starts_with("--explore")) {
      if (word == "--explore") ++i;
      continue;
    }
    words.push_back(word);
  }
  std::string text = mpi::shell_text(words);
  if (const std::string order = failing.arguments(); !order.empty())
    text.insert(std::string("heddle mpirun").size(), " " + order);
  return text;
}

/// The ranks of one program, made anew for each run.
class ProgramRuns {
 public:
  ProgramRuns(const Setup& setup, const MpirunOptions& options)
      : setup_(setup), options_(options), chosen_(options.collectives), settings_(settings()) {
    ranks_ = std::make_unique<mpi::ProgramRanks>(settings_);
    if (setup_.asked.explore) require_repeatable();
  }

  /// As execute() calls it.
  Outcome run() {
    const ProgramSpec program{.run = [this](Communicator& communicator) { ranks_->run(communicator); },
                              .name = settings_.path,
                              .check = [this] { ranks_->check(); },
                              .begin =
                                  [this] {
                                    if (std::exchange(is_used_, true)) ranks_ = std::make_unique<mpi::ProgramRanks>(settings_);
                                    if (setup_.asked.explore) go_back_in_input();
                                  },
                              .explored =
                                  [this](const FailingOrder& order, const std::function<void()>& once) {
                                    explored_.run(order, [&] {
                                      once();
                                      return ranks_->exit_status();
                                    });
                                  },
                              .command = [this](const FailingOrder& failing) { return command_of(options_, failing); }};
    Outcome outcome = heddle::run(setup_, program);
    std::fflush(nullptr);
    if (outcome.report() != nullptr) outcome.program = program_outcome();
    if (outcome.exploration && outcome.exploration->passed())
      explored_lines_.push_back("no check failed under " + outcome.exploration->covered());
    for (std::string& line : differences()) explored_lines_.push_back(std::move(line));
    return outcome;
  }

  /// What exploring orders has found, where nothing is wrong.
  const std::vector<std::string>& explored_lines() const { return explored_lines_; }

  /// What the last run ended with, and what is to be said of it.
  const mpi::ProgramRanks& ranks() const { return *ranks_; }
  std::optional<int> abort_code() { return ranks_->world().abort_code(); }
  /// Of one that has failed.
  std::vector<std::string> notes() {
    std::vector<std::string> all = ranks_->world().take_left_out();
    for (std::string& note : ranks_->world().notes()) all.push_back(std::move(note));
    return all;
  }
  std::vector<std::string> breaches() { return ranks_->world().breaches(); }

 private:
  mpi::ProgramSettings settings() const {
    mpi::ProgramSettings settings{.path = setup_.program->path,
                                  .arguments = setup_.program->arguments,
                                  .ranks = options_.ranks,
                                  // Of thousands of runs each gives back what the program has not freed.
                                  .guards_heap = options_.guards_heap || setup_.asked.explore};
    settings.world.algorithm = [this](Collective collective, const Shape& shape, const ReduceOp* op) -> const Algorithm& {
      return chosen_(collective, shape, op);
    };
    settings.world.processor_name = [this](int rank) {
      return setup_.fabric.topology().vertex_name(setup_.placement[static_cast<std::size_t>(rank)]);
    };
    if (options_.eager_limit)
      settings.world.eager_limit = read_flag("--eager-limit", *options_.eager_limit, parse_bytes).count();
    settings.world.synchronizes_collectives = options_.synchronizes_collectives;
    settings.world.compute_factor = read_flag("--compute", options_.compute, read_compute);
    settings.world.counts_calls = options_.report || options_.outputs.json || options_.outputs["--html"];
    return settings;
  }

  ProgramOutcome program_outcome() {
    mpi::World& world = ranks_->world();
    ProgramOutcome outcome{
        .exit_status = ranks_->exit_status(), .checks = {}, .calls = world.counted(), .notes = world.notes()};
    outcome.checks = {"deadlock", "length and type of messages", "order of collectives",    "arguments",
                      "buffers",  "ready and buffered sends",    "messages nobody received"};
    if (options_.guards_heap) outcome.checks.emplace_back("heap");
    for (const mpi::SharedImport& import : ranks_->image().shared_imports())
      outcome.notes.push_back(fmt::format("the program uses {}: {}", import.name, import.what));
    for (std::string& line : differences()) outcome.notes.push_back(std::move(line));
    if (settings_.world.compute_factor) outcome.notes.emplace_back("computing was measured: the run is not repeatable");
    return outcome;
  }

  std::vector<std::string> differences() const {
    return explored_.differences([this](const FailingOrder& order) { return command_of(options_, order); });
  }

  /// For what is run again. Not fseeko(), which reads ahead.
  void go_back_in_input() const {
    if (input_begin_ < 0) return;
    std::fflush(stdin);
    lseek(STDIN_FILENO, input_begin_, SEEK_SET);
    std::clearerr(stdin);
  }

  /// What is explored is run again and again.
  void require_repeatable() const {
    if (settings_.world.compute_factor)
      throw InputError("--explore: a run with --compute measured does not repeat itself; leave one of the two out");
    if (input_begin_ < 0 && ranks_->reads_input()) {
      throw InputError(
          "--explore: the program reads standard input, and each run needs the same: give it a file, as in < input");
    }
  }

  const Setup& setup_;
  const MpirunOptions& options_;
  const mpi::ChosenAlgorithms chosen_;
  const mpi::ProgramSettings settings_;
  std::unique_ptr<mpi::ProgramRanks> ranks_;
  bool is_used_ = false;
  /// Where standard input stands: whoever has begun to read it goes on from there. Negative: it cannot go back.
  const off_t input_begin_ = lseek(STDIN_FILENO, 0, SEEK_CUR);
  ExploredProgram explored_;
  std::vector<std::string> explored_lines_;
};

ProgramText program_of(const MpirunOptions& options) {
  const std::vector<std::string> words = options.command->remaining();
  if (words.empty()) throw InputError("the program is missing; try: heddle mpirun -n 4 ./a.out");
  ProgramText program{.path = words.front(), .arguments = {words.begin() + 1, words.end()}};
  if (program.path.find('/') == std::string::npos) program.path = "./" + program.path;
  return program;
}

Experiment experiment_of(const MpirunOptions& options) {
  Experiment experiment = options.run.read();
  experiment.ranks = options.ranks;
  if (!experiment.stack) experiment.stack = mpi::usual_stack(options.ranks);
  if (experiment.fabric.topology.empty()) experiment.fabric.topology = fmt::format("star:{}", options.ranks);
  experiment.keep_timeline = options.outputs.need_timeline() || options.explain;
  return experiment;
}

/// What repeats the run.
std::string command_of(const MpirunOptions& options, const Setup& setup) {
  std::string text =
      fmt::format("heddle mpirun -n {} --topo {} {}", options.ranks, setup.fabric.topology().spec(), setup.program->path);
  for (const std::string& word : setup.program->arguments) text += ' ' + word;
  return text;
}

int run_program(const MpirunOptions& options, std::ostream& out, std::ostream& err) {
  if (options.ranks < 1) throw InputError(fmt::format("-n {}: at least one rank", options.ranks));
  ProgramText text = program_of(options);
  const auto is_interrupted = [] { return InterruptGuard::count() > 0; };
  Experiment experiment = experiment_of(options);
  experiment.clock.interrupted = is_interrupted;
  Setup setup = set_up(experiment, std::move(text));
  setup.settings.one_at_a_time = true;
  setup.explain = options.explain;
  setup.keep_sample = options.outputs.need_sample();
  ProgramRuns program(setup, options);
  const auto outputs = run_outputs(setup, options.outputs, command_of(options, setup), out, is_interrupted);
  ProgramReporter report(err);
  std::vector<Reporter*> reporters;
  if (options.report || options.explain) reporters.push_back(&report);
  for (const std::unique_ptr<Reporter>& reporter : outputs) reporters.push_back(reporter.get());

  program_invocation_name = setup.program->path.data();
  program_invocation_short_name = program_invocation_name + setup.program->path.rfind('/') + 1;
  const ProgramEndGuard guard;
  const int status = execute(setup, reporters, err, 1, [&](const Setup&, const Algorithm&) { return program.run(); });
  if (!options.report && !options.explain) {
    for (const std::string& line : program.explored_lines()) err << "# " << line << '\n';
    if (status == kExitOk)
      for (const std::string& breach : program.breaches()) err << "# " << breach << '\n';
  }
  if (status == kExitOk) return program.ranks().exit_status();
  if (const std::optional<int> code = program.abort_code()) return *code & 0xFF;
  for (const std::string& note : program.notes()) err << "# " << note << '\n';
  return status;
}

}  // namespace

Command add_mpirun_command(CLI::App* command, const std::vector<std::string>& words) {
  const auto options = std::make_shared<MpirunOptions>();
  options->words = words;
  options->command = command;
  command->prefix_command();
  // A flag that is none is not the program, unless "--" says so.
  command->parse_complete_callback([command, options = options.get()] {
    const std::vector<std::string> left = command->remaining();
    if (!left.empty() && left.front().starts_with('-') && std::ranges::count(options->words, "--") == 0)
      throw CLI::ExtrasError(command->get_name(), left);
  });
  const FlagGroup what(*command, std::string(flag_groups::kWhat));
  what.add("-n,--np", options->ranks, "N", "How many ranks (1)");
  what.add("--coll", options->collectives, "CHOICES",
           "Which algorithms serve collectives: allreduce=ring,bcast=chain:segments=8");
  what.add("--eager-limit", options->eager_limit, "SIZE", "A standard send of more bytes waits for its receive");
  what.add_switch("--sync-collectives", options->synchronizes_collectives,
                  "No rank leaves a collective before all have called it, as MPI allows: finds programs that rely on leaving");
  what.add_with_default(
      "--compute", options->compute, "HOW",
      "What computing between calls takes: none, or measured[:FACTOR], the CPU time that it took: such a run is "
      "not repeatable");
  what.add_switch("--guard-heap", options->guards_heap, "Guard zones round each block of malloc and new: overruns are found");
  const FlagGroup output(*command, "Output");
  output.add_switch(
      "--report", options->report,
      "On standard error: time, messages, calls by communicator and function with the algorithms that served them, "
      "which checks passed, what was left undone");
  output.add_switch("--explain", options->explain, "As --report, and where the time went");
  output.add_json(options->outputs.json, " (with --json -, behind what the program prints)");
  output.add("--trace", options->outputs["--trace"], "PATH",
             "Write what happened to a file that https://ui.perfetto.dev opens: ranks, messages, loads of links over time");
  output.add("--html", options->outputs["--html"], "PATH",
             "Write one page that a browser opens: the links' load over time, messages over time and the critical path");
  ExperimentFlags& flags = options->run = ExperimentFlags(*command);
  flags.add("--topo", "The fabric's shape (a star of the ranks); 'heddle topo --help' lists the families");
  flags.add_group(flag_groups::kFabric);
  for (const char* const flag : {"--placement", "--background", "--buffering", "--model", "--threads"}) flags.add(flag);
  flags.add("--stack", "Stack of each rank: 8 MiB, or less for more than 8,192 ranks");
  flags.add("--order-seed");
  flags.add(
      "--explore",
      "Before the run, run the program under every order with at most D delays of ranks and messages (the first 10,000), then "
      "under 100 at random; an order under which a check fails or the program ends otherwise is named");
  flags.add("--order");
  flags.add_group(flag_groups::kFaults);
  command->footer(
      "The program is one that 'heddle mpicc' has linked. Its output is its own. heddle says nothing if all was right, unless\n"
      "--report asks. Exit status: 1 if heddle found something, else MPI_Abort's code, else that of the lowest rank that did\n"
      "not end with 0.\n"
      "\n"
      "Examples:\n"
      "  heddle mpicc -g -o ring ring.c && heddle mpirun -n 8 ./ring\n"
      "  heddle mpirun -n 64 --topo torus:8x8 --coll allreduce=swing_bandwidth --report ./stencil 1000");
  return {command, [options](std::ostream& out, std::ostream& err) { return run_program(*options, out, err); }, true};
}

}  // namespace heddle
