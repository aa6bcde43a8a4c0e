// SPDX-License-Identifier: Apache-2.0
#include "lab/describe/flag_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/affine.hpp"
#include "core/nearest_name.hpp"
#include "core/read_number.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/describe/value_lists.hpp"
#include "topo/presets/fabric_presets.hpp"

namespace heddle {

namespace {

using Value = std::string_view;
using Texts = std::vector<std::string>;  ///< none: as usual, the flag is left out

constexpr std::int64_t kMostInt = std::numeric_limits<std::int32_t>::max();
/// What a rank notes of each call stays until the run ends.
constexpr std::int64_t kMostCalls = 1'000'000;

/// Numbers out of the fabric's range are refused where the fabric is known.
int read_int(Value text, std::int64_t least) {
  if (const auto value = read_number<std::int32_t>(text)) return *value;
  return static_cast<int>(parse_integer(text, least, kMostInt));
}

/// parse_op, and the affine maps.
const ReduceOp& read_op(Value name) {
  std::vector<const ReduceOp*> ops = builtin_ops();
  ops.push_back(&affine_op());
  std::vector<std::string_view> names;
  for (const ReduceOp* op : ops) {
    if (op->name() == name) return *op;
    names.push_back(op->name());
  }
  throw InputError(unknown_name_message("op", name, names));
}

Datatype read_type(Value text) { return text == affine_op().name() ? affine_type() : parse_datatype(text); }

DataValues read_values(Value text) {
  if (text == "usual") return DataValues::usual;
  if (text == "special") return DataValues::special;
  if (text == "runs") return DataValues::runs;
  throw InputError(fmt::format("'{}': not a kind of values; usual, special or runs", text));
}

Threads read_threads(Value text) {
  if (text == "user") return Threads::user;
  if (text == "kernel") return Threads::kernel;
  throw InputError(fmt::format("'{}': not a kind of threads; user or kernel", text));
}

std::string text_of(Threads threads) { return threads == Threads::user ? "user" : "kernel"; }

std::optional<Bytes> read_payload(Value text) {
  if (text == "full") return std::nullopt;
  const Bytes payload = parse_bytes(text);
  if (payload == Bytes(0)) throw InputError(fmt::format("'{}': no memory for any data; try 64MiB, or full", text));
  return payload;
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
  if (alone == Experiment().alone) return {};
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
  throw InputError(fmt::format("'{}' is no dilation; auto, or wall time per emulated time such as 1000", text));
}

/// User-level threads have that much at least.
Bytes read_stack(Value text) {
  constexpr Bytes kLeast(16 * 1024);
  const Bytes stack = parse_bytes(text);
  if (stack < kLeast) throw InputError(fmt::format("'{}': a thread needs at least {}; try 64KiB", text, to_string(kLeast)));
  return stack;
}

/// One; a list of them is a sweep's.
Bytes read_size(Value text) {
  if (text.find_first_of(",:") == Value::npos) return parse_bytes(text);
  parse_sizes(text);
  throw InputError(fmt::format("'{}': several sizes; one run has one, and 'heddle sweep' takes them all", text));
}

double read_deadline(Value text) {
  const double seconds = parse_seconds(text);
  if (!(seconds > 0)) throw InputError(fmt::format("'{}': it must be more than 0; try 30s", text));
  return seconds;
}

// ---- values as texts ----

std::string as_text(const std::string& value) { return value; }
std::string as_text(double value) { return fmt::format("{}", value); }
template <class Integer>
requires std::is_integral_v<Integer> std::string as_text(Integer value) { return std::to_string(value); }
std::string as_text(Bytes value) { return std::to_string(value.count()); }
template <class T>
requires requires(const T& value) { to_string(value); }
std::string as_text(const T& value) { return to_string(value); }

template <class T>
Texts if_set(const std::optional<T>& value) {
  if (!value) return {};
  return {as_text(*value)};
}

/// Unrounded, which to_string(Time) is not.
Texts seconds_if_set(const std::optional<double>& seconds) {
  if (!seconds) return {};
  return {as_text(*seconds) + "s"};
}

template <class T>
Texts if_differs(const T& value, const T& usual) {
  if (value == usual) return {};
  return {as_text(value)};
}

template <class T>
Texts if_any(const std::vector<T>& values) {
  if (values.empty()) return {};
  std::string text;
  for (const T& value : values) text += (text.empty() ? "" : ",") + as_text(value);
  return {text};
}

Texts text_of_type(const Experiment& e) {
  if (!e.type || (reduces(e.collective) && e.op == &affine_op())) return {};  // affine maps have elements of their own
  return if_differs(*e.type, Datatype::i32());
}

Texts text_of_payload(const Experiment& e) {
  if (!e.payload) return {"full"};
  return e.payload_asked || *e.payload != *Experiment().payload ? Texts{to_string(*e.payload)} : Texts();
}

// ---- texts of help ----

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

std::string names_of_presets() {
  std::string names;
  for (const FabricPreset& preset : fabric_presets()) names += fmt::format("{}{}", names.empty() ? "" : ", ", preset.name);
  return names;
}

// ---- words that shells offer ----

std::vector<FlagWord> datatype_words() {
  std::vector<FlagWord> words;
  for (const Datatype type : builtin_datatypes()) words.push_back({to_string(type)});
  return words;
}

std::vector<FlagWord> model_words() {
  std::vector<FlagWord> words;
  for (const Model model : all_models()) words.push_back({to_string(model), std::string(summary_of(model))});
  return words;
}

std::vector<FlagWord> preset_words() {
  std::vector<FlagWord> words;
  for (const FabricPreset& preset : fabric_presets()) words.push_back({std::string(preset.name), std::string(preset.summary)});
  words.push_back({"file:", "One that heddle fit has written"});
  return words;
}

// ---- why a flag changes nothing ----

std::string without_data(const Experiment& e) { return e.collective == Collective::barrier ? "a barrier has no data" : ""; }
std::string without_op(const Experiment& e) {
  return reduces(e.collective) ? "" : to_string(e.collective) + " reduces nothing";
}
std::string without_root(const Experiment& e) { return has_root(e.collective) ? "" : to_string(e.collective) + " has no root"; }
std::string without_groups(const Experiment& e) { return e.groups.empty() ? "without --groups all ranks call together" : ""; }

// ---- the table ----

using E = Experiment;
using Takes = ExperimentFlag::Takes;

using Flags = std::vector<ExperimentFlag>;

Flags fabric_rows() {
  return {
      {.name = "--preset",
       .type = "NAME",
       .help = fmt::format("A source's speeds: {}; or file:PATH, which heddle fit writes. Other flags override single ones",
                           names_of_presets()),
       .set = [](E& e, Value v) { preset_settings(v), e.fabric.preset = v; },
       .get = [](const E& e) { return if_differs(e.fabric.preset, {}); },
       .words = preset_words()},
      {.name = "--bw",
       .type = "RATE[,...]",
       .help = fmt::format("Bandwidth of each link, one way ({} without a preset); inf: unlimited. A list gives the tiers of "
                           "links one by one, innermost first; the last value serves all tiers beyond",
                           to_string(LinkSpeed().bandwidth)),
       .set = [](E& e, Value v) { e.fabric.bandwidth = parse_list(v, parse_bandwidth); },
       .get = [](const E& e) { return if_any(e.fabric.bandwidth); }},
      {.name = "--latency",
       .type = "TIME[,...]",
       .help = fmt::format("Latency of each link ({} without a preset), or one for each tier", to_string(LinkSpeed().latency)),
       .set = [](E& e, Value v) { e.fabric.latency = parse_list(v, parse_time); },
       .get = [](const E& e) { return if_any(e.fabric.latency); }},
      {.name = "--eta-alpha",
       .type = "FACTOR[,...]",
       .help = "At least 1: multiplies the latency of links and of the routers or switches that they leave (1), or one for "
               "each tier",
       .set = [](E& e, Value v) { e.fabric.eta_alpha = parse_list(v, parse_factor); },
       .get = [](const E& e) { return if_any(e.fabric.eta_alpha); }},
      {.name = "--eta-beta",
       .type = "FACTOR[,...]",
       .help = "Above 0 and at most 1: multiplies the bandwidth of links (1), or one for each tier",
       .set = [](E& e, Value v) { e.fabric.eta_beta = parse_list(v, parse_factor); },
       .get = [](const E& e) { return if_any(e.fabric.eta_beta); }},
      {.name = "--hop",
       .type = "TIME",
       .help = "Forwarding time of each router; on a switched fabric, of each switch",
       .set = [](E& e, Value v) { e.fabric.hop = parse_time(v); },
       .get = [](const E& e) { return if_set(e.fabric.hop); }},
      {.name = "--host-link",
       .type = "TIME",
       .help = "On a direct network, the latency of a link between each host and its router: two of them and a router more on "
               "every route (0: hosts are their routers)",
       .set = [](E& e, Value v) { e.fabric.host_link = parse_time(v); },
       .get = [](const E& e) { return if_set(e.fabric.host_link); }},
      {.name = "--alpha",
       .type = "TIME",
       .help = "Start-up of a message; messages posted together overlap theirs",
       .set = [](E& e, Value v) { e.fabric.alpha = parse_time(v); },
       .get = [](const E& e) { return if_set(e.fabric.alpha); }},
      {.name = "--gamma",
       .type = "TIME",
       .help = "Local work (reduce, copy) per byte",
       .set = [](E& e, Value v) { e.fabric.gamma = parse_seconds(v); },
       .get = [](const E& e) { return seconds_if_set(e.fabric.gamma); }},
      {.name = "--send-overhead",
       .type = "TIME",
       .help = "Time that each send occupies its rank (LogP's o)",
       .set = [](E& e, Value v) { e.fabric.send_overhead = parse_time(v); },
       .get = [](const E& e) { return if_set(e.fabric.send_overhead); }},
      {.name = "--recv-overhead",
       .type = "TIME",
       .help = "Time that each receive occupies its rank",
       .set = [](E& e, Value v) { e.fabric.recv_overhead = parse_time(v); },
       .get = [](const E& e) { return if_set(e.fabric.recv_overhead); }},
      {.name = "--routing",
       .type = "WAY",
       .help = "Where several shortest ways lead: adaptive (of the message, each way what it can carry, the default), "
               "deterministic (all of it the first way) or ecmp[:SEED] (all of it one way, which a hash of sender and receiver "
               "chooses)",
       .set = [](E& e, Value v) { e.fabric.routing = parse_routing(v); },
       .get = [](const E& e) { return if_set(e.fabric.routing); },
       .words = {{"adaptive"}, {"deterministic"}, {"ecmp"}}}};
}

Flags call_rows() {
  return {
      {.name = "--topo",
       .type = "SPEC",
       .help = "The fabric's shape (required), e.g. torus:8x8; 'heddle topo --help' lists the families",
       .set = [](E& e, Value v) { e.fabric.topology = v; },
       .get = [](const E& e) { return if_differs(e.fabric.topology, {}); }},
      {.name = "--size",
       .letter = "-b",
       .type = "SIZE",
       .help = "Bytes of the whole vector (required but for a barrier), rounded down to whole elements, for alltoall to equal "
               "blocks, but not to nothing",
       .set = [](E& e, Value v) { e.size = read_size(v); },
       .get = [](const E& e) { return if_set(e.size); },
       .idle = without_data},
      {.name = "--algo",
       .type = "NAMES",
       .help =
           "One name, several with commas, or all that fit; options behind colons (chain:segments=8); 'heddle list' shows them",
       .usual = "all",
       .set = [](E& e, Value v) { e.algorithm = v; },
       .get = [](const E& e) { return if_differs(e.algorithm, {}); }},
      {.name = "--plugin",
       .type = "PATH",
       .help = "A shared library with algorithms of your own (docs/fuzzing.md); several with commas, or each with a --plugin",
       .set = [](E& e, Value v) { e.plugins.emplace_back(v); },
       .get = [](const E& e) { return e.plugins; },
       .takes = Takes::values},
      {.name = "--datatype",
       .letter = "-d",
       .type = "TYPE",
       .help = fmt::format("Of the elements: {}, or nccl-tests' names for them; bytes3, bytes12, …: elements of so many bytes, "
                           "to be moved and not reduced",
                           names_of_datatypes()),
       .set = [](E& e, Value v) { e.type = read_type(v); },
       .get = text_of_type,
       .words = datatype_words(),
       .idle = without_data},
      {.name = "--values",
       .type = "KIND",
       .help = "usual; special, of floats that are moved, or reduced by min or max (NaN, infinities, -0 and subnormal numbers "
               "among them); or runs (stretches of 0 and of equal elements, single 0 among the others)",
       .usual = "usual",
       .set = [](E& e, Value v) { e.values = read_values(v); },
       .get =
           [](const E& e) {
             if (e.values == DataValues::usual) return Texts();
             return Texts{e.values == DataValues::special ? "special" : "runs"};
           },
       .words = {{"usual"}, {"special"}, {"runs"}},
       .idle = without_data,
       .context = "values"},
      {.name = "--op",
       .letter = "-o",
       .type = "OP",
       .help = "sum, prod, min, max, band, bor, bxor; affine: maps x -> a*x+b modulo 2^64, which must stay in rank order",
       .usual = "sum",
       .set = [](E& e, Value v) { e.op = &read_op(v); },
       .get = [](const E& e) { return reduces(e.collective) ? if_differs(std::string(e.op->name()), {"sum"}) : Texts(); },
       .words = {{"sum"}, {"prod"}, {"min"}, {"max"}, {"band"}, {"bor"}, {"bxor"}, {"affine"}},
       .idle = without_op},
      {.name = "--root",
       .letter = "-r",
       .type = "RANK",
       .help = "The root's rank, for a collective that has one; others report -1",
       .usual = "0",
       .set = [](E& e, Value v) { e.root = read_int(v, 0); },
       .get = [](const E& e) { return has_root(e.collective) ? if_differs(e.root, 0) : Texts(); },
       .idle = without_root},
      {.name = "--blocks",
       .type = "SIZES",
       .help = "How the vector of a collective with a block per rank is cut: even, random[:SEED], or sizes in elements with "
               "commas. alltoall: of rank i for rank j number (i + j) mod p",
       .usual = "even",
       .set = [](E& e, Value v) { e.blocks = v; },
       .get = [](const E& e) { return if_differs(e.blocks, E().blocks); },
       .words = {{"even"}, {"random"}},
       .idle = without_data},
      {.name = "--skew",
       .type = "SKEW",
       .help = "alltoall: 2 hot ranks are sent 5 times as much as the others, hot=2,factor=5; the first ones, or drawn with "
               ",seed=7",
       .set = [](E& e, Value v) { e.skew = v; },
       .get = [](const E& e) { return if_differs(e.skew, {}); }},
      {.name = "--counts",
       .type = "MATRIX",
       .help = "alltoall: what each rank sends to each other one, in elements, as MPI_Alltoallv has it: a file with a row of "
               "counts on each line, a matrix as 0,2:1,0, or drawn for --size: random, sparse, rows, columns, giant or "
               "symmetric, each with [:SEED]",
       .set = [](E& e, Value v) { e.counts = v; },
       .get = [](const E& e) { return if_differs(e.counts, {}); },
       .words = {{"random"}, {"sparse"}, {"rows"}, {"columns"}, {"giant"}, {"symmetric"}},
       .context = "counts"},
      {.name = "--in-place",
       .help = "Input and output are one vector: the default, but for alltoall",
       .set = [](E& e, Value) { e.in_place = true; },
       .get = [](const E& e) { return e.in_place == true && !is_in_place_by_default(e.collective) ? Texts{""} : Texts(); },
       .idle = without_data,
       .takes = Takes::nothing},
      {.name = "--out-of-place",
       .help = "Input and output are apart, and inputs must not change",
       .set = [](E& e, Value) { e.in_place = false; },
       .get = [](const E& e) { return e.in_place == false && is_in_place_by_default(e.collective) ? Texts{""} : Texts(); },
       .idle = without_data,
       .takes = Takes::nothing}};
}

Flags rank_rows() {
  return {
      {.name = "--ranks",
       .type = "P",
       .help = "How many (all endpoints, or those that --placement groups:… or job:… names)",
       .set = [](E& e, Value v) { e.ranks = read_int(v, 1); },
       .get = [](const E& e) { return if_set(e.ranks); }},
      {.name = "--placement",
       .type = "HOW",
       .help = "Which endpoint each rank sits on: linear, random[:SEED], fragmented[:SEED] (as on a busy machine), "
               "scattered[:TIER] (round the fabric's groups of near endpoints: rank r on group r mod G, tier 0 the innermost), "
               "groups:13+7+12 (so many ranks on each innermost group in turn), job:leonardo/14075154 (as a real job's nodes "
               "were) or file:PATH (one endpoint per line)",
       .usual = "linear",
       .set = [](E& e, Value v) { e.placement = v; },
       .get = [](const E& e) { return if_differs(e.placement, E().placement); },
       .words = {{"linear"}, {"random"}, {"fragmented"}, {"scattered"}, {"groups:"}, {"job:"}, {"file:"}}},
      {.name = "--groups",
       .type = "GROUPS",
       .help = "Several at once, each group of ranks by itself: 4 (consecutive ranks, four by four), strided:4 (every fourth), "
               "rows, columns or dim:D of the grid, '8 along x' (y, z, w or a dimension's number), random:8,seed=3, tier:0 "
               "(those on one leaf), a list as '0-3;4-7;2,5', or some of these with + (ranks in more than one group run them "
               "side by side). A name may stand before: 'tp:8 along x + dp:8 along y'; behind =, a call of their own, "
               "COLLECTIVE[/ALGORITHM][@SIZE]: 'tp:tier:0=allreduce@16MiB + dp:strided:8=allgather/ring@64MiB'",
       .set = [](E& e, Value v) { e.groups = v; },
       .get = [](const E& e) { return if_differs(e.groups, {}); },
       .words = {{"rows"}, {"columns"}, {"dim:"}, {"strided:"}, {"tier:"}, {"random:"}}},
      {.name = "--alone",
       .type = "N",
       .help = "How many groups, evenly spread, run alone as well, for the slowdown and the (eta_alpha, eta_beta) that the "
               "others cost them: all, none or a number",
       .usual = "64",
       .set = [](E& e, Value v) { e.alone = read_alone(v); },
       .get = [](const E& e) { return text_of_alone(e.alone); },
       .words = {{"all"}, {"none"}},
       .idle = without_groups},
      {.name = "--background",
       .type = "FLOWS",
       .help = "Flows that load the fabric meanwhile, with commas or several times: 0->5 between endpoints, 0->5@100Gbps or "
               "0->5@50% at most, s0->3@50% over one link by its name",
       .set = [](E& e, Value v) { e.background.emplace_back(v); },
       .get = [](const E& e) { return e.background; },
       .takes = Takes::values},
      {.name = "--buffering",
       .type = "MODE",
       .help =
           "Messages under way from one rank to another: eager (no bound), sync (a send waits for its receive), or at most K",
       .usual = "eager",
       .set = [](E& e, Value v) { e.buffering = parse_buffering(v); },
       .get = [](const E& e) { return e.buffering.credits ? Texts{to_string(e.buffering)} : Texts(); },
       .words = {{"eager"}, {"sync"}}},
      {.name = "--model",
       .type = "MODEL",
       .help = fmt::format("How messages share links: {}", names_of_models()),
       .usual = "fluid",
       .set = [](E& e, Value v) { e.model = parse_model(v); },
       .get = [](const E& e) { return if_differs(e.model, Model::fluid); },
       .words = model_words()},
      {.name = "--threads",
       .type = "KIND",
       .help = "user (user-level threads) or kernel; the results are the same",
       .set = [](E& e, Value v) { e.threads = read_threads(v); },
       .get =
           [](const E& e) {
             return e.threads.value_or(default_threads()) == default_threads() ? Texts() : Texts{text_of(*e.threads)};
           },
       .words = {{"user"}, {"kernel"}}},
      {.name = "--stack",
       .type = "SIZE",
       .help = "Stack of each thread",
       .set = [](E& e, Value v) { e.stack = read_stack(v); },
       .get = [](const E& e) { return if_set(e.stack); }},
      {.name = "--order-seed",
       .type = "SEED",
       .help = "Permutes the order of what happens in one instant",
       .set = [](E& e, Value v) { e.order_seed = parse_seed(v); },
       .get = [](const E& e) { return if_set(e.order_seed); }}};
}

Flags order_rows() {
  return {{.name = "--explore",
           .type = "D",
           .help = "Before it is timed, run each algorithm under every order with at most D delays of ranks and messages (the "
                   "first 10,000), then under 100 at random; one that goes wrong is named (docs/fuzzing.md)",
           .set = [](E& e, Value v) { e.explore = static_cast<int>(parse_integer(v, 0, 100)); },
           .get = [](const E& e) { return if_set(e.explore); }},
          {.name = "--order",
           .type = "HOW",
           .help = "Run under such an order, as --explore names it: some of delays:r2.1+m1-0.2, jitter:SEED and pick:SEED",
           .set = [](E& e, Value v) { e.order = parse_explored_order(v); },
           .get = [](const E& e) { return e.order.is_usual() ? Texts() : Texts{to_string(e.order)}; }}};
}

Flags clock_rows() {
  return {
      {.name = "--clock",
       .type = "CLOCK",
       .help = "virtual (time jumps from event to event) or wall (real time, stretched: ranks are kernel threads, and what "
               "they compute counts)",
       .usual = "virtual",
       .set = [](E& e, Value v) { e.clock.is_wall = read_is_wall(v); },
       .get = [](const E& e) { return e.clock.is_wall ? Texts{"wall"} : Texts(); },
       .words = {{"virtual"}, {"wall"}}},
      {.name = "--dilate",
       .type = "K",
       .help = "Wall time per emulated time: 1000 makes a microsecond a millisecond; auto (the default): so much that lateness "
               "and computing add about 2 %, within a minute",
       .set = [](E& e, Value v) { e.clock.dilation = read_dilation(v); },
       .get = [](const E& e) { return if_set(e.clock.dilation); },
       .words = {{"auto"}}},
      {.name = "--deadline",
       .type = "TIME",
       .help =
           "Stop an algorithm's run under the wall clock after so long (30s) and report what it had measured, as Ctrl-C does",
       .set = [](E& e, Value v) { e.clock.deadline_seconds = read_deadline(v); },
       .get = [](const E& e) { return seconds_if_set(e.clock.deadline_seconds); }}};
}

Flags fault_rows() {
  return {
      {.name = "--fault",
       .type = "SPEC",
       .help =
           "What goes wrong, once for each fault (docs/faults.md): link:0->1,slow=4,at=10us, link:0<->1,down, "
           "link:worst,slow=4 (the link that costs most), rank:3,late=20us, rank:3,slow=2, rank:3,throws,call=5, rank:3,stops, "
           "message:2->5,lost,nth=3, message:2->5,damaged, unreliable:lost=1%,damaged=1%,seed=7, switch:s0,no-alu",
       .set = [](E& e, Value v) { e.faults.emplace_back(v); },
       .get = [](const E& e) { return e.faults; },
       .words = {{"link:"}, {"rank:"}, {"message:"}, {"switch:"}, {"unreliable:"}},
       .takes = Takes::values,
       .context = "faults"}};
}

Flags data_rows() {
  return {{.name = "--payload",
           .type = "SIZE",
           .help = "Memory for the vectors of all ranks. Where the whole data is more, a part of it is run and timed as the "
                   "whole ('scale' is how many bytes one stands for); full: all of it. Given, it holds for algorithms of your "
                   "own, too, whose times are then marked with ~",
           .usual = "64MiB",
           .set = [](E& e, Value v) { e.payload = read_payload(v), e.payload_asked = true; },
           .get = text_of_payload,
           .words = {{"full"}},
           .idle = without_data},
          {.name = "--calls",
           .type = "N",
           .help = "Made back to back and checked, of which the first is timed: 2 or more: the third of another count, the "
                   "fourth on another communicator, the fifth as the first, and so on in turns",
           .usual = "2",
           .set = [](E& e, Value v) { e.calls = static_cast<int>(parse_integer(v, 2, kMostCalls)); },
           .get = [](const E& e) { return if_differs(e.calls, E().calls); }},
          {.name = "--positions",
           .help = "Also checks, at the true size and without data, where each element goes: what counts in too few bits is "
                   "found. Made anyway where an algorithm of your own has 2GiB or more, and a part of it is held",
           .set = [](E& e, Value) { e.positions = true; },
           .get = [](const E& e) { return e.positions ? Texts{""} : Texts(); },
           .takes = Takes::nothing},
          {.name = "--seed",
           .type = "SEED",
           .help = "Of the data",
           .usual = "1",
           .set = [](E& e, Value v) { e.seed = parse_seed(v); },
           .get = [](const E& e) { return if_differs(e.seed, E().seed); }}};
}

Flags nccl_rows() {
  return {{.name = "--iters",
           .letter = "-n",
           .type = "N",
           .help = "Iterations, of which the median is reported (in memory 5, --over 20)",
           .set = [](E& e, Value v) { e.iterations = parse_integer(v, 1, kMostInt); },
           .get = [](const E& e) { return if_set(e.iterations); }},
          {.name = "--warmup_iters",
           .letter = "-w",
           .type = "N",
           .help = "Warm-up iterations (in memory 1, --over 5)",
           .set = [](E& e, Value v) { e.warmup = parse_integer(v, 0, kMostInt); },
           .get = [](const E& e) { return if_set(e.warmup); }}};
}

Flags all_rows() {
  Flags all;
  const auto add = [&](std::string_view group, Flags rows) {
    for (ExperimentFlag& row : rows) {
      row.group = group;
      all.push_back(std::move(row));
    }
  };
  add(flag_groups::kFabric, fabric_rows());
  add(flag_groups::kWhat, call_rows());
  add(flag_groups::kRanks, rank_rows());
  add(flag_groups::kOrder, order_rows());
  add(flag_groups::kClock, clock_rows());
  add(flag_groups::kFaults, fault_rows());
  add(flag_groups::kData, data_rows());
  add(flag_groups::kNcclTests, nccl_rows());
  return all;
}

}  // namespace

const std::vector<ExperimentFlag>& experiment_flags() {
  static const Flags flags = all_rows();
  return flags;
}

const ExperimentFlag* find_experiment_flag(std::string_view name) {
  const Flags& flags = experiment_flags();
  const auto found = std::ranges::find(flags, name, &ExperimentFlag::name);
  return found == flags.end() ? nullptr : &*found;
}

}  // namespace heddle
