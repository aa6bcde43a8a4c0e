// SPDX-License-Identifier: Apache-2.0
// An experiment as one line: a table with the flags of `heddle run`, each read into the value and written from it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/affine.hpp"
#include "core/errors.hpp"
#include "core/nearest_name.hpp"
#include "core/read_number.hpp"
#include "lab/experiment/experiment.hpp"
#include "lab/grammar/flag_value.hpp"
#include "lab/grammar/number_range.hpp"
#include "lab/grammar/shell_words.hpp"
#include "lab/grammar/tier_values.hpp"
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

struct Flag {
  std::string_view name;
  void (*set)(Experiment&, Value);
  Texts (*texts)(const Experiment&);
  bool takes_value = true;
};

using E = Experiment;

const std::array kFlags = std::to_array<Flag>({
    {"--algo", [](E& e, Value v) { e.algorithm = v; }, [](const E& e) { return if_differs(e.algorithm, {}); }},
    {"--plugin", [](E& e, Value v) { e.plugins.emplace_back(v); }, [](const E& e) { return e.plugins; }},
    {"--topo", [](E& e, Value v) { e.fabric.topology = v; }, [](const E& e) { return if_differs(e.fabric.topology, {}); }},
    {"--ranks", [](E& e, Value v) { e.ranks = read_int(v, 1); }, [](const E& e) { return if_set(e.ranks); }},
    {"--placement", [](E& e, Value v) { e.placement = v; }, [](const E& e) { return if_differs(e.placement, E().placement); }},
    {"--groups", [](E& e, Value v) { e.groups = v; }, [](const E& e) { return if_differs(e.groups, {}); }},
    {"--alone", [](E& e, Value v) { e.alone = read_alone(v); }, [](const E& e) { return text_of_alone(e.alone); }},
    {"--size", [](E& e, Value v) { e.size = read_size(v); }, [](const E& e) { return if_set(e.size); }},
    {"--blocks", [](E& e, Value v) { e.blocks = v; }, [](const E& e) { return if_differs(e.blocks, E().blocks); }},
    {"--skew", [](E& e, Value v) { e.skew = v; }, [](const E& e) { return if_differs(e.skew, {}); }},
    {"--counts", [](E& e, Value v) { e.counts = v; }, [](const E& e) { return if_differs(e.counts, {}); }},
    {"--datatype", [](E& e, Value v) { e.type = read_type(v); }, text_of_type},
    {"--values", [](E& e, Value v) { e.values = read_values(v); },
     [](const E& e) {
       if (e.values == DataValues::usual) return Texts();
       return Texts{e.values == DataValues::special ? "special" : "runs"};
     }},
    {"--op", [](E& e, Value v) { e.op = &read_op(v); },
     [](const E& e) { return reduces(e.collective) ? if_differs(std::string(e.op->name()), {"sum"}) : Texts(); }},
    {"--root", [](E& e, Value v) { e.root = read_int(v, 0); },
     [](const E& e) { return has_root(e.collective) ? if_differs(e.root, 0) : Texts(); }},
    {"--in-place", [](E& e, Value) { e.in_place = true; },
     [](const E& e) { return e.in_place == true && !is_in_place_by_default(e.collective) ? Texts{""} : Texts(); }, false},
    {"--out-of-place", [](E& e, Value) { e.in_place = false; },
     [](const E& e) { return e.in_place == false && is_in_place_by_default(e.collective) ? Texts{""} : Texts(); }, false},
    {"--calls", [](E& e, Value v) { e.calls = static_cast<int>(parse_integer(v, 2, kMostCalls)); },
     [](const E& e) { return if_differs(e.calls, E().calls); }},
    {"--seed", [](E& e, Value v) { e.seed = parse_seed(v); }, [](const E& e) { return if_differs(e.seed, E().seed); }},
    {"--positions", [](E& e, Value) { e.positions = true; }, [](const E& e) { return e.positions ? Texts{""} : Texts(); },
     false},
    {"--payload", [](E& e, Value v) { e.payload = read_payload(v), e.payload_asked = true; }, text_of_payload},
    {"--preset", [](E& e, Value v) { preset_settings(v), e.fabric.preset = v; },
     [](const E& e) { return if_differs(e.fabric.preset, {}); }},
    {"--bw", [](E& e, Value v) { e.fabric.bandwidth = parse_list(v, parse_bandwidth); },
     [](const E& e) { return if_any(e.fabric.bandwidth); }},
    {"--latency", [](E& e, Value v) { e.fabric.latency = parse_list(v, parse_time); },
     [](const E& e) { return if_any(e.fabric.latency); }},
    {"--eta-alpha", [](E& e, Value v) { e.fabric.eta_alpha = parse_list(v, parse_factor); },
     [](const E& e) { return if_any(e.fabric.eta_alpha); }},
    {"--eta-beta", [](E& e, Value v) { e.fabric.eta_beta = parse_list(v, parse_factor); },
     [](const E& e) { return if_any(e.fabric.eta_beta); }},
    {"--hop", [](E& e, Value v) { e.fabric.hop = parse_time(v); }, [](const E& e) { return if_set(e.fabric.hop); }},
    {"--host-link", [](E& e, Value v) { e.fabric.host_link = parse_time(v); },
     [](const E& e) { return if_set(e.fabric.host_link); }},
    {"--alpha", [](E& e, Value v) { e.fabric.alpha = parse_time(v); }, [](const E& e) { return if_set(e.fabric.alpha); }},
    {"--gamma", [](E& e, Value v) { e.fabric.gamma = parse_seconds(v); },
     [](const E& e) { return seconds_if_set(e.fabric.gamma); }},
    {"--send-overhead", [](E& e, Value v) { e.fabric.send_overhead = parse_time(v); },
     [](const E& e) { return if_set(e.fabric.send_overhead); }},
    {"--recv-overhead", [](E& e, Value v) { e.fabric.recv_overhead = parse_time(v); },
     [](const E& e) { return if_set(e.fabric.recv_overhead); }},
    {"--routing", [](E& e, Value v) { e.fabric.routing = parse_routing(v); },
     [](const E& e) { return if_set(e.fabric.routing); }},
    {"--background", [](E& e, Value v) { e.background.emplace_back(v); }, [](const E& e) { return e.background; }},
    {"--buffering", [](E& e, Value v) { e.buffering = parse_buffering(v); },
     [](const E& e) { return e.buffering.credits ? Texts{to_string(e.buffering)} : Texts(); }},
    {"--model", [](E& e, Value v) { e.model = parse_model(v); }, [](const E& e) { return if_differs(e.model, Model::fluid); }},
    {"--order-seed", [](E& e, Value v) { e.order_seed = parse_seed(v); }, [](const E& e) { return if_set(e.order_seed); }},
    {"--order", [](E& e, Value v) { e.order = parse_explored_order(v); },
     [](const E& e) { return e.order.is_usual() ? Texts() : Texts{to_string(e.order)}; }},
    {"--explore", [](E& e, Value v) { e.explore = static_cast<int>(parse_integer(v, 0, 100)); },
     [](const E& e) { return if_set(e.explore); }},
    {"--threads", [](E& e, Value v) { e.threads = read_threads(v); },
     [](const E& e) {
       return e.threads.value_or(default_threads()) == default_threads() ? Texts() : Texts{text_of(*e.threads)};
     }},
    {"--stack", [](E& e, Value v) { e.stack = read_stack(v); }, [](const E& e) { return if_set(e.stack); }},
    {"--clock", [](E& e, Value v) { e.clock.is_wall = read_is_wall(v); },
     [](const E& e) { return e.clock.is_wall ? Texts{"wall"} : Texts(); }},
    {"--dilate", [](E& e, Value v) { e.clock.dilation = read_dilation(v); },
     [](const E& e) { return if_set(e.clock.dilation); }},
    {"--deadline", [](E& e, Value v) { e.clock.deadline_seconds = read_deadline(v); },
     [](const E& e) { return seconds_if_set(e.clock.deadline_seconds); }},
    {"--iters", [](E& e, Value v) { e.iterations = parse_integer(v, 1, kMostInt); },
     [](const E& e) { return if_set(e.iterations); }},
    {"--warmup_iters", [](E& e, Value v) { e.warmup = parse_integer(v, 0, kMostInt); },
     [](const E& e) { return if_set(e.warmup); }},
    {"--fault", [](E& e, Value v) { e.faults.emplace_back(v); }, [](const E& e) { return e.faults; }},
});

