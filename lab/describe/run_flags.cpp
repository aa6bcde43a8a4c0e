// SPDX-License-Identifier: Apache-2.0
// Flags of how a call is run: who takes part, in which order, under which clock, and what goes wrong.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <optional>

#include "core/read_number.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/flag_rows.hpp"
#include "lab/describe/flag_value.hpp"

namespace heddle::flag_rows {

namespace {

Threads read_threads(Value text) {
  if (text == "user") return Threads::user;
  if (text == "kernel") return Threads::kernel;
  throw InputError(fmt::format("'{}': not a kind of threads; user or kernel", text));
}

/// How many groups to run alone.
std::size_t read_alone(Value text) {
  if (text == "all") return std::numeric_limits<std::size_t>::max();
  if (text == "none") return 0;
  try {
    return static_cast<std::size_t>(parse_integer(text, 0, kMostInt));
  } catch (const InputError&) {
    throw InputError(fmt::format("'{}': how many groups to run alone as well; all, none or a number", text));
  }
}

Texts text_of_alone(std::size_t alone) {
  if (alone == usual_experiment().alone) return {};
  if (alone > static_cast<std::size_t>(kMostInt)) return {"all"};
  return {alone == 0 ? "none" : std::to_string(alone)};
}

bool read_is_wall(Value text) {
  if (text != "virtual" && text != "wall") throw InputError(fmt::format("'{}' is no clock; virtual or wall", text));
  return text == "wall";
}

std::optional<double> read_dilation(Value text) {
  if (text == "auto") return std::nullopt;
  const auto dilation = read_number<double>(text);
  if (dilation && *dilation > 0 && std::isfinite(*dilation)) return dilation;
  throw InputError(fmt::format("'{}' is no time scale; auto, or wall time per emulated time such as 1000", text));
}

double read_deadline(Value text) {
  const double seconds = parse_seconds(text);
  if (!(seconds > 0)) throw InputError(fmt::format("'{}': it must be more than 0; try 30s", text));
  return seconds;
}

/// "fluid (max-min fair) or …".
std::string names_of_models() {
  std::string names;
  for (const Model& model : all_models())
    names += fmt::format("{}{} ({})", names.empty() ? "" : " or ", to_string(model), summary_of(model));
  return names;
}

std::vector<FlagWord> model_words() {
  std::vector<FlagWord> words;
  for (const Model& model : all_models()) words.push_back({to_string(model), std::string(summary_of(model))});
  return words;
}

std::string without_groups(const Experiment& e) { return e.groups.empty() ? "without --groups all ranks call together" : ""; }

}  // namespace

Flags rank_rows() {
  return {
      {.name = "--ranks",
       .type = "P",
       .help = "How many (all endpoints, or those that --placement groups:…, job:… or endpoints:… names)",
       .value = member(&E::ranks, [](Value v) { return read_int(v, 1); })},
      {.name = "--placement",
       .type = "HOW",
       .help = "Which endpoint each rank sits on: linear, random[:SEED], fragmented[:SEED] (as on a busy machine), "
               "scattered[:TIER] (round the fabric's groups of near endpoints: rank r on group r mod G, tier 0 the innermost), "
               "groups:13+7+12 (so many ranks on each innermost group in turn), job:leonardo/14075154 (as a real job's nodes "
               "were), endpoints:3+0+1 (rank 0 on endpoint 3, and so on) or file:PATH (one endpoint per line)",
       .usual = "linear",
       .value = member(&E::placement, as_is),
       .context = {"placement", [](const E& e) -> Json { return e.placement; }},
       .words = {{"linear"}, {"random"}, {"fragmented"}, {"scattered"}, {"groups:"}, {"job:"}, {"endpoints:"}, {"file:"}}},
      {.name = "--groups",
       .type = "GROUPS",
       .help = "Several at once, each group of ranks by itself: 4 (consecutive ranks, four by four), strided:4 (every fourth), "
               "rows, columns or dim:D of the grid, '8 along x' (y, z, w or a dimension's number), random:8,seed=3, tier:0 "
               "(those on one leaf), a list as '0-3;4-7;2,5', or some of these with + (ranks in more than one group run them "
               "side by side). A name may stand before: 'tp:8 along x + dp:8 along y'; behind =, in 'heddle run', a call "
               "of their own, COLLECTIVE[/ALGORITHM][@SIZE]: 'tp:tier:0=allreduce@16MiB + dp:strided:8=allgather/ring@64MiB'",
       .value = member(&E::groups, as_is),
       .context = {"groups", [](const E& e) { return null_if_empty(e.groups); }},
       .words = {{"rows"}, {"columns"}, {"dim:"}, {"strided:"}, {"tier:"}, {"random:"}}},
      {.name = "--isolated-groups",
       .type = "N",
       .help = "How many groups, evenly spread, run alone as well, for the slowdown and the (eta_alpha, eta_beta) that the "
               "others cost them: all, none or a number",
       .usual = "64",
       .value = {[](E& e, Value v) { e.alone = read_alone(v); }, [](const E& e) { return text_of_alone(e.alone); }},
       .words = {{"all"}, {"none"}},
       .idle = without_groups},
      {.name = "--background",
       .type = "FLOWS",
       .help = "Flows that load the fabric meanwhile, with commas or several times: 0->5 between endpoints, 0->5@100Gbps or "
               "0->5@50% at most, s0->3@50% over one link by its name",
       .value = texts_member(&E::background),
       .context = {"background", [](const E& e) { return null_if_empty(fmt::format("{}", fmt::join(e.background, ","))); }},
       .takes = Takes::values},
      {.name = "--buffering",
       .type = "MODE",
       .help =
           "Messages under way from one rank to another: eager (no bound), sync (a send waits for its receive), or at most K",
       .usual = "eager",
       .value = {[](E& e, Value v) { e.buffering = parse_buffering(v); },
                 [](const E& e) { return e.buffering.credits ? Texts{to_string(e.buffering)} : Texts(); }},
       .context = {"buffering", [](const E& e) -> Json { return to_string(e.buffering); }},
       .words = {{"eager"}, {"sync"}}},
      {.name = "--model",
       .type = "MODEL",
       .help = fmt::format("How messages share links: {}. packets:buffer=8,queues=fifo says more (docs/packets.md). "
                           "Run and sweep take several, with commas",
                           names_of_models()),
       .usual = "fluid",
       .value = member(&E::model, parse_model),
       .context = {"model", [](const E& e) -> Json { return to_string(e.model); }},
       .words = model_words()},
      {.name = "--threads",
       .type = "KIND",
       .help = "user (user-level threads) or kernel; the results are the same",
       .value = {[](E& e, Value v) { e.threads = read_threads(v); },
                 [](const E& e) { return if_differs(e.threads.value_or(default_threads()), default_threads()); }},
       .words = {{"user"}, {"kernel"}}},
      {.name = "--stack", .type = "SIZE", .help = "Stack of each thread", .value = member(&E::stack, parse_stack)},
      {.name = "--order-seed",
       .type = "SEED",
       .help = "Permutes the order of what happens in one instant",
       .value = member(&E::order_seed, parse_seed),
       .context = {"order_seed", [](const E& e) { return e.order_seed ? Json(*e.order_seed) : Json(nullptr); }}}};
}

Flags order_rows() {
  return {{.name = "--explore",
           .type = "D",
           .help = "Before it is timed, run each algorithm under every order with at most D delays of ranks and messages (the "
                   "first 10,000), then under 100 at random; one that goes wrong is named (docs/fuzzing.md)",
           .value = member(&E::explore, integer<int>(0, 100))},
          {.name = "--order",
           .type = "HOW",
           .help = "Run under such an order, as --explore names it: some of delays:r2.1+m1-0.2, jitter:SEED and pick:SEED",
           .value = member(&E::order, parse_explored_order),
           .context = {"order", [](const E& e) -> Json { return to_string(e.order); }}}};
}

Flags clock_rows() {
  return {
      {.name = "--clock",
       .type = "CLOCK",
       .help = "virtual (time jumps from event to event) or wall (real time, stretched: ranks are kernel threads, and what "
               "they compute counts)",
       .usual = "virtual",
       .value = {[](E& e, Value v) { e.clock.is_wall = read_is_wall(v); },
                 [](const E& e) { return e.clock.is_wall ? Texts{"wall"} : Texts(); }},
       .context = {"clock"},
       .words = {{"virtual"}, {"wall"}}},
      {.name = "--time-scale",
       .type = "K",
       .help = "Wall time per emulated time: 1000 makes a microsecond a millisecond; auto (the default): so much that lateness "
               "and computing add about 2 %, within a minute",
       .value = member(&ClockChoice::dilation, read_dilation),
       .words = {{"auto"}}},
      {.name = "--deadline",
       .type = "TIME",
       .help =
           "Stop an algorithm's run under the wall clock after so long (30s) and report what it had measured, as Ctrl-C does",
       .value = member(&ClockChoice::deadline_seconds, read_deadline, "s")}};
}

Flags fault_rows() {
  return {
      {.name = "--fault",
       .type = "SPEC",
       .help =
           "What goes wrong, once for each fault (docs/faults.md): link:0->1,slow=4,at=10us, link:0<->1,down, "
           "link:worst,slow=4 (the link that costs most), rank:3,late=20us, rank:3,slow=2, rank:3,throws,call=5, rank:3,stops, "
           "message:2->5,lost,nth=3, message:2->5,damaged, unreliable:lost=1%,damaged=1%,seed=7, switch:s0,no-alu",
       .value = texts_member(&E::faults),
       .context = {"faults"},
       .words = {{"link:"}, {"rank:"}, {"message:"}, {"switch:"}, {"unreliable:"}},
       .takes = Takes::values}};
}

Flags nccl_rows() {
  return {{.name = "--iters",
           .letter = "-n",
           .type = "N",
           .help = "Iterations, of which the median is reported (in memory 5, with --transport 20)",
           .value = member(&E::iterations, integer<std::int64_t>(1))},
          {.name = "--warmup_iters",
           .letter = "-w",
           .type = "N",
           .help = "Warm-up iterations (in memory 1, with --transport 5)",
           .value = member(&E::warmup, integer<std::int64_t>(0))}};
}

}  // namespace heddle::flag_rows
