// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/sweep_flags.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <string_view>

#include "cli/flags/flag_group.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/flag_table.hpp"
#include "lab/describe/flag_value.hpp"

namespace heddle {

void PlotFlags::add_to(CLI::App& command) {
  const FlagGroup group(command, "Pictures");
  group.add("--plot", plot, "PATH",
            "Draw each algorithm's line over the sizes, and where the best changes: to a file, out.svg, .png "
            "or .pdf (several fabrics: out-NAME.svg each); at one size over the ranks, or over the fabrics");
  group.add_with_default("--plot-y", y, "WHAT", "What the plot shows: time, or goodput (bytes of the vector over time)");
}

std::optional<pictures::PlotFiles> PlotFlags::open(const std::vector<SweepResult>& runs) const {
  const pictures::PlotY shown = read_flag("--plot-y", y, pictures::parse_plot_y);
  if (!plot) return std::nullopt;
  return read_flag("--plot", *plot, [&](std::string_view path) { return pictures::PlotFiles(std::string(path), shown, runs); });
}

namespace {

constexpr auto kWhat = "What to sweep: every combination is run";

void add_point_flags(CLI::App& command, SweepFlags& options) {
  const FlagGroup what(command, kWhat);
  what.add_each(
      "--topo", options.topologies, "SPECS",
      "The fabric's shape (required); several with commas or several times: torus:8x8,ring:64. A comma parts two where a "
      "word and a colon follow, so star:512,alu,multicast is one. 'heddle topo --help' lists the families");
  what.add("--size", options.sizes, "SIZES",
           "Bytes of the whole vector (required but for a barrier): 32B:128MiB:x4 (each 4 times the last), "
           "1KiB:16KiB:+1KiB, single ones, or several of these with commas");
  what.add("--ranks", options.ranks, "NUMBERS",
           "How many: 7,13,64, or 2:64 (every number), 2:64:x2, 8:64:+8 (all endpoints, or those that --placement "
           "groups:… names)");
  what.add_each("--placement", options.placements, "HOW",
                "Which endpoint each rank sits on (linear); several with commas or several times. As 'heddle run --help' says");
  what.add_each(
      "--fault", options.faults, "SPECS",
      "What goes wrong (docs/faults.md): none,link:0->1,slow=4 is two points; a comma parts two where none, or link:, rank:, "
      "message:, unreliable: or switch:, follow; a + before one of these joins faults that are there at once. Several with "
      "commas or several times");
  what.add_each("--preset", options.presets, "NAMES", help_of("--preset") + ". Several with commas or several times");
  what.add_each("--bw", options.bandwidths, "RATE[,...]", help_of("--bw") + ". Give the flag again for another bandwidth");
  what.add_each("--latency", options.latencies, "TIME[,...]",
                help_of("--latency") + ". Give the flag again for another latency");
  what.add_each("--routing", options.routings, "WAYS",
                help_of("--routing") +
                    ". Several with commas or several times; ecmp:1:32 is all seeds from 1 to 32, of which the table has the "
                    "median and the quartiles");
}

/// Where the table has it, among the flags of ranks.
void add_model_flag(CLI::App& command, SweepFlags& options) {
  const ExperimentFlag& flag = *find_experiment_flag("--model");
  FlagGroup(command, std::string(flag.group))
      .add_each(flag.name, options.models, flag.type, flag.help)
      ->default_str(flag.usual);
}

void add_base_flag(CLI::App& command, SweepFlags& options) {
  FlagGroup(command, kWhat)
      .add("--base", options.base, "VALUE",
           "Hold all times against those of one value: of an algorithm, a fabric, a placement, a fault, …: ring:64, or "
           "topology=ring:64. Adds a column x to the table, time_to_base to CSV and JSON");
}

void add_nccl_size_flags(CLI::App& command, NcclSizes& sizes) {
  const FlagGroup group(command, "Sizes as nccl-tests has them, in place of --size");
  group.add("-b,--minbytes", sizes.least, "SIZE", "The least");
  group.add("-e,--maxbytes", sizes.most, "SIZE", "The greatest (the least)");
  group.add("-f,--stepfactor", sizes.factor, "N", "From one to the next, times this");
  group.add("-i,--stepbytes", sizes.step, "SIZE", "From one to the next, plus this (1MiB)");
}

void add_output_flags(CLI::App& command, SweepFlags& options) {
  const FlagGroup group(command, "Output");
  group.add_switch("--wide", options.wide, "All columns on a terminal, and lines as long as they are");
  group.add("--csv", options.csv, "PATH",
            "Write all results to this file, one row each, with the full context; - : to "
            "standard output, without the table");
  group.add_json(options.json, ", which 'heddle merge' and --resume read");
  group.add("--html", options.html, "PATH",
            "Write one page that a browser opens, page.html: the table, curves of time or bandwidth, and which is best where "
            "(docs/page.md)");
}

void add_work_flags(CLI::App& command, SweepFlags& options) {
  const FlagGroup group(command, "Work (without a say in the results)");
  group.add("--jobs", options.jobs, "N",
            "How many runs at once (as many as there are cores; with --distribute, in each process, 1)");
  group.add(
      "--memory", options.memory, "SIZE",
      "For all runs at once (3/4 of the machine's; with --distribute, for each process an equal part of that); one that needs "
      "more runs alone");
  group.add("--shard", options.shard, "i/n",
            "Only the i-th of n parts, for n machines: 1/4 … 4/4. 'heddle merge' makes the whole of their JSON files. "
            "array: as the job array says that runs this (Slurm, Grid Engine), or the launcher; part 3 of --json part.json "
            "is part.3.json");
  group.add("--distribute", options.spread, "NETWORK",
            "Share the runs among all processes that a launcher has started: mpi (mpirun -n 8 heddle sweep …) or tcp "
            "(heddle launch -n 8 -- heddle sweep …). The first one writes all outputs");
  group.add("--resume", options.resume, "PATH",
            "Continue what was interrupted: the file beside the output that ends in .partial, for which the other flags "
            "may be left "
            "out, or must be the same; or a JSON file, which does not say them: give them again");
}

std::string text_of(const CLI::Option& option) {
  if (option.count() == 0) return option.get_default_str();
  if (option.get_items_expected_max() == 0) return "yes";
  // A list by tier has commas of its own.
  const bool has_tiers = option.get_name() == "--bw" || option.get_name() == "--latency";
  return fmt::format("{}", fmt::join(option.results(), has_tiers ? " " : ","));
}

}  // namespace

void add_sweep_flags(CLI::App& command, SweepFlags& options) {
  add_point_flags(command, options);
  options.run = ExperimentFlags(command);
  options.run.add_call();
  options.run.add_group(flag_groups::kWhat);
  options.tune.add_to(command);
  add_base_flag(command, options);
  const FlagGroup measured(command, "Beside measured times");
  measured.add_each("--reference", options.references, "FILE",
                    "Below the table, measured times beside emulated ones: what 'heddle run --transport --json' wrote, a table "
                    "of nccl-tests, OSU's or Intel's benchmarks, or a CSV (docs/files.md). Its sizes are the sweep's unless "
                    "--size says others");
  options.log.add_to(command);
  add_nccl_size_flags(command, options.nccl_sizes);
  options.run.add_group(flag_groups::kFabric);
  // Which group slows down which is a question to one run.
  options.run.add_group(flag_groups::kRanks, {"--isolated-groups", "--model", "--threads", "--stack", "--order-seed"});
  add_model_flag(command, options);
  options.run.add_group(flag_groups::kRanks, {"--isolated-groups"});
  options.run.add_group(flag_groups::kData);
  add_output_flags(command, options);
  options.plot.add_to(command);
  add_work_flags(command, options);
  add_nccl_tests_flags(options.run, command);
  command.footer(
      "The table shows each algorithm's time at each size, * the best, and where the best changes. An algorithm that does not\n"
      "fit a point is left out there. Ctrl-C keeps what is finished and says how to resume.\n"
      "\n"
      "Examples:\n"
      "  heddle sweep allreduce --topo torus:8x8 --size 32B:128MiB:x4 --preset trivance --csv torus.csv --plot torus.svg\n"
      "  heddle sweep allreduce --algo ring,rabenseifner --topo ring:64,star:64 --size 1KiB,1MiB --bw 100Gbps --bw 400Gbps\n"
      "  heddle sweep allreduce --topo ring:16,torus:4x4 --placement linear,random:3 --ranks 4,16 --size 1MiB --base ring:16\n"
      "  heddle sweep allreduce --topo ring:16 --fault 'none,link:0->1,slow=4' --size 1MiB --base fault=none\n"
      "  heddle sweep broadcast --topo ring:64 --ranks 2:64:x2 -b 32 -e 128M -f 4 --json broadcast.json\n"
      "  heddle sweep --resume broadcast.json.partial\n"
      "  heddle sweep allreduce --topo torus:16x16 --size 1KiB:1GiB:x2 --shard 1/8 --json shard1.json\n"
      "  mpirun -n 8 heddle sweep allreduce --topo torus:16x16 --size 1KiB:1GiB:x2 --distribute mpi --json torus.json");
}

void parse_sweep_words(CLI::App& app, const std::vector<std::string>& words, SweepFlags& options) {
  add_sweep_flags(*app.add_subcommand("sweep"), options);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 takes them last first
  } catch (const CLI::ParseError& error) {
    for (const std::string& word : words) {
      const std::string flag = word.substr(0, word.find('='));
      if (const std::string_view renamed = renamed_flag(flag); !renamed.empty())
        throw InputError(fmt::format("heddle {}: {} is called {} now: the file is of an earlier heddle; begin the sweep anew",
                                     fmt::join(words, " "), flag, renamed));
    }
    throw InputError(fmt::format("heddle {}: {}", fmt::join(words, " "), error.what()));
  }
  options.words = words;
}

