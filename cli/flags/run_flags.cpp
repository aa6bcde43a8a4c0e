// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/run_flags.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>

#include "cli/flags/fabric_flags.hpp"
#include "core/datatype.hpp"
#include "emu/network/models/model.hpp"

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
  const std::string group = "What to run";
  command
      .add_option("--topo", options.fabric.topology,
                  "The fabric's shape (required), e.g. torus:8x8; 'heddle topo --help' lists the families")
      ->type_name("SPEC")
      ->group(group);
  command
      .add_option("-b,--size", options.size,
                  "Bytes of the whole vector (required but for a barrier), rounded down to whole elements, for alltoall to "
                  "equal blocks")
      ->type_name("SIZE")
      ->group(group);
}

/// How many ranks, and where.
void add_ranks(CLI::App& command, RunOptions& options) {
  const std::string group = "Ranks";
  command.add_option("--ranks", options.ranks, "How many (all endpoints, or those that --placement groups:… or job:… names)")
      ->type_name("P")
      ->group(group);
  command
      .add_option("--placement", options.placement,
                  "Which endpoint each rank sits on: linear, random[:SEED], fragmented[:SEED] (as on a busy machine), "
                  "scattered[:TIER] (round the fabric's groups of near "
                  "endpoints: rank r on group r mod G, tier 0 the innermost), groups:13+7+12 (so many ranks on each innermost "
                  "group in turn), job:leonardo/14075154 (as a real job's nodes were) or file:PATH (one endpoint per line)")
      ->type_name("HOW")
      ->capture_default_str()
      ->group(group);
}

void add_order_flags(CLI::App& command, RunOptions& options) {
  const std::string group = "Order of events";
  command
      .add_option("--explore", options.explore,
                  "Before it is timed, run each algorithm under every order with at most D delays of ranks and messages "
                  "(the first 10,000), then under 100 at random; one that goes wrong is named (docs/fuzzing.md)")
      ->type_name("D")
      ->group(group);
  command
      .add_option("--order", options.order,
                  "Run under such an order, as --explore names it: some of delays:r2.1+m1-0.2, jitter:SEED and pick:SEED")
      ->type_name("HOW")
      ->group(group);
}

void add_clock_flags(CLI::App& command, RunOptions& options) {
  const std::string group = "Clock";
  command
      .add_option(
          "--clock", options.clock,
          "virtual (time jumps from event to event) or wall (real time, stretched: ranks are kernel threads, and what they "
          "compute counts)")
      ->type_name("CLOCK")
      ->capture_default_str()
      ->group(group);
  command
      .add_option(
          "--dilate", options.dilation,
          "Wall time per emulated time: 1000 makes a microsecond a millisecond; auto (the default): so much that lateness and "
          "computing add about 2 %, within a minute")
      ->type_name("K")
      ->group(group);
  command
      .add_option(
          "--deadline", options.deadline,
          "Stop an algorithm's run under the wall clock after so long (30s) and report what it had measured, as Ctrl-C does")
      ->type_name("TIME")
      ->group(group);
}

void add_network_flags(CLI::App& command, RunOptions& options) {
  const std::string group = "On a real network";
  command
      .add_option("--over", options.over,
                  "Run for real, each rank a process: mpi (the one whose launcher started heddle: mpirun -n 4 heddle run …) "
                  "or tcp (heddle launch -n 4 -- heddle run …); "
                  "--size may then be several, 1KiB:64MiB:x4")
      ->type_name("NETWORK")
      ->group(group);
  command
      .add_option("--beside", options.beside,
                  "The fabric that --over is held against, as --topo has it: its shape is what algorithms see; a star of all "
                  "processes unless told otherwise")
      ->type_name("SPEC")
      ->group(group);
}

void add_fault_flags(CLI::App& command, RunOptions& options) {
  command
      .add_option("--fault", options.faults,
                  "What goes wrong, once for each fault (docs/faults.md): link:0->1,slow=4,at=10us, link:0<->1,down, "
                  "rank:3,late=20us, rank:3,slow=2, rank:3,throws,call=5, rank:3,stops, message:2->5,lost,nth=3, "
                  "message:2->5,damaged, unreliable:lost=1%,damaged=1%,seed=7, switch:s0,no-alu")
      ->type_name("SPEC")
      ->allow_extra_args(false)
      ->group("Faults");
}