const Flag& find_flag(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Flag& flag : kFlags) {
    if (flag.name == name) return flag;
    names.push_back(flag.name);
  }
  throw InputError(unknown_name_message("flag of an experiment", name, names));
}

}  // namespace

void set_flag(Experiment& experiment, std::string_view flag, std::string_view value) {
  const Flag& known = find_flag(flag);
  read_flag(flag, value, [&](std::string_view text) {
    known.set(experiment, text);
    return true;
  });
}

std::string Experiment::text() const {
  std::string text = to_string(collective);
  for (const Flag& flag : kFlags) {
    for (const std::string& value : flag.texts(*this)) {
      text += fmt::format(" {}", flag.name);
      if (flag.takes_value) text += ' ' + shell_word(value);
    }
  }
  return text;
}

Experiment Experiment::parse(std::string_view text) {
  const std::vector<std::string> words = shell_words(text);
  if (words.empty()) throw InputError("no experiment; try 'allreduce --algo ring --topo star:3 --size 28'");
  Experiment experiment;
  experiment.collective = parse_collective(words.front());
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (!words[i].starts_with("--")) throw InputError(fmt::format("'{}' is one word too many", words[i]));
    const Flag& flag = find_flag(words[i]);
    if (flag.takes_value && i + 1 == words.size()) throw InputError(fmt::format("{}: its value is missing", words[i]));
    set_flag(experiment, flag.name, flag.takes_value ? words[++i] : "");
  }
  return experiment;
}

}  // namespace heddle