namespace {

/// Where results go and how the work is done.
constexpr std::array<std::string_view, 12> kOfThisRun = {"--help",  "--wide",       "--csv",    "--html",
                                                         "--json",  "--plot",       "--plot-y", "--resume",
                                                         "--shard", "--distribute", "--jobs",   "--memory"};

bool is_one_of(std::string_view flag, std::span<const std::string_view> flags) {
  return std::ranges::find(flags, flag) != flags.end();
}

/// The command line that makes the same results: the flags that were given, each as often as it was, but those that say where results
/// go and how the work is done.
std::string command_of(const SweepFlags& options) {
  std::string command = "heddle sweep";
  for (const CLI::Option* option : options.run.command().get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || is_one_of(name, kOfThisRun)) continue;
    if (option->get_items_expected_max() == 0) {
      command += ' ' + name;
      continue;
    }
    for (const std::string& value : option->results())
      command += option->get_positional() ? ' ' + shell_word(value) : fmt::format(" {} {}", name, shell_word(value));
  }
  return command;
}

/// Every flag that has a say in the results with its value, given or by default, in the order of the help, as texts.
std::vector<std::pair<std::string, std::string>> parameters_of(const SweepFlags& options) {
  constexpr std::array<std::string_view, 5> kWithoutSay = {"--threads", "--stack", "--iters", "--warmup_iters", "--check"};
  std::vector<std::pair<std::string, std::string>> parameters;
  for (const CLI::Option* option : options.run.command().get_options()) {
    const std::string name = option->get_name();
    if (is_one_of(name, kOfThisRun) || is_one_of(name, kWithoutSay)) continue;
    if (std::string text = text_of(*option); !text.empty()) parameters.emplace_back(name, std::move(text));
  }
  return parameters;
}

