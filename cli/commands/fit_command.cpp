// SPDX-License-Identifier: Apache-2.0
// `heddle fit`: the speeds of a fabric from runs that were measured over a real network.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <memory>
#include <ostream>

#include "cli/commands/commands.hpp"
#include "cli/flags/experiment_flags.hpp"
#include "cli/flags/log_flags.hpp"
#include "cli/process/process.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/plugin/load_plugins.hpp"
#include "lab/results/fabric_fit.hpp"
#include "lab/sweep/sweep_runner.hpp"
#include "show/document/output_file.hpp"
#include "show/reports/study_reports.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

namespace {

/// The flags, as written.
struct FitOptions {
  std::vector<std::string> files;
  std::string topology;
  std::string algorithms;
  std::string times = "median";
  LogFlags log;
  std::vector<std::string> plugins;
  std::optional<std::string> out;
  std::optional<std::string> json;
};

MeasuredTime read_times(std::string_view text) {
  if (text == "median") return MeasuredTime::median;
  if (text == "least") return MeasuredTime::least;
  throw InputError(fmt::format("'{}': not one of a run's times; median or least", text));
}

void require_fit_flags(const FitOptions& options) {
  constexpr const char* kExample = "try: heddle fit results.json --topo star:8";
  if (options.files.empty()) throw InputError(std::string("the files are missing; ") + kExample);
  if (options.topology.empty()) throw InputError(std::string("--topo is missing; ") + kExample);
  std::vector<NamedOutput> outputs;
  if (options.out) outputs.push_back({"--out", *options.out});
  if (options.json) outputs.push_back({"--json", *options.json});
  require_apart(outputs);
}

int fit_runs(const FitOptions& options, std::ostream& out) {
  require_fit_flags(options);
  separate_heaps(usual_work().workers);
  const std::shared_ptr<const Topology> topology = read_flag("--topo", options.topology, parse_topology);
  const MeasuredRuns measured =
      read_measurements(options.files, read_flag("--times", options.times, read_times), options.log.read());
  const std::vector<MeasuredRun>& runs = measured.runs;
  const std::vector<bool> fitted =
      read_flag("--algo", options.algorithms, [&](std::string_view names) { return choose_fitted(runs, names); });
  const auto own = std::make_shared<const std::vector<Algorithm>>(load_plugins(options.plugins));
  const ReportOutput preset("--out", options.out);
  const ReportOutput json("--json", options.json);
  const FabricFit fit = fit_fabric(topology, runs, fitted, own);
  const Document report = fit_report(fit, topology->spec(), measured.left_out);
  if (!preset.is_standard_output() && !json.is_standard_output()) out << report_text(report);
  if (preset.is_wanted()) preset.write(preset_of_fit(fit, topology->spec()), out);
  if (json.is_wanted()) json.write(json_text(json_of(report)), out);
  return kExitOk;
}

}  // namespace

Command add_fit_command(CLI::App* command) {
  const auto options = std::make_shared<FitOptions>();
  command
      ->add_option(
          "FILES", options->files,
          "What 'heddle run --transport mpi|tcp --json' wrote, or tables of nccl-tests, OSU's or Intel's benchmarks, or a "
          "CSV (docs/files.md), of one network")
      ->type_name("");
  const FlagGroup what(*command, "What to fit");
  what.add("--topo", options->topology, "SPEC", "The network's shape, as 'heddle run --topo' has it: star:8");
  what.add("--algo", options->algorithms, "NAMES",
           "Fit the runs of these algorithms, with commas, and predict the others (the runs on 2 ranks of one message or "
           "one round, and the first two other algorithms)");
  what.add_with_default(
      "--times", options->times, "WHICH",
      "Which of a run's iterations counts: median, or least, the one that others on the machine disturbed the least");
  add_plugin_flag(what, options->plugins);
  options->log.add_to(*command);
  const FlagGroup output(*command, "Output");
  output.add("-O,--out", options->out, "PATH",
             "Write the speeds as a preset, for --preset file:PATH; - : to standard output, without the table");
  output.add_json(options->json);
  command->footer(
      "Latency, overhead, gamma and bandwidth are those with which emulated runs take what measured ones took: least squares "
      "of\n"
      "the logarithm of their ratio. A parameter without which they fit as well is not determined, and is said to be so.\n"
      "\n"
      "Example:\n"
      "  mpirun -n 8 heddle run allreduce --transport mpi --algo ring,recursive_doubling,rabenseifner --size 1KiB:1MiB:x4 \\\n"
      "      --json results.json\n"
      "  heddle fit results.json --topo star:8 --out mine.json\n"
      "  heddle run allreduce --topo star:8 --size 1MiB --preset file:mine.json\n"
      "  heddle fit all_reduce_perf.txt --log-algo ring --topo star:8 --out mine.json");
  return {command, [options](std::ostream& out, std::ostream&) { return fit_runs(*options, out); }, true};
}

}  // namespace heddle