void add_output_flags(CLI::App& command, RunOptions& options) {
  const std::string group = "Output";
  command
      .add_flag("--explain", options.explain,
                "Below each row: where its time went, which rounds cost most, and which messages met on which link")
      ->group(group);
  command
      .add_flag(
          "--wide", options.wide,
          "All columns, and lines as long as they are; otherwise lines of at most 100 columns, above which stands what all "
          "rows have in common and what there is no room for")
      ->group(group);
  command
      .add_option("--json", options.outputs.json,
                  "Also write a JSON report to this file; - : to standard output, without the table")
      ->type_name("PATH")
      ->group(group);
  command.add_option("--links", options.links, "How many links the JSON report lists, most loaded first")
      ->type_name("N")
      ->capture_default_str()
      ->group(group);
}

void add_picture_flags(CLI::App& command, RunOptions& options) {
  const std::string group = "Pictures";
  command
      .add_option("--heatmap", options.outputs.heatmap,
                  "Draw the fabric with the load of each link as colour and width: to a file, out.svg or out.png (several "
                  "algorithms: out-NAME.svg each, on one scale); - : as digits, below the table")
      ->type_name("PATH")
      ->group(group);
  command
      .add_option(
          "--heatmap-of", options.outputs.heatmap_of,
          "What --heatmap shows of a link: utilisation (the share of its capacity that was used; the default), bytes, or "
          "contention (the time that messages lost because they shared it)")
      ->type_name("WHAT")
      ->group(group);
  command
      .add_option("--trace", options.outputs.trace,
                  "Write what happened to a file that https://ui.perfetto.dev opens, out.json (several algorithms: "
                  "out-NAME.json each): ranks, messages, loads of links over time")
      ->type_name("PATH")
      ->group(group);
  command
      .add_option(
          "--html", options.outputs.html,
          "Write one page that a browser opens, page.html: the table, the links' load over time, messages over time and the "
          "critical path, and each algorithm step by step (docs/page.md)")
      ->type_name("PATH")
      ->group(group);
}

}  // namespace

CLI::Option* add_plugin_flag(CLI::App& command, std::vector<std::string>& paths) {
  return command
      .add_option("--plugin", paths,
                  "A shared library with algorithms of your own (docs/fuzzing.md); may be given several times")
      ->type_name("PATH")
      ->allow_extra_args(false);
}

void add_call_flags(CLI::App& command, RunOptions& options) {
  const std::string group = "What to run";
  command
      .add_option("COLLECTIVE", options.collective,
                  "What to call: broadcast, reduce, allreduce, reduce_scatter, allgather, gather, scatter, alltoall or barrier")
      ->type_name("");
  command
      .add_option(
          "--algo", options.algorithms,
          "One name, several with commas, or all that fit; options behind colons (chain:segments=8); 'heddle list' shows them")
      ->type_name("NAMES")
      ->capture_default_str()
      ->group(group);
  add_plugin_flag(command, options.plugins)->group(group);
  command
      .add_option("-d,--datatype", options.datatype,
                  fmt::format("Of the elements: {}, or nccl-tests' names for them; bytes3, bytes12, …: elements of so many "
                              "bytes, to be moved and not reduced",
                              names_of_datatypes()))
      ->type_name("TYPE")
      ->group(group);
  command
      .add_option("--values", options.values,
                  "Of floats that are moved, or reduced by min or max: usual, or special (NaN, infinities, -0 and subnormal "
                  "numbers among them)")
      ->type_name("KIND")
      ->capture_default_str()
      ->group(group);
  command
      .add_option("-o,--op", options.op,
                  "sum, prod, min, max, band, bor, bxor; affine: maps x -> a*x+b modulo 2^64, which must stay in rank order")
      ->type_name("OP")
      ->capture_default_str()
      ->group(group);
  command.add_option("-r,--root", options.root, "The root's rank, for a collective that has one; others report -1")
      ->type_name("RANK")
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--blocks", options.blocks,
                  "How the vector of a collective with a block per rank is cut: even, random[:SEED], or sizes in elements with "
                  "commas. alltoall: of rank i for rank j number (i + j) mod p")
      ->type_name("SIZES")
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--skew", options.skew,
                  "alltoall: 2 hot ranks are sent 5 times as much as the others, hot=2,factor=5; the first ones, or drawn with "
                  ",seed=7")
      ->type_name("SKEW")
      ->group(group);
  command.add_flag("--in-place", options.in_place, "Input and output are one vector: the default, but for alltoall")
      ->group(group);
  command.add_flag("--out-of-place", options.out_of_place, "Input and output are apart, and inputs must not change")
      ->group(group);
}