/// Those that --size does not say: nccl-tests' flags, or of what was measured.
std::vector<Bytes> other_sizes(const SweepFlags& options, const std::optional<MeasuredRuns>& references) {
  if (options.nccl_sizes.any()) {
    if (options.sizes) throw InputError("--size and nccl-tests' flags for sizes (-b, -e, -f, -i): one or the other");
    return sizes_of(options.nccl_sizes);
  }
  std::set<Bytes> measured;
  if (references)
    for (const MeasuredRun& run : references->runs)
      if (to_string(run.experiment.collective) == options.run.collective() && run.experiment.size)
        measured.insert(*run.experiment.size);
  return {measured.begin(), measured.end()};
}

}  // namespace

std::optional<MeasuredRuns> read_references(const SweepFlags& options) {
  if (options.references.empty()) {
    if (options.log.any()) throw InputError("--log-algo and its like are for a table that --reference names");
    return std::nullopt;
  }
  return read_flag("--reference", "", [&](std::string_view) {
    return read_measurements(options.references, MeasuredTime::median, options.log.read());
  });
}

Sweep read_sweep(const SweepFlags& options, const std::optional<MeasuredRuns>& references) {
  if (options.run.collective().empty())
    throw InputError("the collective is missing; try: heddle sweep allreduce --topo torus:8x8 --size 32B:128MiB:x4");
  Sweep sweep;
  sweep.common = options.run.read();
  sweep.common.alone = 0;
  sweep.algorithms = options.run.algorithms();
  sweep.tuning = options.tune.read();
  read_axes(options, sweep);
  if (options.base) sweep.base = *options.base;
  if (!options.sizes || options.nccl_sizes.any()) sweep.sizes = other_sizes(options, references);
  if (options.shard) sweep.shard = read_flag("--shard", *options.shard, parse_shard);
  sweep.parameters = parameters_of(options);
  sweep.command = command_of(options);
  return sweep;
}

}  // namespace heddle
