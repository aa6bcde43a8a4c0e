// SPDX-License-Identifier: Apache-2.0
// `heddle mpirun`: a whole MPI program on emulated ranks, in virtual time.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "cli/commands/commands.hpp"
#include "cli/flags/experiment_flags.hpp"
#include "cli/process/process.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/describe/value_lists.hpp"
#include "lab/run/run_algorithm.hpp"
#include "mpi/run/chosen_algorithm.hpp"
#include "mpi/run/program_ranks.hpp"

namespace heddle {

namespace {

struct MpirunOptions {
  ExperimentFlags run = {};
  int ranks = 1;
  std::string collectives = "auto";
  std::optional<std::string> eager_limit = {};
  bool report = false;
  bool guards_heap = false;
  CLI::App* command = nullptr;
};

/// Programs expect 8 MiB, which cost nothing until they are touched. Those of very many ranks share what addresses there are.
Bytes stack_of_programs(int ranks) {
  constexpr std::int64_t kStack = std::int64_t{8} << 20;
  constexpr std::int64_t kAllStacks = std::int64_t{64} << 30;
  constexpr std::int64_t kPage = 4096;
  return Bytes(std::min(kStack, kAllStacks / ranks / kPage * kPage));
}

/// Which endpoint a rank sits on, as the fabric names it.
std::string endpoint_name(const Testbed& testbed, int rank) {
  return testbed.fabric.topology().vertex_name(testbed.placement[static_cast<std::size_t>(rank)]);
}

void write_report(std::ostream& err, const MpirunOptions& options, const Testbed& testbed, const Outcome& outcome,
                  const mpi::World& world) {
  const Report& report = *outcome.report();
  err << fmt::format("# heddle: {} ranks on {}: results are the program's own; its use of MPI was checked\n", options.ranks,
                     testbed.fabric.topology().spec());
  err << fmt::format("# time {}, {} messages, {} bytes\n", to_string(report.completion), report.messages(),
                     report.sent_total().count());
  for (const std::string& note : world.notes()) err << "# " << note << '\n';
}

int run_program(const MpirunOptions& options, std::ostream& err) {
  std::vector<std::string> words = options.command->remaining();
  if (words.empty()) throw InputError("the program is missing; try: heddle mpirun -n 4 ./a.out");
  if (options.ranks < 1) throw InputError(fmt::format("-n {}: at least one rank", options.ranks));
  Experiment experiment = options.run.read();
  experiment.ranks = options.ranks;
  if (!experiment.stack) experiment.stack = stack_of_programs(options.ranks);
  if (experiment.fabric.topology.empty()) experiment.fabric.topology = fmt::format("star:{}", options.ranks);
  const Testbed testbed = build_testbed(experiment, experiment, build_fabric(experiment.fabric));

  mpi::ProgramSettings settings{.path = words.front(),
                                .arguments = {words.begin() + 1, words.end()},
                                .ranks = options.ranks,
                                .guards_heap = options.guards_heap};
  if (settings.path.find('/') == std::string::npos) settings.path = "./" + settings.path;
  const mpi::ChosenAlgorithms chosen(options.collectives);
  settings.world.algorithm = [&chosen](Collective collective, const Shape& shape, const ReduceOp* op) -> const Algorithm& {
    return chosen(collective, shape, op);
  };
  settings.world.processor_name = [&testbed](int rank) { return endpoint_name(testbed, rank); };
  if (options.eager_limit) settings.world.eager_limit = read_flag("--eager-limit", *options.eager_limit, parse_bytes).count();
  mpi::ProgramRanks program(std::move(settings));

  ProgramSpec ranks{.run = [&program](Communicator& communicator) { program.run(communicator); }, .name = words.front()};
  const Outcome outcome = run(testbed, ranks, experiment);
  std::fflush(nullptr);
  const mpi::World& world = program.world();
  if (const std::optional<int> code = world.abort_code()) {
    err << fmt::format("heddle: {}\n", outcome.failure() ? outcome.failure()->explanation : "MPI_Abort");
    return *code & 0xFF;
  }
  if (const Failure* const failure = outcome.failure()) {
    err << fmt::format("heddle: {}: {}\n", to_string(failure->kind), failure->explanation);
    for (const std::string& note : world.notes()) err << "# " << note << '\n';
    return kExitCheckFailed;
  }
  if (options.report) write_report(err, options, testbed, outcome, world);
  return program.exit_status();
}

}  // namespace

Command add_mpirun_command(CLI::App& app) {
  const auto options = std::make_shared<MpirunOptions>();
  CLI::App* command = app.add_subcommand("mpirun", "Run an MPI program on emulated ranks, in virtual time");
  options->command = command;
  command->prefix_command();
  const FlagGroup what(*command, std::string(flag_groups::kWhat));
  what.add("-n,--np", options->ranks, "How many ranks", "N");
  what.add("--coll", options->collectives, "Which algorithms serve collectives: allreduce=ring,bcast=chain:segments=8",
           "CHOICES");
  what.add("--eager-limit", options->eager_limit, "A standard send of more bytes waits for its receive", "SIZE");
  what.add_switch("--guard-heap", options->guards_heap, "Guard zones round each block of malloc: overruns are found");
  const FlagGroup output(*command, "Output");
  output.add_switch("--report", options->report, "Time, messages and what was left undone, on standard error");
  ExperimentFlags& flags = options->run = ExperimentFlags(*command);
  flags.add("--topo", "The fabric's shape (a star of the ranks); 'heddle topo --help' lists the families");
  flags.add_group(flag_groups::kFabric);
  flags.add("--placement");
  flags.add("--buffering");
  flags.add("--stack");
  command->footer(
      "The program is one that 'heddle mpicc' has linked. Its output is its own. heddle says nothing if all was right, unless\n"
      "--report asks. Exit status: 1 if heddle found something, else MPI_Abort's code, else that of the lowest rank that did\n"
      "not end with 0.\n"
      "\n"
      "Examples:\n"
      "  heddle mpicc -g -o ring ring.c && heddle mpirun -n 8 ./ring\n"
      "  heddle mpirun -n 64 --topo torus:8x8 --coll allreduce=swing_bandwidth --report ./stencil 1000");
  return {command, [options](std::ostream&, std::ostream& err) { return run_program(*options, err); }, true};
}

}  // namespace heddle
