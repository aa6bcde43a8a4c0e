// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/sweep_flags.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <array>

#include "cli/flags/fabric_flags.hpp"
#include "cli/flags/run_flags.hpp"
#include "core/errors.hpp"

namespace heddle {

namespace {

constexpr auto kWhat = "What to sweep: every combination is run";

CLI::Option* add_list(CLI::App& command, const std::string& flag, std::vector<std::string>& values, const std::string& text) {
  return command.add_option(flag, values, text)->allow_extra_args(false)->group(kWhat);
}

void add_point_flags(CLI::App& command, SweepFlags& options) {
  add_list(command, "--topo", options.topologies,
           "The fabric's shape (required); several with commas or several times: torus:8x8,ring:64. A comma parts two where a "
           "word and a colon follow, so star:512,alu,multicast is one. 'heddle topo --help' lists the families")
      ->type_name("SPECS");
  command
      .add_option("--size", options.sizes,
                  "Bytes of the whole vector (required but for a barrier): 32B:128MiB:x4 (each 4 times the last), "
                  "1KiB:16KiB:+1KiB, single ones, or several of these with commas")
      ->type_name("SIZES")
      ->group(kWhat);
  command
      .add_option("--ranks", options.ranks,
                  "How many: 7,13,64, or 2:64 (every number), 2:64:x2, 8:64:+8 (all endpoints, or those that --placement "
                  "groups:… names)")
      ->type_name("NUMBERS")
      ->group(kWhat);
  add_list(command, "--placement", options.placements,
           "Which endpoint each rank sits on (linear); several with commas or several times. As 'heddle run --help' says")
      ->type_name("HOW");
  add_list(
      command, "--fault", options.faults,
      "What goes wrong (docs/faults.md): none,link:0->1,slow=4 is two points; a comma parts two where none, or link:, rank:, "
      "message:, unreliable: or switch:, follow; a + before one of these joins faults that are there at once. Several with "
      "commas or several times")
      ->type_name("SPECS");
  add_list(command, "--preset", options.presets, preset_flag_text() + ". Several with commas or several times")
      ->type_name("NAMES");
  add_list(command, "--bw", options.bandwidths, bandwidth_flag_text() + ". Give the flag again for another bandwidth")
      ->type_name("RATE[,...]");
  add_list(command, "--latency", options.latencies, latency_flag_text() + ". Give the flag again for another latency")
      ->type_name("TIME[,...]");
}

void add_base_flag(CLI::App& command, SweepFlags& options) {
  command
      .add_option("--base", options.base,
                  "Hold all times against those of one value: of an algorithm, a fabric, a placement, a fault, …: ring:64, or "
                  "topology=ring:64. Adds a column x to the table, time_to_base to CSV and JSON")
      ->type_name("VALUE")
      ->group(kWhat);
}

void add_nccl_size_flags(CLI::App& command, NcclSizes& sizes) {
  const std::string group = "Sizes as nccl-tests has them, in place of --size";
  command.add_option("-b,--minbytes", sizes.least, "The least")->type_name("SIZE")->group(group);
  command.add_option("-e,--maxbytes", sizes.most, "The greatest (the least)")->type_name("SIZE")->group(group);
  command.add_option("-f,--stepfactor", sizes.factor, "From one to the next, times this")->type_name("N")->group(group);
  command.add_option("-i,--stepbytes", sizes.step, "From one to the next, plus this (1MiB)")->type_name("SIZE")->group(group);
}

void add_output_flags(CLI::App& command, SweepFlags& options) {
  const std::string group = "Output";
  command.add_flag("--wide", options.wide, "All columns on a terminal, and lines as long as they are")->group(group);
  command
      .add_option("--csv", options.csv,
                  "Write all results to this file, one row each, with the full context; - : to "
                  "standard output, without the table")
      ->type_name("PATH")
      ->group(group);
  command
      .add_option("--json", options.json, "The same as JSON, which 'heddle merge' and --resume read; - : to standard output")
      ->type_name("PATH")
      ->group(group);
  command
      .add_option(
          "--html", options.html,
          "Write one page that a browser opens, page.html: the table, curves of time or bandwidth, and which is best where "
          "(docs/page.md)")
      ->type_name("PATH")
      ->group(group);
}

void add_work_flags(CLI::App& command, SweepFlags& options) {
  const std::string group = "Work (without a say in the results)";
  command
      .add_option("--jobs", options.jobs,
                  "How many runs at once (as many as there are cores; with --spread, in each process, 1)")
      ->type_name("N")
      ->group(group);
  command
      .add_option(
          "--memory", options.memory,
          "For all runs at once (3/4 of the machine's; with --spread, for each process an equal part of that); one that needs "
          "more runs alone")
      ->type_name("SIZE")
      ->group(group);
  command
      .add_option(
          "--shard", options.shard,
          "Only the i-th of n parts, for n machines: 1/4 … 4/4. 'heddle merge' makes the whole of their JSON files. "
          "array: as the job array says that runs this (Slurm, Grid Engine), or the launcher; part 3 of --json part.json "
          "is part.3.json")
      ->type_name("i/n")
      ->group(group);
  command
      .add_option("--spread", options.spread,
                  "Share the runs among all processes that a launcher has started: mpi (mpirun -n 8 heddle sweep …) or tcp "
                  "(heddle launch -n 8 -- heddle sweep …). The first one writes all outputs")
      ->type_name("NETWORK")
      ->group(group);
  command
      .add_option("--resume", options.resume,
                  "Continue what was interrupted: the file beside the output that ends in .partial, for which the other flags "
                  "may be left "
                  "out, or must be the same; or a JSON file, which does not say them: give them again")
      ->type_name("PATH")
      ->group(group);
}

std::string text_of(const CLI::Option& option) {
  if (option.count() == 0) return option.get_default_str();
  if (option.get_items_expected_max() == 0) return "yes";
  // A list by tier has commas of its own.
  const bool has_tiers = option.get_name() == "--bw" || option.get_name() == "--latency";
  return fmt::format("{}", fmt::join(option.results(), has_tiers ? " " : ","));
}

}  // namespace

void add_sweep_command(CLI::App& app, SweepFlags& options) {
  CLI::App* command = app.add_subcommand("sweep", "Run a collective at many sizes, fabrics, ranks: who is best where");
  add_point_flags(*command, options);
  add_call_flags(*command, options.run);
  add_tune_flags(*command, options.run);
  add_base_flag(*command, options);
  add_nccl_size_flags(*command, options.nccl_sizes);
  add_other_fabric_flags(*command, options.run.fabric);
  add_rank_flags(*command, options.run);
  // Which group slows down which is a question to one run.
  command->remove_option(command->get_option("--alone"));
  options.run.alone = "none";
  add_data_flags(*command, options.run);
  add_output_flags(*command, options);
  pictures::add_plot_flags(*command, options.plot);
  add_work_flags(*command, options);
  add_nccl_tests_flags(*command, options.run);
  command->footer(
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
      "  mpirun -n 8 heddle sweep allreduce --topo torus:16x16 --size 1KiB:1GiB:x2 --spread mpi --json torus.json");
  options.command = command;
}

void parse_sweep_words(CLI::App& app, const std::vector<std::string>& words, SweepFlags& options) {
  add_sweep_command(app, options);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 takes them last first
  } catch (const CLI::ParseError& error) {
    throw InputError(fmt::format("heddle {}: {}", fmt::join(words, " "), error.what()));
  }
  options.words = words;
}

std::vector<std::pair<std::string, std::string>> parameters_of(const SweepFlags& options) {
  constexpr std::array<std::string_view, 16> kWithoutSay = {
      "--wide",   "--csv",  "--html",   "--json",    "--plot",  "--plot-y", "--resume",       "--shard",
      "--spread", "--jobs", "--memory", "--threads", "--stack", "--iters",  "--warmup_iters", "--check"};
  std::vector<std::pair<std::string, std::string>> parameters;
  for (const CLI::Option* option : options.command->get_options()) {
    const std::string name = option->get_name();
    if (name == "--help" || std::ranges::find(kWithoutSay, name) != kWithoutSay.end()) continue;
    if (std::string text = text_of(*option); !text.empty()) parameters.emplace_back(name, std::move(text));
  }
  return parameters;
}

}  // namespace heddle
