// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/run_flags.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>

#include "cli/flags/fabric_flags.hpp"
#include "cli/flags/flag_group.hpp"
#include "core/datatype.hpp"
#include "emu/settings/emulation_settings.hpp"

namespace heddle {

namespace {

/// "i32 (the default), i64, …".
std::string names_of_datatypes() {
  std::string names;
  for (const Datatype type : builtin_datatypes())
    names += fmt::format("{}{}{}", names.empty() ? "" : ", ", to_string(type), type == Datatype::i32() ? " (the default)" : "");
  return names;
}

/// "fluid (max-min fair) or …".
std::string names_of_models() {
  std::string names;
  for (const Model model : all_models())
    names += fmt::format("{}{} ({})", names.empty() ? "" : " or ", to_string(model), summary_of(model));
  return names;
}

void add_what_to_run(CLI::App& command, RunOptions& options) {
  const FlagGroup group(command, "What to run");
  group.add("--topo", options.fabric.topology, "SPEC",
            "The fabric's shape (required), e.g. torus:8x8; 'heddle topo --help' lists the families");
  group.add("-b,--size", options.size, "SIZE",
            "Bytes of the whole vector (required but for a barrier), rounded down to whole elements, for alltoall to "
            "equal blocks, but not to nothing");
}

/// How many ranks, and where.
void add_ranks(CLI::App& command, RunOptions& options) {
  const FlagGroup group(command, "Ranks");
  group.add("--ranks", options.ranks, "P", "How many (all endpoints, or those that --placement groups:… or job:… names)");
  group.add_with_default(
      "--placement", options.placement, "HOW",
      "Which endpoint each rank sits on: linear, random[:SEED], fragmented[:SEED] (as on a busy machine), "
      "scattered[:TIER] (round the fabric's groups of near "
      "endpoints: rank r on group r mod G, tier 0 the innermost), groups:13+7+12 (so many ranks on each innermost "
      "group in turn), job:leonardo/14075154 (as a real job's nodes were) or file:PATH (one endpoint per line)");
}

void add_order_flags(CLI::App& command, RunOptions& options) {
  const FlagGroup group(command, "Order of events");
  group.add("--explore", options.explore, "D",
            "Before it is timed, run each algorithm under every order with at most D delays of ranks and messages "
            "(the first 10,000), then under 100 at random; one that goes wrong is named (docs/fuzzing.md)");
  group.add("--order", options.order, "HOW",
            "Run under such an order, as --explore names it: some of delays:r2.1+m1-0.2, jitter:SEED and pick:SEED");
}

void add_clock_flags(CLI::App& command, RunOptions& options) {
  const FlagGroup group(command, "Clock");
  group.add_with_default(
      "--clock", options.clock, "CLOCK",
      "virtual (time jumps from event to event) or wall (real time, stretched: ranks are kernel threads, and what they "
      "compute counts)");
  group.add(
      "--dilate", options.dilation, "K",
      "Wall time per emulated time: 1000 makes a microsecond a millisecond; auto (the default): so much that lateness and "
      "computing add about 2 %, within a minute");
  group.add("--deadline", options.deadline, "TIME",
            "Stop an algorithm's run under the wall clock after so long (30s) and report what it had measured, as Ctrl-C does");
}

void add_network_flags(CLI::App& command, RunOptions& options) {
  const FlagGroup group(command, "On a real network");
  group.add("--over", options.over, "NETWORK",
            "Run for real, each rank a process: mpi (the one whose launcher started heddle: mpirun -n 4 heddle run …) "
            "or tcp (heddle launch -n 4 -- heddle run …); "
            "--size may then be several, 1KiB:64MiB:x4");
  group.add("--beside", options.beside, "SPEC",
            "The fabric that --over is held against, as --topo has it: its shape is what algorithms see; a star of all "
            "processes unless told otherwise");
}

void add_fault_flags(CLI::App& command, RunOptions& options) {
  FlagGroup(command, "Faults")
      .add_each("--fault", options.faults, "SPEC",
                "What goes wrong, once for each fault (docs/faults.md): link:0->1,slow=4,at=10us, link:0<->1,down, "
                "link:worst,slow=4 (the link that costs most), rank:3,late=20us, rank:3,slow=2, rank:3,throws,call=5, "
                "rank:3,stops, message:2->5,lost,nth=3, "
                "message:2->5,damaged, unreliable:lost=1%,damaged=1%,seed=7, switch:s0,no-alu");
}

void add_output_flags(CLI::App& command, RunOptions& options) {
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

void add_picture_flags(CLI::App& command, RunOptions& options) {
  const FlagGroup group(command, "Pictures");
  group.add("--heatmap", options.outputs.heatmap, "PATH",
            "Draw the fabric with the load of each link as colour and width: to a file, out.svg or out.png (several "
            "algorithms: out-NAME.svg each, on one scale); - : as digits, below the table");
  group.add("--heatmap-of", options.outputs.heatmap_of, "WHAT",
            "What --heatmap shows of a link: utilisation (the share of its capacity that was used; the default), bytes, or "
            "contention (the time that messages lost because they shared it)");
  group.add("--trace", options.outputs.trace, "PATH",
            "Write what happened to a file that https://ui.perfetto.dev opens, out.json (several algorithms: "
            "out-NAME.json each): ranks, messages, loads of links over time");
  group.add("--html", options.outputs.html, "PATH",
            "Write one page that a browser opens, page.html: the table, the links' load over time, messages over time and the "
            "critical path, and each algorithm step by step (docs/page.md)");
}

}  // namespace

CLI::Option* add_plugin_flag(const FlagGroup& group, std::vector<std::string>& paths) {
  return group.add_each(
      "--plugin", paths, "PATH",
      "A shared library with algorithms of your own (docs/fuzzing.md); several with commas, or each with a --plugin");
}

void add_placement_flag(CLI::App& command, RunOptions& options) {
  FlagGroup(command, "Ranks")
      .add_with_default("--placement", options.placement, "HOW",
                        "Which endpoint each rank sits on, as 'heddle run --help' says");
}

void add_call_flags(CLI::App& command, RunOptions& options) {
  const FlagGroup group(command, "What to run");
  FlagGroup(command).add(
      "COLLECTIVE", options.collective, "",
      "What to call: broadcast, reduce, allreduce, reduce_scatter, allgather, gather, scatter, alltoall or barrier");
  group.add_with_default(
      "--algo", options.algorithms, "NAMES",
      "One name, several with commas, or all that fit; options behind colons (chain:segments=8); 'heddle list' shows them");
  add_plugin_flag(group, options.plugins);
  group.add("-d,--datatype", options.datatype, "TYPE",
            fmt::format("Of the elements: {}, or nccl-tests' names for them; bytes3, bytes12, …: elements of so many "
                        "bytes, to be moved and not reduced",
                        names_of_datatypes()));
  group.add_with_default(
      "--values", options.values, "KIND",
      "usual; special, of floats that are moved, or reduced by min or max (NaN, infinities, -0 and subnormal numbers among "
      "them); or runs (stretches of 0 and of equal elements, single 0 among the others)");
  group.add_with_default(
      "-o,--op", options.op, "OP",
      "sum, prod, min, max, band, bor, bxor; affine: maps x -> a*x+b modulo 2^64, which must stay in rank order");
  group.add_with_default("-r,--root", options.root, "RANK", "The root's rank, for a collective that has one; others report -1");
  group.add_with_default(
      "--blocks", options.blocks, "SIZES",
      "How the vector of a collective with a block per rank is cut: even, random[:SEED], or sizes in elements with "
      "commas. alltoall: of rank i for rank j number (i + j) mod p");
  group.add("--skew", options.skew, "SKEW",
            "alltoall: 2 hot ranks are sent 5 times as much as the others, hot=2,factor=5; the first ones, or drawn with "
            ",seed=7");
  group.add(
      "--counts", options.counts, "MATRIX",
      "alltoall: what each rank sends to each other one, in elements, as MPI_Alltoallv has it: a file with a row of counts "
      "on each line, a matrix as 0,2:1,0, or drawn for --size: random, sparse, rows, columns, giant or symmetric, each "
      "with [:SEED]");
  group.add_switch("--in-place", options.in_place, "Input and output are one vector: the default, but for alltoall");
  group.add_switch("--out-of-place", options.out_of_place, "Input and output are apart, and inputs must not change");
}

void add_tune_flags(CLI::App& command, RunOptions& options) {
  const FlagGroup group(command, "What to run");
  group.add("--tune", options.tune, "WHAT",
            "options: of each algorithm also the variants that its options make (segments, ports, skips, phases of "
            "hierarchical, …), of which the table shows the best; options that --algo names stay as they are");
  group.add("--tune-budget", options.tune_budget, "N",
            "The most variants at each point (256): algorithms as named, then of each in turn the next one, changes of one "
            "option and of values that promise most first");
}

void add_rank_flags(CLI::App& command, RunOptions& options) {
  const FlagGroup group(command, "Ranks");
  group.add("--groups", options.groups, "GROUPS",
            "Several at once, each group of ranks by itself: 4 (consecutive ranks, four by four), strided:4 (every fourth), "
            "rows, columns or dim:D of the grid, '8 along x' (y, z, w or a dimension's number), random:8,seed=3, tier:0 (those "
            "on one leaf), a list as '0-3;4-7;2,5', or some of these with + (ranks in more than one group run them side by "
            "side). "
            "A name may stand before: 'tp:8 along x + dp:8 along y'; behind =, a call of their own, "
            "COLLECTIVE[/ALGORITHM][@SIZE]: "
            "'tp:tier:0=allreduce@16MiB + dp:strided:8=allgather/ring@64MiB'");
  group.add_with_default(
      "--alone", options.alone, "N",
      "How many groups, evenly spread, run alone as well, for the slowdown and the (eta_alpha, eta_beta) that the "
      "others cost them: all, none or a number");
  group.add_each("--background", options.background, "FLOWS",
                 "Flows that load the fabric meanwhile, with commas or several times: 0->5 between endpoints, 0->5@100Gbps or "
                 "0->5@50% at most, s0->3@50% over one link by its name");
  group.add_with_default(
      "--buffering", options.buffering, "MODE",
      "Messages under way from one rank to another: eager (no bound), sync (a send waits for its receive), or at most K");
  group.add_with_default("--model", options.model, "MODEL", fmt::format("How messages share links: {}", names_of_models()));
  group.add("--threads", options.threads, "KIND", "user (user-level threads) or kernel; the results are the same");
  group.add("--stack", options.stack, "SIZE", "Stack of each thread");
  group.add("--order-seed", options.order_seed, "SEED", "Permutes the order of what happens in one instant");
}

void add_data_flags(CLI::App& command, RunOptions& options) {
  const FlagGroup group(command, "Data");
  group
      .add(
          "--payload", options.payload, "SIZE",
          "Memory for the vectors of all ranks. Where the whole data is more, a part of it is run and timed as the whole "
          "('scale' is how many bytes one stands for); full: all of it. Given, it holds for algorithms of your own, too, whose "
          "times are then marked with ~")
      ->default_str("64MiB");
  group.add_with_default(
      "--calls", options.calls, "N",
      "Made back to back and checked, of which the first is timed: 2 or more: the third of another count, the fourth on "
      "another communicator, the fifth as the first, and so on in turns");
  group.add_switch("--positions", options.positions,
                   "Also checks, at the true size and without data, where each element goes: what counts in too few bits is "
                   "found. Made anyway where an algorithm of your own has 2GiB or more, and a part of it is held");
  group.add_with_default("--seed", options.seed, "SEED", "Of the data");
}

void add_nccl_tests_flags(CLI::App& command, RunOptions& options) {
  const FlagGroup group(
      command,
      "nccl-tests' flags: emulated time does not vary, so only a run in memory (--clock wall --bw inf --latency 0) repeats");
  group.add("-n,--iters", options.iterations, "N", "Iterations, of which the median is reported (in memory 5, --over 20)");
  group.add("-w,--warmup_iters", options.warmup, "N", "Warm-up iterations (in memory 1, --over 5)");
  group.add("-c,--check", options.check, "N", "Check the results; 0 is refused");
}

CLI::App* add_run_command(CLI::App& app, RunOptions& options) {
  CLI::App* command = app.add_subcommand("run", "Run a collective on a fabric: each result checked, then timed");
  options.command = command;
  add_what_to_run(*command, options);
  add_call_flags(*command, options);
  add_tune_flags(*command, options);
  add_fabric_flags(*command, options.fabric);
  add_ranks(*command, options);
  add_rank_flags(*command, options);
  add_order_flags(*command, options);
  add_clock_flags(*command, options);
  add_network_flags(*command, options);
  add_fault_flags(*command, options);
  add_data_flags(*command, options);
  add_output_flags(*command, options);
  add_picture_flags(*command, options);
  add_nccl_tests_flags(*command, options);
  command->footer(
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
      "  heddle run allreduce --algo ring --topo star:8 --size 1MiB --clock wall --dilate 1000\n"
      "  heddle run allreduce --algo ring --topo star:4 --size 1MiB --bw inf --latency 0 --clock wall\n"
      "  heddle run gather --root 3 --topo torus:4x4 --size 64KiB --blocks random --out-of-place");
  return command;
}

}  // namespace heddle