void add_tune_flags(CLI::App& command, RunOptions& options) {
  const std::string group = "What to run";
  command
      .add_option("--tune", options.tune,
                  "options: of each algorithm also the variants that its options make (segments, ports, skips, phases of "
                  "hierarchical, …), of which the table shows the best; options that --algo names stay as they are")
      ->type_name("WHAT")
      ->group(group);
  command
      .add_option(
          "--tune-budget", options.tune_budget,
          "The most variants at each point (256): algorithms as named, then of each in turn the next one, changes of one "
          "option and of values that promise most first")
      ->type_name("N")
      ->group(group);
}

void add_rank_flags(CLI::App& command, RunOptions& options) {
  const std::string group = "Ranks";
  command
      .add_option(
          "--groups", options.groups,
          "Several at once, each group of ranks by itself: 4 (consecutive ranks, four by four), strided:4 (every fourth), "
          "rows, columns or dim:D of the grid, '8 along x' (y, z, w or a dimension's number), random:8,seed=3, tier:0 (those "
          "on one leaf), a list as '0-3;4-7;2,5', or some of these with + (ranks in more than one group run them side by "
          "side). "
          "A name may stand before: 'tp:8 along x + dp:8 along y'; behind =, a call of their own, "
          "COLLECTIVE[/ALGORITHM][@SIZE]: "
          "'tp:tier:0=allreduce@16MiB + dp:strided:8=allgather/ring@64MiB'")
      ->type_name("GROUPS")
      ->group(group);
  command
      .add_option("--alone", options.alone,
                  "How many groups, evenly spread, run alone as well, for the slowdown and the (eta_alpha, eta_beta) that the "
                  "others cost them: all, none or a number")
      ->type_name("N")
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--background", options.background,
                  "Flows that load the fabric meanwhile, with commas or several times: 0->5 between endpoints, 0->5@100Gbps or "
                  "0->5@50% at most, s0->3@50% over one link by its name")
      ->type_name("FLOWS")
      ->allow_extra_args(false)
      ->group(group);
  command
      .add_option(
          "--buffering", options.buffering,
          "Messages under way from one rank to another: eager (no bound), sync (a send waits for its receive), or at most K")
      ->type_name("MODE")
      ->capture_default_str()
      ->group(group);
  command.add_option("--model", options.model, fmt::format("How messages share links: {}", names_of_models()))
      ->type_name("MODEL")
      ->capture_default_str()
      ->group(group);
  command.add_option("--threads", options.threads, "user (user-level threads) or kernel; the results are the same")
      ->type_name("KIND")
      ->group(group);
  command.add_option("--stack", options.stack, "Stack of each thread")->type_name("SIZE")->group(group);
  command.add_option("--order-seed", options.order_seed, "Permutes the order of what happens in one instant")
      ->type_name("SEED")
      ->group(group);
}

void add_data_flags(CLI::App& command, RunOptions& options) {
  const std::string group = "Data";
  command
      .add_option(
          "--payload", options.payload,
          "Memory for the vectors of all ranks. Where the whole data is more, a part of it is run and timed as the whole "
          "('scale' is how many bytes one stands for); full: all of it")
      ->type_name("SIZE")
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--calls", options.calls,
                  "Made back to back and checked, of which the first is timed: 2, or up to 5: the third of another count, the "
                  "fourth on another communicator, the fifth as the first")
      ->type_name("N")
      ->capture_default_str()
      ->group(group);
  command.add_option("--seed", options.seed, "Of the data")->type_name("SEED")->capture_default_str()->group(group);
}

void add_nccl_tests_flags(CLI::App& command, RunOptions& options) {
  const std::string group =
      "nccl-tests' flags: emulated time does not vary, so only a run in memory (--clock wall --bw inf --latency 0) repeats";
  command.add_option("-n,--iters", options.iterations, "Iterations, of which the median is reported (in memory 5, --over 20)")
      ->type_name("N")
      ->group(group);
  command.add_option("-w,--warmup_iters", options.warmup, "Warm-up iterations (in memory 1, --over 5)")
      ->type_name("N")
      ->group(group);
  command.add_option("-c,--check", options.check, "Check the results; 0 is refused")->type_name("N")->group(group);
}

void add_run_command(CLI::App& app, RunOptions& options) {
  CLI::App* command = app.add_subcommand("run", "Run a collective on a fabric: each result checked, then timed");
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
}

}  // namespace heddle
